//! The trait of a store.
//!
//! Laws, run on every implementation by [`testing`](crate::testing):
//! - events come back as they were appended, in order, numbered 1, 2, 3, … within their study;
//! - a batch is appended as a whole or not at all, and not at all if its precondition does not hold
//!   *at that moment*;
//! - a trial number is given once, and a trial ends once, whoever tries otherwise;
//! - a lease comes with the event that hands a trial out and goes with the one that ends or
//!   releases it;
//! - every heartbeat moves a lease on, and a trial is taken from its worker only under the lease
//!   that was looked at;
//! - every kind of event says itself whether it invalidates suggestions, and a store asks it;
//! - what is accepted can be read again; what could not be is refused, and named;
//! - a study is restored with all its events or not at all;
//! - studies do not see each other; one that was deleted is gone, and its handle says so.
use crate::clock::Timestamp;
use crate::error::StoreError;
use crate::event::Event;
use crate::suggest_lock::SuggestLock;
use arbora_search::StudyOptions;

/// The id of a study in its store. It stays when the study is renamed, and is never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StudyId(pub i64);

/// A study to create.
#[derive(Clone, Debug)]
pub struct NewStudy<'a> {
    /// Its name, not taken yet.
    pub name: &'a str,
    /// The space, as [`Space::to_json`](arbora_space::Space::to_json) writes it.
    pub space: &'a str,
    /// The settings.
    pub options: &'a StudyOptions,
    /// When.
    pub at: Timestamp,
}

/// What a store knows about a study without reading its events.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyRecord {
    /// Which.
    pub id: StudyId,
    /// Its name.
    pub name: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// The space it began with, as JSON.
    pub space: String,
    /// Its settings, or why they cannot be read: written by a later version, or damaged.
    pub options: Result<StudyOptions, StoreError>,
    /// How many events there are, which is the number of the last.
    pub events: u64,
}

/// An event with its number and time.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    /// Counts from one, without gaps, within the study.
    pub sequence: u64,
    /// When it was written, by the writer's clock.
    pub at: Timestamp,
    /// What happened.
    pub event: Event,
}

/// What must hold when a batch is appended; otherwise nothing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precondition<'a> {
    /// Nothing.
    Always,
    /// No trial was added and the space did not change after this event.
    NothingInvalidatedSince(u64),
    /// This trial exists and did not end.
    StillOpen(u64),
    /// This trial waits for a worker.
    Waiting(u64),
    /// This trial is held under exactly this lease: nobody else has it, and no heartbeat came
    /// meanwhile.
    Silent(&'a Lease),
}

/// Events to be appended together.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// When.
    pub at: Timestamp,
    /// In order.
    pub events: &'a [Event],
    /// Checked in the same transaction.
    pub precondition: Precondition<'a>,
}

/// What became of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Appended {
    /// It is safe; the last of its events has this number.
    UpTo(u64),
    /// The precondition did not hold, or a trial number was already used: read what is new and
    /// decide again.
    Refused,
}

/// Who has a trial, and until when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The trial.
    pub trial: u64,
    /// Who has it.
    pub worker: String,
    /// Until when, by a clock of the worker that never jumps. Every heartbeat moves it on; that is
    /// all that others read from it.
    pub until: Timestamp,
}

/// Keeps the events of many studies: in memory, in a file, on a server.
pub trait Store: Send + Sync {
    /// All studies, in the order of creation.
    fn studies(&self) -> Result<Vec<StudyRecord>, StoreError>;

    /// Creates a study; its name must be free.
    fn create(&self, new: &NewStudy<'_>) -> Result<StudyId, StoreError>;

    /// Creates a study with all its events, each at its own time: everything or nothing.
    fn restore(&self, new: &NewStudy<'_>, events: &[Stored]) -> Result<StudyId, StoreError>;

    /// The study of a name, if there is one.
    fn study(&self, name: &str) -> Result<Option<StudyRecord>, StoreError>;

    /// Gives a study another name, which must be free.
    fn rename(&self, study: StudyId, name: &str) -> Result<(), StoreError>;

    /// Removes a study with everything in it.
    fn delete(&self, study: StudyId) -> Result<(), StoreError>;

    /// The events after a number, in order.
    fn events(&self, study: StudyId, after: u64) -> Result<Vec<Stored>, StoreError>;

    /// Appends a batch if its precondition holds. On return it is as safe as the store can make it.
    fn append(&self, study: StudyId, batch: Batch<'_>) -> Result<Appended, StoreError>;

    /// Who has what, by trial.
    fn leases(&self, study: StudyId) -> Result<Vec<Lease>, StoreError>;

    /// Prolongs the lease of a worker, by a millisecond at least; false if the worker does not hold
    /// the trial any more.
    fn renew(&self, study: StudyId, lease: &Lease) -> Result<bool, StoreError>;

    /// Waits until nobody else suggests for this study. Nobody relies on it: it saves computing
    /// suggestions that [`Precondition::NothingInvalidatedSince`] would refuse.
    fn suggest_lock(&self, study: StudyId) -> Result<SuggestLock, StoreError> {
        let _ = study;
        Ok(SuggestLock::none())
    }

    /// Closes its files until the next call.
    fn close_files(&self) {}
}

/// Why a study cannot be restored.
pub(crate) fn out_of_place(study: &str, sequence: u64) -> StoreError {
    let problem = "it cannot follow those before it".to_owned();
    StoreError::BadEvent { study: study.to_owned(), sequence, problem }
}

/// A name must be something people can type and read: not empty, no control characters, no spaces
/// at its ends.
pub(crate) fn check_name(name: &str) -> Result<(), StoreError> {
    let problem = if name.is_empty() {
        "it is empty"
    } else if name.trim() != name {
        "it begins or ends with a space"
    } else if name.chars().any(char::is_control) {
        "it holds control characters"
    } else {
        return Ok(());
    };
    Err(StoreError::BadName { name: name.to_owned(), problem })
}
