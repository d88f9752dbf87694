//! Asking a strategy for the member an ensemble still needs.
use super::pool::Pool;
use super::slots::Slots;
use crate::error::EvaluationError;
use arbora_search::{Ask, History, Strategy, Suggestion};
use arbora_space::Rng;
use std::collections::HashMap;

impl Slots {
    /// What next? The history is relabelled by what each trial is worth to the slot the next trial works for; trials
    /// whose predictions are not in the pool teach nothing, failed ones stay failed.
    pub fn suggest(
        &self,
        pool: &Pool,
        strategy: &dyn Strategy,
        ask: &Ask<'_>,
        rng: &mut Rng,
    ) -> Result<Suggestion, EvaluationError> {
        let relabelled = self.relabel(pool, ask.history);
        Ok(strategy.suggest(&Ask { history: &relabelled, ..*ask }, rng)?)
    }

    /// The history as the next trial's slot sees it.
    pub fn relabel(&self, pool: &Pool, history: &History) -> History {
        let labels = self.labels(pool, history.len());
        let worth: HashMap<u64, f64> =
            pool.members().iter().zip(labels).filter_map(|(m, label)| Some((m.trial, label?))).collect();
        history.relabelled(|trial| worth.get(&trial.number).copied())
    }
}
