//! What workers tell the one who watches, and what it comes to.
use crate::error::AppError;
use arbora_store::TrialRecord;

/// From a worker.
pub(crate) enum WorkerEvent {
    /// A program was started for this trial.
    Started,
    /// A trial ended, with a value or without.
    Ended(Box<TrialRecord<'static>>),
    /// A trial was put back unfinished.
    Released,
    /// Something worth a line.
    Said(String),
    /// There is nothing left to propose.
    Exhausted(AppError),
    /// Trials fail one after the other.
    GaveUp,
    /// Nobody can go on.
    Trouble(AppError),
}

/// Why a run came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StopReason {
    /// As many trials as wanted.
    Trials,
    /// The time is over.
    Time,
    /// Nothing is left to propose.
    Exhausted,
    /// Trials failed one after the other.
    GaveUp,
    /// Somebody said so.
    Interrupted,
}

impl StopReason {
    /// As written for machines.
    pub(crate) fn name(self) -> &'static str {
        match self {
            StopReason::Trials => "trials",
            StopReason::Time => "time",
            StopReason::Exhausted => "exhausted",
            StopReason::GaveUp => "gave_up",
            StopReason::Interrupted => "interrupted",
        }
    }
}

/// The state of a run, as far as it has come.
#[derive(Default)]
pub(crate) struct RunState {
    /// Ended in this run.
    pub(crate) ended: usize,
    /// Failed in this run.
    pub(crate) failed: usize,
    /// Running now, for this process.
    pub(crate) running: usize,
    /// Put back unfinished.
    pub(crate) released: usize,
    /// The best of the study: value and trial.
    pub(crate) best: Option<(f64, u64)>,
    /// The last failure.
    pub(crate) last_failure: Option<Box<TrialRecord<'static>>>,
    /// What is exhausted, in words.
    pub(crate) exhausted: Option<AppError>,
    /// Trials failed one after the other.
    pub(crate) gave_up: bool,
    /// Why nobody could go on.
    pub(crate) trouble: Option<AppError>,
}
