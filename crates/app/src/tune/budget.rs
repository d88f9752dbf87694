//! How much may be tried.
//!
//! Trials are counted over the whole study, whoever made them: processes that share a study share its budget, and a
//! command that is given again goes on to the same end. Failed and pruned trials count,
//! abandoned ones do not.
use arbora_store::{DurableStudy, TrialRecord, TrialState};
use std::time::{Duration, Instant};

/// The limits of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// Trials of the study, in all.
    pub(crate) trials: Option<usize>,
    /// When to start nothing more.
    pub(crate) until: Option<Instant>,
    /// Failures in a row, without one success, after which to give up.
    pub(crate) failures: Option<usize>,
}

impl Budget {
    /// Is the time over?
    pub(crate) fn is_over(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// How long trials may still be started.
    pub(crate) fn left(&self) -> Option<Duration> {
        self.until.map(|until| until.saturating_duration_since(Instant::now()))
    }

    /// Are all trials made or being made?
    pub(crate) fn is_taken(&self, study: &DurableStudy) -> bool {
        self.trials.is_some_and(|most| taken(study.trials()) >= most)
    }

    /// Was this trial one too many? Two processes may both see room for a last one; numbers are given one by one, so
    /// exactly one of them is within the budget.
    pub(crate) fn is_beyond(&self, study: &DurableStudy, trial: &TrialRecord<'_>) -> bool {
        let earlier = study.trials().filter(|other| other.number() < trial.number());
        let counted = earlier.filter(|other| other.state() != TrialState::Abandoned).count();
        trial.attempts <= 1 && self.trials.is_some_and(|most| counted >= most)
    }
}

/// Trials that ended or are in somebody's hands. Waiting and stale ones will be handed out first.
fn taken<'a>(trials: impl Iterator<Item = TrialRecord<'a>>) -> usize {
    use TrialState::{Complete, Failed, Pruned, Running};
    let counts = |state| matches!(state, Complete | Failed | Pruned | Running);
    trials.filter(|trial| counts(trial.state())).count()
}
