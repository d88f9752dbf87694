//! A trial as users see it: the search's trial with all that was written down about it.
use crate::clock::Timestamp;
use crate::event::Attributes;
use crate::hold::Hold;
use crate::store::Lease;
use arbora_search::{Direction, Effort, Outcome};
use arbora_space::Configuration;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Everything known of a trial.
#[derive(Clone, Debug, PartialEq)]
pub struct TrialRecord {
    /// Counting from zero.
    pub number: u64,
    /// What is tried, in the space of today.
    pub configuration: Configuration,
    /// How much of an evaluation it does.
    pub effort: Effort,
    /// Where it came from.
    pub origin: Origin,
    /// As of the last time the store was read.
    pub state: TrialState,
    /// The loss; smaller is better.
    pub loss: Option<f64>,
    /// The objective's value, in the direction of the study.
    pub value: Option<f64>,
    /// Time, money, energy.
    pub cost: Option<f64>,
    /// How long the evaluation took.
    pub duration: Option<Duration>,
    /// When it was suggested, queued or added.
    pub asked_at: Timestamp,
    /// When it was last handed to a worker.
    pub started_at: Option<Timestamp>,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// Who has it, or had it last.
    pub worker: Option<String>,
    /// Who must give signs of life, until when.
    pub lease: Option<Lease>,
    /// Under which terms, if there is a lease.
    pub hold: Option<Hold>,
    /// Those of workers that fell silent while they had it, earliest first.
    pub former: Vec<Hold>,
    /// The end of the lease as it was when the trial was handed out.
    pub(super) promised: Option<Timestamp>,
    /// How often it was handed out.
    pub attempts: u32,
    /// Why it failed or was abandoned.
    pub reason: Option<String>,
    /// Where it failed.
    pub trace: Option<String>,
    /// What users keep with it.
    pub attributes: Attributes,
    /// Step and value, in the order of reporting.
    pub intermediate: Vec<(u64, f64)>,
}

/// Where a trial came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// The strategy suggested it.
    Suggested,
    /// The user wanted it tried.
    Queued,
    /// The result was known already.
    Added,
}

/// Where a trial stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TrialState {
    /// For a worker.
    Waiting,
    /// A worker has it.
    Running,
    /// A worker has it and has been silent for longer than it promised.
    Stale,
    /// It has a loss.
    Complete,
    /// It has none: a crash, a time-out, a value that is not a number.
    Failed,
    /// It was given up from outside.
    Abandoned,
}

impl TrialState {
    /// Over?
    pub fn is_ended(self) -> bool {
        matches!(self, TrialState::Complete | TrialState::Failed | TrialState::Abandoned)
    }

    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            TrialState::Waiting => "waiting",
            TrialState::Running => "running",
            TrialState::Stale => "stale",
            TrialState::Complete => "complete",
            TrialState::Failed => "failed",
            TrialState::Abandoned => "abandoned",
        }
    }
}

impl std::fmt::Display for TrialState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

/// Attribute: the value of each split, in the direction of the study.
const SPLIT_VALUES: &str = "split_values";
/// Attribute: validating rows for each training row.
const SPLIT_RATIO: &str = "split_ratio";

impl TrialRecord {
    /// The value of each split it was evaluated on and the validating rows for each training row, as far as the evaluation
    /// kept them in the attributes `split_values` and `split_ratio`.
    pub fn splits(&self) -> Option<(Vec<f64>, Option<f64>)> {
        let values = self.attributes.get(SPLIT_VALUES)?.as_array()?;
        let ratio = self.attributes.get(SPLIT_RATIO).and_then(serde_json::Value::as_f64);
        Some((values.iter().map(serde_json::Value::as_f64).collect::<Option<_>>()?, ratio))
    }

    /// Does a worker have it, alive or not?
    pub fn is_held(&self) -> bool {
        matches!(self.state, TrialState::Running | TrialState::Stale)
    }

    /// Nobody has it any more.
    pub(super) fn let_go(&mut self) {
        (self.lease, self.hold, self.promised) = (None, None, None);
    }

    pub(super) fn close(&mut self, outcome: Outcome, direction: Direction) {
        self.loss = outcome.loss();
        self.value = self.loss.map(|loss| direction.flip(loss));
        self.cost = outcome.cost();
        (self.state, self.reason) = match outcome {
            Outcome::Complete { .. } => (TrialState::Complete, None),
            Outcome::Failed { reason, .. } => (TrialState::Failed, Some(reason)),
            Outcome::Abandoned { reason } => (TrialState::Abandoned, Some(reason)),
        };
    }
}
