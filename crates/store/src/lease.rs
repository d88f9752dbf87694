//! On what terms a worker has a trial.
use crate::process::{Liveness, Process};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::time::Duration;

/// The terms, written down when a trial is handed out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeaseTerms {
    /// The longest silence of a living worker.
    #[serde(with = "milliseconds")]
    pub lease: Duration,
    /// The machine.
    #[serde(default)]
    pub host: String,
    /// One boot of that machine, where that can be told: its clock that never goes back is that of
    /// all its processes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// When it was handed out, by that clock.
    #[serde(default, with = "milliseconds")]
    pub since: Duration,
    /// The process that lives as long as the work does, if there is one: once it has ended, the
    /// trial is free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process: Option<Process>,
}

impl LeaseTerms {
    /// Is the worker part of the process that asks?
    pub fn is_ours(&self) -> bool {
        self.process.as_ref().is_some_and(Process::is_this)
    }

    /// Is the worker's process alive?
    pub fn liveness(&self) -> Liveness {
        self.process.as_ref().map_or(Liveness::Unknown, |process| process.liveness(self.place.as_deref()))
    }
}

impl fmt::Display for LeaseTerms {
    /// Where the worker is, as people look for it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.process, self.host.as_str()) {
            (Some(process), host) => write!(f, "host {host}, pid {}", process.pid),
            (None, "") => f.write_str("an unknown host"),
            (None, host) => write!(f, "host {host}"),
        }
    }
}

mod milliseconds {
    use super::{Deserialize, Deserializer, Duration, Serializer};

    pub(super) fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_millis)
    }
}
