//! Ensemble optimisation: the search looks for the member an ensemble still needs  [Lévesque 2018,
//! Algorithm 4.1].
//!
//! The ensemble has m slots. Trial i works for slot i mod m. That slot is emptied, and every
//! earlier trial is relabelled with the loss of the ensemble *with this trial in the slot*. The
//! strategy then suggests as usual from the relabelled history, but with a new chain, since the
//! function it models has changed. Once the trial is evaluated, the slot goes to the candidate that
//! gives the lowest loss. With one slot this is ordinary optimisation. Relabelling costs
//! O(trials · rows). Members vote, or predict numbers or probabilities that are averaged: any
//! [`Candidates`].
//!
//! Keep m well below the number of trials: if all trials are in the ensemble, the labels carry no
//! information about the space.
use super::candidates::Candidates;
use super::ties::TieScale;
use crate::error::EvaluationError;
use arbora_search::{Ask, History, Strategy, Suggestion};
use arbora_space::Rng;
use std::collections::HashMap;

/// The slots of an ensemble that grows during a search. Members are positions among the candidates.
#[derive(Clone, Debug, PartialEq)]
pub struct Slots {
    filled: Vec<Option<usize>>,
}

impl Slots {
    /// All slots empty.
    pub fn new(count: usize) -> Result<Self, EvaluationError> {
        if count == 0 {
            return Err(EvaluationError::TooSmall { what: "the number of slots", least: 1, given: 0 });
        }
        Ok(Self { filled: vec![None; count] })
    }

    /// The slots after these candidates arrived one after the other.
    #[must_use]
    pub fn replay(mut self, candidates: &impl Candidates) -> Self {
        self.update_from(candidates, 0);
        self
    }

    /// Fills the slots of all members from this position on, as if each had just arrived. A
    /// member's slot is that of its trial; a failed trial leaves its slot unchanged. Costs
    /// O(members · rows) per new member.
    pub fn update_from(&mut self, candidates: &impl Candidates, from: usize) {
        for member in from..candidates.count() {
            let trial = usize::try_from(candidates.trial(member));
            let trial = trial.expect("trials are counted, so they fit into memory");
            self.fill_from(candidates, trial, member + 1);
        }
    }

    /// Number of slots, including empty ones.
    pub fn count(&self) -> usize {
        self.filled.len()
    }

    /// The members of the ensemble, in the order of the slots.
    pub fn members(&self) -> Vec<usize> {
        self.filled.iter().flatten().copied().collect()
    }

    /// The slot that a trial works for.
    pub fn slot_of(&self, trial: usize) -> usize {
        trial % self.filled.len()
    }

    /// The label of every candidate for the slot of the next trial: the loss of the ensemble with
    /// the candidate in that slot; `None` if it is in another slot.
    pub fn labels(&self, candidates: &impl Candidates, trial: usize) -> Vec<Option<f64>> {
        let others = self.others(self.slot_of(trial));
        let sum = candidates.sum_of(&others);
        let label = |member: usize| (!others.contains(&member)).then(|| candidates.loss_with(&sum, member));
        (0..candidates.count()).map(label).collect()
    }

    /// Fills the slot of a trial that is now among the candidates.
    pub fn fill(&mut self, candidates: &impl Candidates, trial: usize) {
        self.fill_from(candidates, trial, candidates.count());
    }

    /// The next suggestion, from the relabelled history. Trials without predictions are left out of
    /// the training data; failed trials stay failed.
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

    /// The history, relabelled for the slot of the next trial.
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
        // The other losses are only computed for ties.
        let scale = candidates.tie_scale();
        let tied = scale.least(free, |member| candidates.slot_loss(&sum, member));
        let tied = scale.least(tied, |member| candidates.loss_with(&sum, member));
        self.filled[slot] = TieScale::Own.least(tied, |member| candidates.own_loss(member)).first().copied();
    }

    fn others(&self, slot: usize) -> Vec<usize> {
        self.filled.iter().enumerate().filter(|(i, _)| *i != slot).filter_map(|(_, m)| *m).collect()
    }
}
