//! Ensemble optimisation: the search looks for the member an ensemble still needs  [Lévesque 2018, Algorithm 4.1].
//!
//! The ensemble has m slots. Trial i belongs to slot i mod m: that slot is emptied, every earlier trial is relabelled
//! with the loss the ensemble would have *with it in the slot*, and the strategy is asked as ever, on the relabelled
//! history and with a fresh chain, since the function it models has changed. Once the trial is evaluated the slot goes
//! to whoever leaves the least loss. With one slot this is ordinary optimisation. Cost of relabelling O(trials · rows).
//! Members vote, or predict numbers or probabilities that are averaged: whatever is a sum of [`Candidates`].
//!
//! Keep m well below the number of trials: when everybody is in the ensemble the labels say nothing about places.
use super::candidates::Candidates;
use super::ties::TieScale;
use crate::error::EvaluationError;
use arbora_search::{Ask, History, Strategy, Suggestion};
use arbora_space::Rng;
use std::collections::HashMap;

/// The slots of an ensemble that grows with a search. Members are positions among the candidates.
#[derive(Clone, Debug, PartialEq)]
pub struct Slots {
    filled: Vec<Option<usize>>,
}

impl Slots {
    /// All empty.
    pub fn new(count: usize) -> Result<Self, EvaluationError> {
        if count == 0 {
            return Err(EvaluationError::TooSmall { what: "the number of slots", least: 1, given: 0 });
        }
        Ok(Self { filled: vec![None; count] })
    }

    /// The slots that candidates fill when they came one after the other.
    #[must_use]
    pub fn replay(mut self, candidates: &impl Candidates) -> Self {
        self.update_from(candidates, 0);
        self
    }

    /// Fills the slots anew that members from this position on work for, as if each had just come: those of their own
    /// trials. A trial that failed leaves its slot as it was. Cost O(members · rows) for each that is new.
    pub fn update_from(&mut self, candidates: &impl Candidates, from: usize) {
        for member in from..candidates.count() {
            let trial = usize::try_from(candidates.trial(member));
            let trial = trial.expect("trials are counted, so they fit into memory");
            self.fill_from(candidates, trial, member + 1);
        }
    }

    /// How many there are, empty ones included.
    pub fn count(&self) -> usize {
        self.filled.len()
    }

    /// The members in the ensemble, slot after slot.
    pub fn members(&self) -> Vec<usize> {
        self.filled.iter().flatten().copied().collect()
    }

    /// The slot a trial works for.
    pub fn slot_of(&self, trial: usize) -> usize {
        trial % self.filled.len()
    }

    /// What every candidate is worth to the slot the next trial works for: the loss of the ensemble with it in that
    /// slot; `None` for those who sit in another slot.
    pub fn labels(&self, candidates: &impl Candidates, trial: usize) -> Vec<Option<f64>> {
        let others = self.others(self.slot_of(trial));
        let sum = candidates.sum_of(&others);
        let label = |member: usize| (!others.contains(&member)).then(|| candidates.loss_with(&sum, member));
        (0..candidates.count()).map(label).collect()
    }

    /// Fills the slot of a trial that has joined the candidates.
    pub fn fill(&mut self, candidates: &impl Candidates, trial: usize) {
        self.fill_from(candidates, trial, candidates.count());
    }

    /// What next? The history is relabelled by what each trial is worth to the slot the next trial works for; trials
    /// whose predictions are not there teach nothing, failed ones stay failed.
    pub fn suggest(
        &self,
        candidates: &impl Candidates,
        strategy: &dyn Strategy,
        ask: &Ask<'_>,
        rng: &mut Rng,
    ) -> Result<Suggestion, EvaluationError> {
        let relabelled = self.relabel(candidates, ask.history);
        Ok(strategy.suggest(&Ask { history: &relabelled, ..*ask }, rng)?)
    }

    /// The history as the next trial's slot sees it.
    pub fn relabel(&self, candidates: &impl Candidates, history: &History) -> History {
        let labels = self.labels(candidates, history.len()).into_iter().enumerate();
        let worth: HashMap<u64, f64> =
            labels.filter_map(|(member, label)| Some((candidates.trial(member), label?))).collect();
        history.relabelled(|trial| worth.get(&trial.number).copied())
    }

    fn fill_from(&mut self, candidates: &impl Candidates, trial: usize, arrived: usize) {
        let slot = self.slot_of(trial);
        let others = self.others(slot);
        let sum = candidates.sum_of(&others);
        let free: Vec<usize> = (0..arrived).filter(|member| !others.contains(member)).collect();
        // The other losses are asked of the tied only.
        let scale = candidates.tie_scale();
        let tied = scale.least(free, |member| candidates.slot_loss(&sum, member));
        let tied = scale.least(tied, |member| candidates.loss_with(&sum, member));
        self.filled[slot] = TieScale::Own.least(tied, |member| candidates.own_loss(member)).first().copied();
    }

    fn others(&self, slot: usize) -> Vec<usize> {
        self.filled.iter().enumerate().filter(|(i, _)| *i != slot).filter_map(|(_, m)| *m).collect()
    }
}
