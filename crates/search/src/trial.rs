//! One evaluation: asked for, then told.
use crate::curve::Curve;
use crate::memo::Memo;
use arbora_space::Configuration;
use serde::{Deserialize, Serialize};

/// How an evaluation ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// With a loss; smaller is better, whatever the direction of the study.
    Complete {
        /// Finite.
        loss: f64,
        /// Time, money, energy: whatever evaluating cost.
        cost: Option<f64>,
    },
    /// Without one: a crash, a time-out, a loss that is not a number.
    Failed {
        /// In words.
        reason: String,
        /// Whatever it cost all the same.
        cost: Option<f64>,
    },
    /// Stopped early, because of its curve so far. It has no loss: the last value of a curve is not where it would have
    /// ended. What it teaches is [`History::observed`](crate::History::observed)'s to say.
    Pruned {
        /// In words.
        reason: String,
        /// Whatever it cost until then.
        cost: Option<f64>,
    },
    /// Given up from outside: the worker died, the user lost interest. It says nothing about the configuration, which
    /// may be proposed again.
    Abandoned {
        /// In words.
        reason: String,
    },
}

impl Outcome {
    /// The loss, if there is one.
    pub fn loss(&self) -> Option<f64> {
        match self {
            Outcome::Complete { loss, .. } => Some(*loss),
            Outcome::Failed { .. } | Outcome::Pruned { .. } | Outcome::Abandoned { .. } => None,
        }
    }

    /// Why it has no loss, in words.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Outcome::Complete { .. } => None,
            Outcome::Failed { reason, .. }
            | Outcome::Pruned { reason, .. }
            | Outcome::Abandoned { reason } => Some(reason),
        }
    }

    /// The cost, if it was told.
    pub fn cost(&self) -> Option<f64> {
        match self {
            Outcome::Complete { cost, .. } | Outcome::Failed { cost, .. } | Outcome::Pruned { cost, .. } => {
                *cost
            }
            Outcome::Abandoned { .. } => None,
        }
    }

    /// Does it say nothing about the configuration?
    pub fn is_abandoned(&self) -> bool {
        matches!(self, Outcome::Abandoned { .. })
    }

    /// Was it stopped early?
    pub fn is_pruned(&self) -> bool {
        matches!(self, Outcome::Pruned { .. })
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Outcome::Complete { loss, .. } => write!(f, "loss {loss}"),
            Outcome::Failed { reason, .. } => write!(f, "failed: {reason}"),
            Outcome::Pruned { reason, .. } => write!(f, "pruned: {reason}"),
            Outcome::Abandoned { reason } => write!(f, "abandoned: {reason}"),
        }
    }
}

/// How much of an evaluation a trial does. Losses of different efforts are not the same quantity: only full ones
/// compete for the incumbent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    /// All of it.
    #[default]
    Full,
    /// This share of the training data, epochs or time, in (0, 1).
    Share(f64),
    /// One fold of a cross-validation, counting from zero.
    Fold(u32),
}

impl Effort {
    /// All of it?
    pub fn is_full(&self) -> bool {
        matches!(self, Effort::Full)
    }

    /// The share of an evaluation, 1 unless less is wanted.
    pub fn share(self) -> f64 {
        match self {
            Effort::Share(share) => share,
            Effort::Full | Effort::Fold(_) => 1.0,
        }
    }

    /// The one fold that is wanted, if only one is.
    pub fn fold(self) -> Option<u32> {
        match self {
            Effort::Fold(fold) => Some(fold),
            Effort::Full | Effort::Share(_) => None,
        }
    }
}

/// One evaluation.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Counting from zero, in the order of asking.
    pub number: u64,
    /// What is tried.
    pub configuration: Configuration,
    /// How much of an evaluation it does.
    pub effort: Effort,
    /// How it ended; `None` while it is pending.
    pub outcome: Option<Outcome>,
    /// What the strategy wants to remember.
    pub memo: Memo,
    /// What was reported on the way.
    pub curve: Curve,
}

impl Trial {
    /// One that is pending and has reported nothing.
    pub fn asked(number: u64, configuration: Configuration, effort: Effort, memo: Memo) -> Self {
        Self { number, configuration, effort, outcome: None, memo, curve: Curve::default() }
    }

    /// The loss, if it is known.
    pub fn loss(&self) -> Option<f64> {
        self.outcome.as_ref().and_then(Outcome::loss)
    }

    /// Asked for and not told.
    pub fn is_pending(&self) -> bool {
        self.outcome.is_none()
    }

    /// Stopped early.
    pub fn is_pruned(&self) -> bool {
        self.outcome.as_ref().is_some_and(Outcome::is_pruned)
    }
}
