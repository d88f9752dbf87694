//! Studies in one file, by SQLite: a log of events that many processes share.
//!
//! Every write is one short transaction that takes the write lock at its start, checks what it
//! requires, appends and commits; it is on the disk when the call returns. Readers never wait for
//! writers. Nobody sees "database is locked": see `retry`. On a network file system readers and
//! writers do wait for each other: see `filesystem`.
mod audit;
mod checksum;
mod connection;
mod file;
mod filesystem;
mod fork;
mod guard;
mod head;
mod identity;
mod lock_file;
mod log;
mod presence;
mod read;
mod recover;
mod retry;
mod schema;
mod session;
mod sweep;
mod wal;
mod write;

use crate::error::StoreError;
use crate::store::{Appended, Batch, Lease, NewStudy, Store, Stored, StudyId, StudyRecord};
use crate::suggest_lock::SuggestLock;
use connection::{Access, Spot, connect};
use filesystem::JournalMode;
use fork::{Slot, SlotError};
use retry::{TransactionError, with_retry};
use rusqlite::Connection;
use session::Session;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use fork::{after_fork, before_fork};
pub(crate) use recover::{Found, read_damaged};

/// A file of studies.
pub struct SqliteStore {
    spot: Spot,
    access: Access,
    slot: Arc<Slot>,
}

impl SqliteStore {
    /// Opens a file, creating it if it is not there; its folder must be.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, StoreError> {
        let path = path.into();
        let journal = JournalMode::for_path(&path);
        Self::with_access(path, Access::Write(journal))
    }

    /// As [`open`](Self::open), for a network file system that it would take for a local one.
    pub fn open_on_network(path: impl Into<PathBuf>) -> Result<Self, StoreError> {
        Self::with_access(path.into(), Access::Write(JournalMode::Rollback))
    }

    /// Opens a file that is there, to read only: for reports beside a running study.
    pub fn open_read_only(path: impl Into<PathBuf>) -> Result<Self, StoreError> {
        Self::with_access(path.into(), Access::Read)
    }

    fn with_access(path: PathBuf, access: Access) -> Result<Self, StoreError> {
        let spot = Spot { absolute: file::absolute(&path)?, shown: path };
        let store = Self { spot, access, slot: Slot::new() };
        store.with_session(|_| Ok(()))?;
        Ok(store)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.spot.shown
    }

    fn with_session<T>(
        &self,
        mut work: impl FnMut(&mut Session) -> Result<T, TransactionError>,
    ) -> Result<T, StoreError> {
        with_retry(&self.spot.shown, || {
            let connect = || connect(&self.spot, self.access);
            self.slot.work(connect, &mut work).map_err(|trouble| match trouble {
                SlotError::Forked => {
                    TransactionError::Store(StoreError::Forked { place: self.spot.shown.as_path().into() })
                }
                SlotError::Other(trouble) => trouble,
            })
        })
    }

    fn reading<T>(&self, work: impl Fn(&Connection) -> Result<T, TransactionError>) -> Result<T, StoreError> {
        self.with_session(|session| session.read(&self.spot.shown, &work))
    }

    /// A transaction that commits what `work` did if `is_done` with it.
    fn writing<T>(
        &self,
        work: impl Fn(&Connection) -> Result<T, TransactionError>,
        is_done: impl Fn(&T) -> bool,
    ) -> Result<T, StoreError> {
        if self.access == Access::Read {
            let problem = "it was opened for reading".to_owned();
            return Err(StoreError::ReadOnly { place: self.spot.shown.as_path().into(), problem });
        }
        self.with_session(|session| session.write(&self.spot.shown, &work, &is_done))
    }

    /// The version of the tables.
    pub(crate) fn schema(&self) -> Result<i64, StoreError> {
        self.reading(|connection| Ok(schema::version(connection)?))
    }

    /// What SQLite finds wrong with the file, page by page; empty if all is well.
    pub(crate) fn damage(&self) -> Result<Vec<String>, StoreError> {
        self.reading(|connection| {
            let mut statement = connection.prepare("PRAGMA integrity_check(20)")?;
            let lines = statement.query_map([], |row| row.get::<_, String>(0))?;
            let lines = lines.collect::<rusqlite::Result<Vec<_>>>()?;
            Ok(lines.into_iter().filter(|line| line != "ok").collect())
        })
    }

    /// Bytes of the file and of the log beside it.
    pub(crate) fn sizes(&self) -> (u64, u64) {
        let size = |path: &Path| path.metadata().map_or(0, |found| found.len());
        (size(&self.spot.absolute), size(&file::beside(&self.spot.absolute, "-wal")))
    }

    fn lock_file(&self, study: StudyId) -> PathBuf {
        file::beside(&self.spot.absolute, &format!("-turn-{}", study.0))
    }
}

impl Drop for SqliteStore {
    fn drop(&mut self) {
        self.close_files();
    }
}

impl Store for SqliteStore {
    fn studies(&self) -> Result<Vec<StudyRecord>, StoreError> {
        self.reading(read::studies)
    }

    fn create(&self, new: &NewStudy<'_>) -> Result<StudyId, StoreError> {
        self.writing(|connection| write::create(connection, new), |_| true)
    }

    fn restore(&self, new: &NewStudy<'_>, events: &[Stored]) -> Result<StudyId, StoreError> {
        self.writing(|connection| write::restore(connection, new, events), |_| true)
    }

    fn study(&self, name: &str) -> Result<Option<StudyRecord>, StoreError> {
        self.reading(|connection| read::study(connection, name))
    }

    fn rename(&self, study: StudyId, name: &str) -> Result<(), StoreError> {
        self.writing(|connection| write::rename(connection, study, name), |()| true)
    }

    fn delete(&self, study: StudyId) -> Result<(), StoreError> {
        self.writing(|connection| write::delete(connection, study), |()| true)
    }

    fn events(&self, study: StudyId, after: u64) -> Result<Vec<Stored>, StoreError> {
        self.reading(|connection| read::events(connection, study, after))
    }

    fn append(&self, study: StudyId, batch: Batch<'_>) -> Result<Appended, StoreError> {
        self.writing(
            |connection| write::append(connection, study, batch),
            |appended| *appended != Appended::Refused,
        )
    }

    fn leases(&self, study: StudyId) -> Result<Vec<Lease>, StoreError> {
        self.reading(|connection| read::leases(connection, study))
    }

    fn renew(&self, study: StudyId, lease: &Lease) -> Result<bool, StoreError> {
        self.writing(|connection| write::renew(connection, study, lease), |renewed| *renewed)
    }

    fn suggest_lock(&self, study: StudyId) -> Result<SuggestLock, StoreError> {
        match self.access {
            Access::Write(_) => lock_file::wait(&self.lock_file(study)),
            Access::Read => Ok(SuggestLock::none()),
        }
    }

    fn close_files(&self) {
        self.slot.close_files();
    }
}

#[cfg(test)]
mod tests;
