//! What must survive a crash? Studies as events, in memory and in SQLite, shared by threads and
//! processes.
//!
//! ```
//! use arbora_search::{Report, StudyOptions};
//! use arbora_space::{Param, Space};
//! use arbora_store::{AskRequest, DurableStudy, TrialResult, open};
//! let store = open(":memory:")?; // or a path: "study.db"
//! let space = Space::new([Param::real("x", -1.0, 1.0)])?;
//! let mut study = DurableStudy::load_or_create(store, "bowl", space, StudyOptions::default())?;
//! let trial = study.ask(&AskRequest::by("worker-1"))?; // written down before it is handed out
//! let x = study.space().value(trial.configuration(), "x").and_then(|v| v.as_f64()).unwrap();
//! study.tell(trial.number(), TrialResult::from(Report::Value(x * x)))?; // safe once this returns
//! assert_eq!(study.best().and_then(|best| best.value()), Some(x * x));
//! # Ok::<(), arbora_store::StoreError>(())
//! ```
//!
//! An *event* is a fact: asked, claimed, ended. A *store* keeps the events of many studies and
//! appends a new one only if its *precondition* holds at that very moment; this alone makes sharing
//! safe. A *durable study* is a search study bound to a store. A *lease* is a worker's promise to
//! give signs of life; a trial whose worker fell silent is *stale*, which is not the same as
//! failed: it can be handed out again. A trial that nobody holds is *waiting*.
//!
//! # What is noticed about a file
//!
//! Every event has a checksum that includes the one before, and the file says where they end. So an
//! event that was changed, is missing or in another's place is an error that names the study and
//! the event, wherever it lies; so are changed settings, a changed space, and trials that the
//! events do not know of. A file that is copied or moved without its log (`-wal`) says so. A log
//! that was damaged or cut is noticed as long as its index (`-shm`) is beside it, and otherwise
//! unless the damage is in its last two transactions. A file that is deleted, moved or replaced
//! while it is open is noticed before the next result is acknowledged.
//!
//! Not noticed: a whole file put back to an earlier state, such as an old backup; a log without its
//! index that was cut between two transactions; changes by somebody who also computed the
//! checksums.
//!
//! [`check_file`] looks at all of it, [`recover_file`] saves what can be trusted, [`copy`] makes a
//! copy that is known to be whole.
#[cfg(feature = "sqlite")]
mod check;
mod clock;
#[cfg(feature = "sqlite")]
mod copy;
mod durable;
mod error;
mod event;
mod lease;
mod memory;
mod open;
mod place;
mod process;
#[cfg(feature = "sqlite")]
mod recover;
#[cfg(feature = "sqlite")]
mod sqlite;
mod stage;
mod store;
mod suggest_lock;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod verify;
mod wait;

pub use arbora_space::Named;
#[cfg(feature = "sqlite")]
pub use check::{CheckedStudy, FileReport, check_file};
pub use clock::{Clock, ManualClock, SystemClock, Timestamp};
#[cfg(feature = "sqlite")]
pub use copy::{CopiedStudy, copy, copy_study};
pub use durable::{
    AskRequest, DurableStudy, Heartbeat, Origin, StalePolicy, TrialMeta, TrialRecord, TrialResult, TrialState,
};
pub use error::StoreError;
pub use event::{Attributes, Details, Event};
pub use lease::LeaseTerms;
pub use memory::MemoryStore;
pub use open::{file_of, open, open_to_read};
pub use place::Place;
pub use process::{Liveness, Process, host};
#[cfg(feature = "sqlite")]
pub use recover::{RecoveredStudy, recover_file};
#[cfg(feature = "sqlite")]
pub use sqlite::{SqliteStore, after_fork, before_fork};
pub use store::{Appended, Batch, Lease, NewStudy, Precondition, Store, Stored, StudyId, StudyRecord};
pub use suggest_lock::SuggestLock;
pub use wait::WaitHooks;
