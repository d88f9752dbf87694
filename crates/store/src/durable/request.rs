//! What a worker sends when it asks and when it tells.
use crate::event::Attributes;
use arbora_search::Report;
use std::time::Duration;

/// A worker's request for a trial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskRequest {
    /// A name that no other living worker has, such as host, process and thread.
    pub worker: String,
    /// The longest silence of a living worker; without it a trial is never taken for stale.
    pub lease: Option<Duration>,
    /// What becomes of the trials of workers that fell silent.
    pub stale: StalePolicy,
    /// Does the work end with this process? Then a leased trial is free as soon as the process has
    /// ended.
    pub is_bound: bool,
}

impl AskRequest {
    /// From a worker of this name, without a lease.
    pub fn by(worker: impl Into<String>) -> Self {
        Self { worker: worker.into(), lease: None, stale: StalePolicy::default(), is_bound: false }
    }

    /// From a worker that ends with this process.
    #[must_use]
    pub fn bound(mut self) -> Self {
        self.is_bound = true;
        self
    }

    /// With a promise to send a heartbeat at least this often.
    #[must_use]
    pub fn with_lease(mut self, lease: Duration) -> Self {
        self.lease = Some(lease);
        self
    }
}

/// What becomes of stale trials when a worker asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StalePolicy {
    /// The asking worker gets them first.
    #[default]
    HandOutAgain,
    /// They are closed as abandoned; their configurations may be suggested again.
    Abandon,
    /// They stay as they are.
    Leave,
}

/// What a worker tells about the end of a trial.
#[derive(Clone, Debug, PartialEq)]
pub struct TrialResult {
    /// The value, or why there is none.
    pub report: Report,
    /// Time, money, energy.
    pub cost: Option<f64>,
    /// How long it took. Measured from asking to telling if it is not given.
    pub duration: Option<Duration>,
    /// To keep with the trial.
    pub attributes: Attributes,
    /// Where it failed: a traceback or the last lines of a log.
    pub trace: Option<String>,
}

impl<R: Into<Report>> From<R> for TrialResult {
    fn from(report: R) -> Self {
        Self { report: report.into(), cost: None, duration: None, attributes: Attributes::new(), trace: None }
    }
}
