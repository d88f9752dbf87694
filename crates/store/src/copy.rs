//! A copy that is known to be whole: read, written, read again and compared, event by event.
//!
//! A study is copied as it is at one moment, also while others write to it. Leases are copied as
//! they were given, without the signs of life since: whoever goes on with a copy finds trials stale
//! that are running elsewhere.
#![allow(clippy::disallowed_methods, reason = "files are made here")]
use crate::error::StoreError;
use crate::open::file_of;
use crate::sqlite::SqliteStore;
use crate::store::{NewStudy, Store, Stored, StudyRecord};
use std::ffi::OsStr;
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What was copied of one study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopiedStudy {
    /// Its name.
    pub name: String,
    /// How many events it has.
    pub events: usize,
}

/// Copies all studies of the file behind an address, or the one named, into a new file. The new
/// file appears when it is whole; one that is there already is never touched.
pub fn copy(from: impl AsRef<OsStr>, to: &Path, study: Option<&str>) -> Result<Vec<CopiedStudy>, StoreError> {
    let source = SqliteStore::open_read_only(file_of(from)?)?;
    let records = chosen(&source, study)?;
    let unusable =
        |error: std::io::Error| StoreError::Unusable { place: to.into(), problem: error.to_string() };
    // The name is taken first, so that nobody else can take it meanwhile.
    File::create_new(to).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => StoreError::Unusable {
            place: to.into(),
            problem: "it exists already; give the name of a new file".to_owned(),
        },
        _ => unusable(error),
    })?;
    let draft = draft(to);
    let copied = File::create_new(&draft).map_err(unusable).and_then(|_| filled(&source, &draft, &records));
    let done = copied.and_then(|copied| {
        std::fs::rename(&draft, to).map_err(unusable)?;
        Ok(copied)
    });
    if done.is_err() {
        for made in [&draft, to] {
            std::fs::remove_file(made).ok();
        }
    }
    done
}

/// Copies one study into another store, all or nothing.
pub fn copy_study(from: &dyn Store, name: &str, to: &dyn Store) -> Result<CopiedStudy, StoreError> {
    let record = from.study(name)?.ok_or_else(|| unknown(from, name))?;
    let events = from.events(record.id, 0)?;
    let options = record.options.clone()?;
    let new = NewStudy { name, space: &record.space, options: &options, at: record.created_at };
    to.restore(&new, &events)?;
    expect_same(to, &record, &events)?;
    Ok(CopiedStudy { name: name.to_owned(), events: events.len() })
}

fn unknown(store: &dyn Store, name: &str) -> StoreError {
    let known = store.studies().unwrap_or_default().into_iter().map(|record| record.name).collect();
    StoreError::NoStudy { name: name.to_owned(), known }
}

fn chosen(source: &SqliteStore, study: Option<&str>) -> Result<Vec<String>, StoreError> {
    match study {
        None => Ok(source.studies()?.into_iter().map(|record| record.name).collect()),
        Some(name) if source.study(name)?.is_none() => Err(unknown(source, name)),
        Some(name) => Ok(vec![name.to_owned()]),
    }
}

/// A name beside the new file for what is not whole yet.
fn draft(to: &Path) -> PathBuf {
    let mut name = to.to_owned().into_os_string();
    name.push("-copying");
    name.into()
}

fn filled(source: &SqliteStore, draft: &Path, names: &[String]) -> Result<Vec<CopiedStudy>, StoreError> {
    let target = SqliteStore::open(draft)?;
    names.iter().map(|name| copy_study(source, name, &target)).collect()
}

/// Reads the copy and compares.
fn expect_same(copy: &dyn Store, record: &StudyRecord, events: &[Stored]) -> Result<(), StoreError> {
    let bad = |sequence, problem: &str| StoreError::BadEvent {
        study: record.name.clone(),
        sequence,
        problem: problem.to_owned(),
    };
    let Some(copied) = copy.study(&record.name)? else { return Err(bad(0, "the copy cannot be found")) };
    let is_same = copied.space == record.space && copied.options == record.options;
    if !is_same || copied.created_at != record.created_at {
        return Err(bad(0, "the copy has other settings"));
    }
    let read = copy.events(copied.id, 0)?;
    let as_text = |stored: &Stored| serde_json::to_string(&stored.event).ok();
    let differs = |(read, written): (&Stored, &Stored)| {
        (read.sequence, read.at, as_text(read)) != (written.sequence, written.at, as_text(written))
    };
    match read.iter().zip(events).position(differs) {
        Some(at) => Err(bad(events[at].sequence, "the copy differs")),
        None if read.len() != events.len() => Err(bad(read.len() as u64, "the copy ends here")),
        None => Ok(()),
    }
}
