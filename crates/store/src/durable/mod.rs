//! A study bound to a store: what it answers is written down first.
//!
//! What is known is a function of the events, so a study that was stopped goes on as if it had not been, and one that
//! is open several times, in threads or processes, is one study: each handle takes in what the others wrote whenever
//! it asks, and [`DurableStudy::sync`] does so at any time.
mod agreement;
mod ask;
mod claim;
mod heart;
mod record;
mod refusal;
mod state;
mod study;
mod tell;
mod watch;

pub use claim::{Claim, StalePolicy, Telling};
pub use heart::Heart;
pub use record::{Origin, TrialMeta, TrialRecord, TrialState};
pub use study::DurableStudy;

#[cfg(feature = "sqlite")]
pub(crate) use state::StudyState;
