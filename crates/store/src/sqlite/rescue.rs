//! Reading what is readable of a damaged file.
//!
//! Everything happens on a copy, in a folder of its own: not even the log of the damaged file is touched. A scan goes
//! as far as it can; behind a page that cannot be read it starts again further on, in steps that double, and from
//! there backwards to the other side of the gap. What only a damaged inner page leads to is lost.
#![allow(clippy::disallowed_methods, reason = "files are copied here")]
use super::read::RawEvent;
use super::schema::{APPLICATION, application};
use super::trouble::translated;
use crate::clock::Timestamp;
use crate::error::StoreError;
use crate::store::Stored;
use rusqlite::{Connection, params};
use std::path::{Path, PathBuf};

/// A study as far as it could be read.
pub(crate) struct Found {
    pub(crate) name: String,
    pub(crate) created_at: Timestamp,
    pub(crate) space: String,
    pub(crate) options: String,
    /// In order; numbers may be missing.
    pub(crate) events: Vec<Stored>,
}

/// All studies that can be read, in a copy of the file made inside `workshop`.
pub(crate) fn rescue(damaged: &Path, workshop: &Path) -> Result<Vec<Found>, StoreError> {
    let copy = copied(damaged, workshop)?;
    let trouble = |error: rusqlite::Error| translated(damaged, &error);
    let connection = Connection::open(&copy).map_err(trouble)?;
    // Without this SQLite refuses a file that is shorter than its first page says.
    connection.execute_batch("PRAGMA writable_schema = ON").map_err(trouble)?;
    if application(&connection).map_err(trouble)? != APPLICATION {
        let problem = "it is a database of another program".to_owned();
        return Err(StoreError::NotAStore { path: damaged.to_owned(), problem });
    }
    let mut studies = studies(&connection).map_err(trouble)?;
    for (id, found) in &mut studies {
        found.events = events(&connection, *id);
    }
    Ok(studies.into_iter().map(|(_, found)| found).collect())
}

/// The file and its log; the index of the log is made anew.
fn copied(damaged: &Path, workshop: &Path) -> Result<PathBuf, StoreError> {
    let unusable = |error: std::io::Error| StoreError::Unusable {
        path: damaged.to_owned(),
        problem: format!("it cannot be copied: {error}"),
    };
    let copy = workshop.join("copy.db");
    std::fs::copy(damaged, &copy).map_err(unusable)?;
    let mut log = damaged.to_owned().into_os_string();
    log.push("-wal");
    if Path::new(&log).exists() {
        std::fs::copy(&log, workshop.join("copy.db-wal")).map_err(unusable)?;
    }
    Ok(copy)
}

fn studies(connection: &Connection) -> rusqlite::Result<Vec<(i64, Found)>> {
    let mut statement =
        connection.prepare("SELECT id, name, created_at, space, options FROM studies ORDER BY id")?;
    let rows = statement.query_map([], |row| {
        let found = Found {
            name: row.get(1)?,
            created_at: Timestamp(row.get(2)?),
            space: row.get(3)?,
            options: row.get(4)?,
            events: Vec::new(),
        };
        Ok((row.get(0)?, found))
    })?;
    // Up to the first row that cannot be read.
    Ok(rows.map_while(Result::ok).collect())
}

fn events(connection: &Connection, study: i64) -> Vec<Stored> {
    let mut found: Vec<RawEvent> = Vec::new();
    let mut after = 0;
    while let Err(stopped_at) = scan(connection, study, after, &mut found) {
        let Some(beyond) = first_beyond(connection, study, stopped_at) else { break };
        scan_back(connection, study, stopped_at, beyond, &mut found);
        after = beyond;
    }
    found.sort_by_key(|raw| raw.sequence);
    found.dedup_by_key(|raw| raw.sequence);
    found.iter().filter_map(|raw| raw.read().ok()).collect()
}

/// Reads forwards; where it cannot go on, the last number it saw.
fn scan(connection: &Connection, study: i64, after: u64, found: &mut Vec<RawEvent>) -> Result<(), u64> {
    let sql = "SELECT sequence, at, body FROM events WHERE study = ?1 AND sequence > ?2 ORDER BY sequence";
    let mut last = after;
    let mut read = || -> rusqlite::Result<()> {
        let mut statement = connection.prepare_cached(sql)?;
        let mut rows = statement.query(params![study, after])?;
        while let Some(row) = rows.next()? {
            // A row whose values are not what they should be is passed over.
            if let Ok(raw) = RawEvent::of(row) {
                last = raw.sequence;
                found.push(raw);
            }
        }
        Ok(())
    };
    read().map_err(|_| last)
}

/// Some number behind a gap from which reading is possible.
fn first_beyond(connection: &Connection, study: i64, gap: u64) -> Option<u64> {
    let sql = "SELECT sequence FROM events WHERE study = ?1 AND sequence > ?2 ORDER BY sequence LIMIT 1";
    let try_from = |from: u64| {
        let mut statement = connection.prepare_cached(sql).ok()?;
        statement.query_row(params![study, from], |row| row.get::<_, u64>(0)).ok()
    };
    (0..40).find_map(|doubling| try_from(gap.saturating_add(1 << doubling)))
}

/// Reads backwards from `beyond` into the gap.
fn scan_back(connection: &Connection, study: i64, gap: u64, beyond: u64, found: &mut Vec<RawEvent>) {
    let sql = "SELECT sequence, at, body FROM events WHERE study = ?1 AND sequence > ?2 AND sequence <= ?3
               ORDER BY sequence DESC";
    let Ok(mut statement) = connection.prepare_cached(sql) else { return };
    let Ok(mut rows) = statement.query(params![study, gap, beyond]) else { return };
    while let Ok(Some(row)) = rows.next() {
        if let Ok(raw) = RawEvent::of(row) {
            found.push(raw);
        }
    }
}
