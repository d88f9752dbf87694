//! A trial as users see it: the search's trial with all that was written down about it.
use crate::clock::Timestamp;
use crate::event::Attributes;
use crate::lease::LeaseTerms;
use crate::store::Lease;
use arbora_search::{Direction, Effort, Outcome, Trial};
use arbora_space::Configuration;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ops::Deref;
use std::time::Duration;

/// What is kept with a trial besides the search's own [`Trial`].
#[derive(Clone, Debug, PartialEq)]
pub struct TrialMeta {
    /// Where it came from.
    pub origin: Origin,
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
    pub terms: Option<LeaseTerms>,
    /// Those of workers that fell silent while they had it, earliest first.
    pub former: Vec<LeaseTerms>,
    /// The end of the lease as it was when the trial was handed out.
    pub(super) promised: Option<Timestamp>,
    /// Has its worker been silent for longer than it promised?
    pub(super) is_stale: bool,
    /// How often it was handed out.
    pub attempts: u32,
    /// Where it failed.
    pub trace: Option<String>,
    /// What users keep with it.
    pub attributes: Attributes,
    /// Step and value, in the order of reporting.
    pub intermediate: Vec<(u64, f64)>,
}

impl TrialMeta {
    /// Of a trial that waits for a worker.
    pub(super) fn new(origin: Origin, asked_at: Timestamp) -> Self {
        Self {
            origin,
            duration: None,
            asked_at,
            started_at: None,
            ended_at: None,
            worker: None,
            lease: None,
            terms: None,
            former: Vec::new(),
            promised: None,
            is_stale: false,
            attempts: 0,
            trace: None,
            attributes: Attributes::new(),
            intermediate: Vec::new(),
        }
    }

    /// Does a worker have it, alive or not?
    pub fn is_held(&self) -> bool {
        self.started_at.is_some() && self.ended_at.is_none()
    }

    /// Nobody has it any more.
    pub(super) fn let_go(&mut self) {
        (self.lease, self.terms, self.promised, self.is_stale) = (None, None, None, false);
    }
}

/// Everything known of a trial: a view of the search's trial and of what is kept with it.
///
/// ```
/// # use arbora_store::TrialRecord;
/// fn line(trial: &TrialRecord<'_>) -> String {
///     format!("{}: {} after {} attempts", trial.number(), trial.state(), trial.attempts)
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TrialRecord<'a> {
    trial: Cow<'a, Trial>,
    meta: Cow<'a, TrialMeta>,
    direction: Direction,
}

impl Deref for TrialRecord<'_> {
    type Target = TrialMeta;

    fn deref(&self) -> &TrialMeta {
        &self.meta
    }
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
    /// It was stopped early because of its intermediate values.
    Pruned,
    /// It was given up from outside.
    Abandoned,
}

impl TrialState {
    /// Every state, in the order of a trial's life.
    pub const ALL: [TrialState; 7] = [
        TrialState::Waiting,
        TrialState::Running,
        TrialState::Stale,
        TrialState::Complete,
        TrialState::Failed,
        TrialState::Pruned,
        TrialState::Abandoned,
    ];

    /// Over?
    pub fn is_ended(self) -> bool {
        matches!(self, TrialState::Complete | TrialState::Failed | TrialState::Pruned | TrialState::Abandoned)
    }

    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            TrialState::Waiting => "waiting",
            TrialState::Running => "running",
            TrialState::Stale => "stale",
            TrialState::Complete => "complete",
            TrialState::Failed => "failed",
            TrialState::Pruned => "pruned",
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

impl<'a> TrialRecord<'a> {
    pub(super) fn new(trial: &'a Trial, meta: &'a TrialMeta, direction: Direction) -> Self {
        Self { trial: Cow::Borrowed(trial), meta: Cow::Borrowed(meta), direction }
    }

    /// The same, apart from its study.
    pub fn into_owned(self) -> TrialRecord<'static> {
        TrialRecord {
            trial: Cow::Owned(self.trial.into_owned()),
            meta: Cow::Owned(self.meta.into_owned()),
            direction: self.direction,
        }
    }

    /// Counting from zero.
    pub fn number(&self) -> u64 {
        self.trial.number
    }

    /// What is tried, in the space of today.
    pub fn configuration(&self) -> &Configuration {
        &self.trial.configuration
    }

    /// How much of an evaluation it does.
    pub fn effort(&self) -> Effort {
        self.trial.effort
    }

    /// How it ended; `None` while it is open.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.trial.outcome.as_ref()
    }

    /// As of the last time the store was read.
    pub fn state(&self) -> TrialState {
        match self.outcome() {
            Some(Outcome::Complete { .. }) => TrialState::Complete,
            Some(Outcome::Failed { .. }) => TrialState::Failed,
            Some(Outcome::Pruned { .. }) => TrialState::Pruned,
            Some(Outcome::Abandoned { .. }) => TrialState::Abandoned,
            None if !self.meta.is_held() => TrialState::Waiting,
            None if self.meta.is_stale => TrialState::Stale,
            None => TrialState::Running,
        }
    }

    /// The loss; smaller is better.
    pub fn loss(&self) -> Option<f64> {
        self.trial.loss()
    }

    /// The objective's value, in the direction of the study.
    pub fn value(&self) -> Option<f64> {
        self.loss().map(|loss| self.direction.flip(loss))
    }

    /// Time, money, energy.
    pub fn cost(&self) -> Option<f64> {
        self.outcome().and_then(Outcome::cost)
    }

    /// Why it failed, was pruned or was abandoned.
    pub fn reason(&self) -> Option<&str> {
        self.outcome().and_then(Outcome::reason)
    }

    /// The value of each split it was evaluated on and the validating rows for each training row,
    /// as far as the evaluation kept them in the attributes `split_values` and `split_ratio`.
    pub fn splits(&self) -> Option<(Vec<f64>, Option<f64>)> {
        let values = self.attributes.get(SPLIT_VALUES)?.as_array()?;
        let ratio = self.attributes.get(SPLIT_RATIO).and_then(serde_json::Value::as_f64);
        Some((values.iter().map(serde_json::Value::as_f64).collect::<Option<_>>()?, ratio))
    }
}
