//! Studies in one file, by SQLite: a log of events that many processes share.
//!
//! Every write is one short transaction that takes the write lock at its start, checks what it requires, appends and
//! commits; it is on the disk when the call returns. Readers never wait for writers. Nobody sees "database is
//! locked": see `trouble`. On a network file system readers and writers do wait for each other: see `place`.
mod connection;
mod fork;
mod place;
mod read;
mod rescue;
mod schema;
mod trouble;
mod write;

use crate::error::StoreError;
use crate::store::{Appended, Batch, Lease, NewStudy, Store, Stored, StudyId, StudyRecord};
use crate::turn::Turn;
use connection::{Access, connect};
use fork::{Slot, SlotTrouble};
use place::Journal;
use rusqlite::{Connection, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use trouble::{Trouble, patiently};

pub use fork::{after_fork, before_fork};
pub(crate) use rescue::{Found, rescue};

/// A file of studies.
pub struct SqliteStore {
    path: PathBuf,
    access: Access,
    slot: Arc<Slot>,
}

impl SqliteStore {
    /// Opens a file, creating it if it is not there; its folder must be.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, StoreError> {
        let path = path.into();
        let journal = Journal::at(&path);
        Self::with_access(path, Access::Write(journal))
    }

    /// As [`open`](Self::open), for a network file system that it would take for a local one.
    pub fn open_on_network(path: impl Into<PathBuf>) -> Result<Self, StoreError> {
        Self::with_access(path.into(), Access::Write(Journal::Rollback))
    }

    /// Opens a file that is there, to read only: for reports beside a running study.
    pub fn open_read_only(path: impl Into<PathBuf>) -> Result<Self, StoreError> {
        Self::with_access(path.into(), Access::Read)
    }

    fn with_access(path: PathBuf, access: Access) -> Result<Self, StoreError> {
        let store = Self { path, access, slot: Slot::new() };
        store.with_connection(|_| Ok(()))?;
        Ok(store)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn with_connection<T>(
        &self,
        mut work: impl FnMut(&mut Connection) -> Result<T, Trouble>,
    ) -> Result<T, StoreError> {
        patiently(&self.path, || {
            let connect = || connect(&self.path, self.access);
            self.slot.work(connect, &mut work).map_err(|trouble| match trouble {
                SlotTrouble::Forked => Trouble::Said(StoreError::Forked { path: self.path.clone() }),
                SlotTrouble::Other(trouble) => trouble,
            })
        })
    }

    fn reading<T>(&self, work: impl Fn(&Connection) -> Result<T, Trouble>) -> Result<T, StoreError> {
        self.with_connection(|connection| work(connection))
    }

    /// A transaction that commits what `work` did if `is_done` with it.
    fn writing<T>(
        &self,
        work: impl Fn(&Connection) -> Result<T, Trouble>,
        is_done: impl Fn(&T) -> bool,
    ) -> Result<T, StoreError> {
        if self.access == Access::Read {
            let problem = "it was opened for reading".to_owned();
            return Err(StoreError::ReadOnly { path: self.path.clone(), problem });
        }
        self.with_connection(|connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let result = work(&transaction)?;
            if is_done(&result) {
                transaction.commit()?;
            }
            Ok(result)
        })
    }

    /// A whole study at once, with every event at its own time.
    pub(crate) fn restore(&self, new: &NewStudy<'_>, events: &[Stored]) -> Result<(), StoreError> {
        let write = |connection: &Connection| {
            let study = write::create(connection, new)?;
            for stored in events {
                if !write::append_one(connection, study, stored.sequence, stored.at, &stored.event)? {
                    let problem = "it cannot follow those before it".to_owned();
                    let (study, sequence) = (new.name.to_owned(), stored.sequence);
                    return Err(Trouble::Said(StoreError::BadEvent { study, sequence, problem }));
                }
            }
            Ok(())
        };
        self.writing(write, |()| true)
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
        (size(&self.path), size(&self.beside("-wal")))
    }

    fn beside(&self, ending: &str) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(ending);
        name.into()
    }

    fn turn_file(&self, study: StudyId) -> PathBuf {
        self.beside(&format!("-turn-{}", study.0))
    }
}

impl Drop for SqliteStore {
    fn drop(&mut self) {
        self.rest();
    }
}

impl Store for SqliteStore {
    fn studies(&self) -> Result<Vec<StudyRecord>, StoreError> {
        self.reading(read::studies)
    }

    fn create(&self, new: &NewStudy<'_>) -> Result<StudyId, StoreError> {
        self.writing(|connection| write::create(connection, new), |_| true)
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

    fn turn(&self, study: StudyId) -> Result<Turn, StoreError> {
        match self.access {
            Access::Write(_) => Turn::wait_at_file(&self.turn_file(study)),
            Access::Read => Ok(Turn::free()),
        }
    }

    fn rest(&self) {
        self.slot.rest();
    }
}

#[cfg(test)]
mod tests;
