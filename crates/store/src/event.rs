//! Events: facts about a study, appended and never changed.
//!
//! Whatever a study is can be read off its events in order; everything else is derived.
//! Configurations are written by name, active parameters only, with numbers that read back to the
//! last bit. Losses are losses: the direction of the study has been taken care of before.
mod stored;

use crate::clock::Timestamp;
use crate::lease::LeaseTerms;
use arbora_search::{Effort, Memo, Outcome};
use arbora_space::{Named, SpaceSpec};
use serde::{Deserialize, Serialize};

/// What users keep with a trial or a study: any JSON by name.
pub type Attributes = serde_json::Map<String, serde_json::Value>;

/// One fact. As JSON it is an object whose first field is its [`kind`](Event::kind).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", remote = "Self")]
pub enum Event {
    /// A configuration was suggested and handed to a worker.
    Asked {
        /// Its number, the next one.
        trial: u64,
        /// What is to be tried.
        configuration: Named,
        /// How much of an evaluation is wanted.
        #[serde(default, skip_serializing_if = "Effort::is_full")]
        effort: Effort,
        /// What the strategy wants to remember.
        #[serde(default, skip_serializing_if = "Memo::is_empty")]
        memo: Memo,
        /// The last event the suggestion knew of: with those before it, it can be computed again.
        seen: u64,
        /// Who has it.
        worker: String,
        /// Until when, if the worker promised signs of life, by its own clock.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lease: Option<Timestamp>,
        /// On what terms; absent in studies of earlier versions.
        #[serde(default, rename = "hold", skip_serializing_if = "Option::is_none")]
        terms: Option<LeaseTerms>,
    },
    /// The user wants this tried: a trial that waits for a worker.
    Queued {
        /// Its number, the next one.
        trial: u64,
        /// What is to be tried.
        configuration: Named,
    },
    /// A result that was known already.
    Added {
        /// Its number, the next one.
        trial: u64,
        /// What was tried.
        configuration: Named,
        /// How it ended.
        outcome: Outcome,
        /// The rest of what is known.
        #[serde(flatten)]
        details: Details,
    },
    /// A trial that waited, or whose worker fell silent, was handed out.
    Claimed {
        /// The trial.
        trial: u64,
        /// Who has it.
        worker: String,
        /// Until when, if the worker promised signs of life, by its own clock.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lease: Option<Timestamp>,
        /// On what terms; absent in studies of earlier versions.
        #[serde(default, rename = "hold", skip_serializing_if = "Option::is_none")]
        terms: Option<LeaseTerms>,
    },
    /// A trial ended. Stored as `told`, `failed`, `pruned` or `abandoned`, by its outcome.
    #[serde(skip)]
    Ended {
        /// The trial.
        trial: u64,
        /// How it ended.
        outcome: Outcome,
        /// The rest of what is known.
        details: Details,
    },
    /// A trial went back to waiting.
    Released {
        /// The trial.
        trial: u64,
    },
    /// Attributes of a trial, or of the study; later ones replace earlier ones of the same name.
    Noted {
        /// The trial; the study if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        trial: Option<u64>,
        /// By name.
        attributes: Attributes,
    },
    /// An intermediate value of a running trial, as the objective gave it.
    Reported {
        /// The trial.
        trial: u64,
        /// How far it was.
        step: u64,
        /// What it was there; any double.
        #[serde(with = "any_double")]
        value: f64,
    },
    /// An open trial turned out to try something else than suggested, in a space revised for it.
    Amended {
        /// The trial.
        trial: u64,
        /// What is really tried.
        configuration: Named,
        /// The revised space.
        space: SpaceSpec,
    },
    /// From here on the study searches another space.
    SpaceChanged {
        /// The new space.
        space: SpaceSpec,
    },
}

/// What is known of an ended trial besides its outcome.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Details {
    /// How long it took, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<f64>,
    /// Where it failed: a traceback or the last lines of a log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
    /// Attributes told with it.
    #[serde(default, skip_serializing_if = "Attributes::is_empty")]
    pub attributes: Attributes,
}

impl Event {
    /// The trial it is about, if any.
    pub fn trial(&self) -> Option<u64> {
        match self {
            Event::Asked { trial, .. }
            | Event::Queued { trial, .. }
            | Event::Added { trial, .. }
            | Event::Claimed { trial, .. }
            | Event::Ended { trial, .. }
            | Event::Released { trial }
            | Event::Reported { trial, .. }
            | Event::Amended { trial, .. } => Some(*trial),
            Event::Noted { trial, .. } => *trial,
            Event::SpaceChanged { .. } => None,
        }
    }

    /// The kind, as it is written.
    pub fn kind(&self) -> &'static str {
        match self {
            Event::Asked { .. } => "asked",
            Event::Queued { .. } => "queued",
            Event::Added { .. } => "added",
            Event::Claimed { .. } => "claimed",
            Event::Ended { outcome: Outcome::Complete { .. }, .. } => "told",
            Event::Ended { outcome: Outcome::Failed { .. }, .. } => "failed",
            Event::Ended { outcome: Outcome::Pruned { .. }, .. } => "pruned",
            Event::Ended { outcome: Outcome::Abandoned { .. }, .. } => "abandoned",
            Event::Released { .. } => "released",
            Event::Noted { .. } => "noted",
            Event::Reported { .. } => "reported",
            Event::Amended { .. } => "amended",
            Event::SpaceChanged { .. } => "space_changed",
        }
    }

    /// Does it add a trial?
    pub fn adds_trial(&self) -> bool {
        matches!(self, Event::Asked { .. } | Event::Queued { .. } | Event::Added { .. })
    }

    /// The kinds of events that change the space, as stored.
    pub const SPACE_CHANGES: [&'static str; 2] = ["space_changed", "amended"];

    /// Does it change the space?
    pub fn changes_space(&self) -> bool {
        Self::SPACE_CHANGES.contains(&self.kind())
    }

    /// Does it make suggestions invalid that were computed without it: by a new trial number or
    /// another space?
    pub fn invalidates_suggestions(&self) -> bool {
        self.adds_trial() || self.changes_space()
    }

    /// Does it say who has the trial from here on, or that nobody has?
    pub fn changes_holder(&self) -> bool {
        self.holder().is_some() || self.is_end() || matches!(self, Event::Released { .. })
    }

    /// Does it end a trial?
    pub fn is_end(&self) -> bool {
        matches!(self, Event::Added { .. } | Event::Ended { .. })
    }

    /// Who has the trial from here on, and until when, if this event says so.
    pub fn holder(&self) -> Option<(&str, Option<Timestamp>)> {
        match self {
            Event::Asked { worker, lease, .. } | Event::Claimed { worker, lease, .. } => {
                Some((worker, *lease))
            }
            _ => None,
        }
    }
}

/// Doubles that may be infinite or not a number, which JSON cannot write: those become text.
mod any_double {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        Number(f64),
        Text(String),
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
    pub(super) fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        if value.is_finite() {
            serializer.serialize_f64(*value)
        } else {
            serializer.serialize_str(&value.to_string())
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        match Written::deserialize(deserializer)? {
            Written::Number(number) => Ok(number),
            Written::Text(text) => {
                text.parse().map_err(|_| D::Error::custom(format!("`{text}` is no number")))
            }
        }
    }
}

#[cfg(test)]
mod tests;
