//! What must survive a crash? Studies as events, in memory and in SQLite, shared by threads and processes.
//!
//! ```
//! use arbora_search::{Report, StudyOptions};
//! use arbora_space::{Param, Space};
//! use arbora_store::{Claim, DurableStudy, Telling, open};
//! let store = open(":memory:")?; // or a path: "study.db"
//! let space = Space::new([Param::real("x", -1.0, 1.0)])?;
//! let mut study = DurableStudy::load_or_create(store, "bowl", space, StudyOptions::default())?;
//! let trial = study.ask(&Claim::by("worker-1"))?; // written down before it is handed out
//! let x = study.space().value(&trial.configuration, "x").and_then(|v| v.as_f64()).unwrap();
//! study.tell(trial.number, Telling::from(Report::Value(x * x)))?; // safe once this returns
//! assert_eq!(study.best().and_then(|best| best.value), Some(x * x));
//! # Ok::<(), arbora_store::StoreError>(())
//! ```
//!
//! An *event* is a fact: asked, told, failed. A *store* keeps the events of many studies and appends a new one only
//! if its *requirement* holds at that very moment; this alone makes sharing safe. A *durable study* is a search study
//! bound to a store. A *lease* is a worker's promise to give signs of life; a trial whose worker fell silent is *stale*,
//! which is not the same as failed: it can be handed out again. A trial that nobody holds is *waiting*.
mod clock;
mod durable;
mod error;
mod event;
#[cfg(feature = "sqlite")]
mod examine;
mod hold;
mod life;
mod memory;
mod open;
mod patience;
#[cfg(feature = "sqlite")]
mod salvage;
#[cfg(feature = "sqlite")]
mod sqlite;
mod stage;
mod store;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod turn;

pub use clock::{Clock, ManualClock, SystemClock, Timestamp};
pub use durable::{Claim, DurableStudy, Heart, Origin, StalePolicy, Telling, TrialRecord, TrialState};
pub use error::StoreError;
pub use event::{Attributes, Details, Event, Named};
#[cfg(feature = "sqlite")]
pub use examine::{Examination, ExaminedStudy, examine};
pub use hold::Hold;
pub use life::{Fate, Process, host};
pub use memory::MemoryStore;
pub use open::open;
pub use patience::Patience;
#[cfg(feature = "sqlite")]
pub use salvage::{SalvagedStudy, salvage};
#[cfg(feature = "sqlite")]
pub use sqlite::{SqliteStore, after_fork, before_fork};
pub use store::{Appended, Batch, Lease, NewStudy, Requirement, Store, Stored, StudyId, StudyRecord};
pub use turn::Turn;
