//! A study bound to a store: every answer is stored before it is given.
//!
//! What is known is a function of the events, so a study that was stopped goes on as if it had not
//! been, and one that is open several times, in threads or processes, is one study: each handle
//! takes in what the others wrote whenever it asks, and [`DurableStudy::sync`] does so at any time.
mod ask;
mod compatibility;
mod heartbeat;
mod record;
mod refusal;
mod request;
mod state;
mod study;
mod tell;
mod watch;

pub use heartbeat::Heartbeat;
pub use record::{Origin, TrialMeta, TrialRecord, TrialState};
pub use request::{AskRequest, StalePolicy, TrialResult};
pub use study::DurableStudy;

#[cfg(feature = "sqlite")]
pub(crate) use state::StudyState;
