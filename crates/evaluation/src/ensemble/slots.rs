//! Ensemble optimisation: the search looks for the member an ensemble still needs  [Lévesque 2018, Algorithm 4.1].
//!
//! The ensemble has m slots. Trial i belongs to slot i mod m: that slot is emptied, every earlier trial is relabelled
//! with the loss the ensemble would have *with it in the slot*, and the strategy is asked as ever, on the relabelled
//! history and with a fresh chain, since the function it models has changed. Once the trial is evaluated the slot goes
//! to whoever leaves the least loss. With one slot this is ordinary optimisation. Cost of relabelling O(trials · rows).
//!
//! Keep m well below the number of trials: when everybody is in the ensemble the labels say nothing about places.
use super::loss::VoteLoss;
use super::pool::Pool;
use super::votes::Votes;
use crate::error::EvaluationError;
use serde::{Deserialize, Serialize};

/// By which loss a slot is filled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SlotRule {
    /// Zero–one, as the algorithm is printed; ties by the search's own loss, then by the single loss, then the earlier.
    #[default]
    ZeroOne,
    /// The loss the search uses, as the authors' program did: smoother, so it fits the validation rows less.
    SameLoss,
}

/// The slots of an ensemble that grows with a search. Members are positions in the pool.
#[derive(Clone, Debug, PartialEq)]
pub struct Slots {
    filled: Vec<Option<usize>>,
    loss: VoteLoss,
    rule: SlotRule,
}

impl Slots {
    /// All empty.
    pub fn new(count: usize, loss: VoteLoss, rule: SlotRule) -> Result<Self, EvaluationError> {
        if count == 0 {
            return Err(EvaluationError::TooSmall { what: "the number of slots", least: 1, given: 0 });
        }
        Ok(Self { filled: vec![None; count], loss, rule })
    }

    /// The slots a pool fills when its members came one after the other.
    #[must_use]
    pub fn replay(mut self, pool: &Pool) -> Self {
        self.take_in(pool, 0);
        self
    }

    /// Fills the slots anew that members from this position on work for, as if each had just come: those of their own
    /// trials. A trial that failed leaves its slot as it was. Cost O(members · rows) for each that is new.
    pub fn take_in(&mut self, pool: &Pool, from: usize) {
        for (before, member) in pool.members().iter().enumerate().skip(from) {
            let trial = usize::try_from(member.trial).expect("trials are counted, so they fit into memory");
            self.fill_from(pool, trial, before + 1);
        }
    }

    /// The members in the ensemble, slot after slot.
    pub fn members(&self) -> Vec<usize> {
        self.filled.iter().flatten().copied().collect()
    }

    /// The slot a trial works for.
    pub fn slot_of(&self, trial: usize) -> usize {
        trial % self.filled.len()
    }

    /// What every member of the pool is worth to the slot the next trial works for: the loss of the ensemble with it in
    /// that slot; `None` for those who sit in another slot.
    pub fn labels(&self, pool: &Pool, trial: usize) -> Vec<Option<f64>> {
        let (votes, others) = self.without(pool, self.slot_of(trial));
        let label = |member: usize| self.loss.with(&votes, &pool.members()[member].votes);
        (0..pool.members().len()).map(|m| (!others.contains(&m)).then(|| label(m))).collect()
    }

    /// Fills the slot of a trial that has joined the pool.
    pub fn fill(&mut self, pool: &Pool, trial: usize) {
        self.fill_from(pool, trial, pool.members().len());
    }

    fn fill_from(&mut self, pool: &Pool, trial: usize, arrived: usize) {
        let slot = self.slot_of(trial);
        let (votes, others) = self.without(pool, slot);
        let first = match self.rule {
            SlotRule::ZeroOne => VoteLoss::ZeroOne,
            SlotRule::SameLoss => self.loss,
        };
        let key = |member: usize| {
            let own = &pool.members()[member];
            [first.with(&votes, &own.votes), self.loss.with(&votes, &own.votes), own.loss]
        };
        let free = (0..arrived).filter(|member| !others.contains(member));
        let ranked = free.map(|member| (key(member), member));
        let best = ranked.min_by(|a, b| {
            let by_losses = a.0.iter().zip(&b.0).map(|(x, y)| x.total_cmp(y)).find(|order| order.is_ne());
            by_losses.unwrap_or(std::cmp::Ordering::Equal).then(a.1.cmp(&b.1))
        });
        self.filled[slot] = best.map(|(_, member)| member);
    }

    fn without(&self, pool: &Pool, slot: usize) -> (Votes, Vec<usize>) {
        let others: Vec<usize> =
            self.filled.iter().enumerate().filter(|(i, _)| *i != slot).filter_map(|(_, m)| *m).collect();
        (pool.votes_of(&others), others)
    }
}
