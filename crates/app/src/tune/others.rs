//! Trials of the study that others have: a run is not over before they are.
use super::budget::Budget;
use crate::duration;
use crate::show::count;
use arbora_store::{DurableStudy, TrialRecord, TrialState};
use std::collections::BTreeMap;
use std::time::Duration;

/// Those that others have and that will end or become free. A trial that somebody asked for by hand, without a lease, may
/// stay open for good: nobody waits for it.
pub(super) fn running(study: &DurableStudy) -> Vec<TrialRecord<'_>> {
    let is_waited_for = |trial: &TrialRecord<'_>| {
        trial.state() == TrialState::Running && trial.terms.as_ref().is_some_and(|terms| !terms.is_ours())
    };
    study.trials().filter(is_waited_for).collect()
}

/// Is a run over that has nothing left to start? Not before the trials of others are, if it counts trials.
pub(super) fn keep_waiting(study: &DurableStudy, budget: &Budget) -> bool {
    !budget.is_over() && !running(study).is_empty()
}

/// What is waited for, in words: who has how many trials, and when they are free at the latest.
pub(super) fn described(study: &DurableStudy) -> Waited {
    let mut by_holder: BTreeMap<String, (usize, Duration)> = BTreeMap::new();
    for trial in running(study) {
        let holder = trial.terms.as_ref().map(ToString::to_string).unwrap_or_default();
        let free_in = study.free_in(trial.number()).unwrap_or_default();
        let (count, latest) = by_holder.entry(holder).or_default();
        (*count, *latest) = (*count + 1, free_in.max(*latest));
    }
    let who = |(holder, (trials, _)): (&String, &(usize, Duration))| {
        format!("{} of {holder}", count(*trials, "trial", "trials"))
    };
    let whom = by_holder.iter().map(who).collect::<Vec<_>>().join(" and ");
    let latest = by_holder.values().map(|(_, latest)| *latest).max().unwrap_or_default();
    let seconds = latest.as_secs() + u64::from(latest.subsec_nanos() > 0);
    let free = duration::show_seconds(seconds);
    Waited { line: format!("waiting for {whom}; free in {free} unless there are signs of life"), whom }
}

/// What is waited for.
pub(super) struct Waited {
    /// Whom for: said again only when it changes.
    pub(super) whom: String,
    pub(super) line: String,
}
