//! Reading what is readable of a damaged file.
//!
//! Everything happens on a copy, in a folder of its own: not even the log of the damaged file is
//! touched. A scan goes as far as it can; behind a page that cannot be read it starts again further
//! on, in steps that double, and from there backwards to the other side of the gap. What only a
//! damaged inner page leads to is lost. Where there are checksums, only what they vouch for is
//! taken: each is that of its event and of the one before, so behind a gap the first event is lost
//! as well and the chain goes on with the second.
#![allow(clippy::disallowed_methods, reason = "files are copied here")]
use super::checksum::Checksum;
use super::guard::disarm;
use super::read::{RawEvent, options};
use super::retry::translated;
use super::schema::{APPLICATION, CHECKSUMMED, application, version};
use crate::clock::Timestamp;
use crate::error::StoreError;
use crate::store::Stored;
use arbora_search::StudyOptions;
use rusqlite::config::DbConfig;
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
    /// How many events were read that their checksums do not vouch for.
    pub(crate) changed: usize,
    /// The number of the last event that was written, as far as can be known.
    pub(crate) last: u64,
    /// Are the settings and the space those that the study was created with, as far as can be
    /// known?
    pub(crate) is_itself: bool,
}

impl Found {
    /// How many events were written and cannot be read.
    pub(crate) fn missing(&self) -> usize {
        let written = usize::try_from(self.last).unwrap_or(usize::MAX);
        written.saturating_sub(self.events.len() + self.changed)
    }

    /// Its settings, if they can be read.
    pub(crate) fn settings(&self) -> Result<StudyOptions, StoreError> {
        options(&self.name, &self.options)
    }
}

/// All studies that can be read, in a copy of the file made inside `workshop`.
pub(crate) fn read_damaged(damaged: &Path, workshop: &Path) -> Result<Vec<Found>, StoreError> {
    let copy = copied(damaged, workshop)?;
    let trouble = |error: rusqlite::Error| translated(damaged, &error);
    let connection = Connection::open(&copy).map_err(trouble)?;
    disarm(&connection).map_err(trouble)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, false).map_err(trouble)?;
    // Without this SQLite refuses a file that is shorter than its first page says.
    connection.execute_batch("PRAGMA writable_schema = ON").map_err(trouble)?;
    if application(&connection).map_err(trouble)? != APPLICATION {
        let problem = "it is a database of another program".to_owned();
        return Err(StoreError::NotAStore { place: damaged.into(), problem });
    }
    let has_checksums = version(&connection).map_err(trouble)? >= CHECKSUMMED;
    let mut studies = studies(&connection).map_err(trouble)?;
    for (id, found) in &mut studies {
        let raw = events(&connection, *id, has_checksums);
        let root = Checksum::of_study(found.created_at, &found.space, &found.options);
        let end = end_after(&connection, *id, root);
        found.is_itself = !has_checksums || end.is_some() || follows(root, raw.first());
        let trusted = vouched_for(root, &raw);
        found.changed = raw.len() - trusted.len();
        found.events = trusted.iter().filter_map(|raw| raw.read().ok()).collect();
        found.last = end.max(found.events.last().map(|stored| stored.sequence)).unwrap_or(0);
    }
    Ok(studies.into_iter().map(|(_, found)| found).collect())
}

/// Where the events of a study end by its head, if that is the head of the study with this
/// checksum.
fn end_after(connection: &Connection, study: i64, root: Checksum) -> Option<u64> {
    let head = connection.query_row("SELECT root, events FROM heads WHERE study = ?1", [study], |row| {
        Ok((row.get(0)?, row.get(1)?))
    });
    head.ok().filter(|(head, _)| Checksum::read(*head) == root).map(|(_, events)| events)
}

/// Is it the first event of the study with this checksum?
fn follows(root: Checksum, first: Option<&RawEvent>) -> bool {
    first.is_some_and(|raw| raw.sequence == 1 && raw.checksum == Some(root.then(raw.content())))
}

/// The events whose checksum is right, given that of the event before; all of them where there are
/// none.
fn vouched_for(root: Checksum, events: &[RawEvent]) -> Vec<&RawEvent> {
    let mut before = Some((0, root));
    let is_right = |raw: &&RawEvent| {
        let Some(checksum) = raw.checksum else { return true };
        let known = before.filter(|(sequence, _)| sequence + 1 == raw.sequence);
        before = Some((raw.sequence, checksum));
        known.is_some_and(|(_, before)| before.then(raw.content()) == checksum)
    };
    events.iter().filter(is_right).collect()
}

/// The file and its log; the index of the log is made anew.
fn copied(damaged: &Path, workshop: &Path) -> Result<PathBuf, StoreError> {
    let unusable = |error: std::io::Error| StoreError::Unusable {
        place: damaged.into(),
        problem: format!("it cannot be copied: {error}"),
    };
    let copy = workshop.join("copy.db");
    std::fs::copy(damaged, &copy).map_err(unusable)?;
    let mut log = damaged.to_owned().into_os_string();
    log.push("-wal");
    if Path::new(&log).is_file() {
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
            changed: 0,
            last: 0,
            is_itself: true,
        };
        Ok((row.get(0)?, found))
    })?;
    // Up to the first row that cannot be read; one whose values are not what they should be is
    // passed over.
    let is_end = |row: &rusqlite::Result<_>| row.as_ref().is_err_and(|error| error.sqlite_error().is_some());
    Ok(rows.take_while(|row| !is_end(row)).filter_map(Result::ok).collect())
}

fn events(connection: &Connection, study: i64, has_checksums: bool) -> Vec<RawEvent> {
    let scanner = Scanner { connection, study, columns: RawEvent::columns(has_checksums) };
    let mut found: Vec<RawEvent> = Vec::new();
    let mut after = 0;
    while let Err(stopped_at) = scanner.forwards(after, &mut found) {
        let Some(beyond) = scanner.first_beyond(stopped_at) else { break };
        scanner.backwards(stopped_at, beyond, &mut found);
        after = beyond;
    }
    found.sort_by_key(|raw| raw.sequence);
    found.dedup_by_key(|raw| raw.sequence);
    found
}

/// Reads the events of a study.
struct Scanner<'a> {
    connection: &'a Connection,
    study: i64,
    columns: &'static str,
}

impl Scanner<'_> {
    fn sql(&self, rest: &str) -> String {
        format!("SELECT {} FROM events WHERE study = ?1 {rest}", self.columns)
    }

    /// Reads forwards; where it cannot go on, the last number it saw.
    fn forwards(&self, after: u64, found: &mut Vec<RawEvent>) -> Result<(), u64> {
        let sql = self.sql("AND sequence > ?2 ORDER BY sequence");
        let mut last = after;
        let mut read = || -> rusqlite::Result<()> {
            let mut statement = self.connection.prepare_cached(&sql)?;
            let mut rows = statement.query(params![self.study, after])?;
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
    fn first_beyond(&self, gap: u64) -> Option<u64> {
        let sql = "SELECT sequence FROM events WHERE study = ?1 AND sequence > ?2 ORDER BY sequence LIMIT 1";
        let try_from = |from: u64| {
            let mut statement = self.connection.prepare_cached(sql).ok()?;
            statement.query_row(params![self.study, from], |row| row.get::<_, u64>(0)).ok()
        };
        (0..40).find_map(|doubling| try_from(gap.saturating_add(1 << doubling)))
    }

    /// Reads backwards from `beyond` into the gap.
    fn backwards(&self, gap: u64, beyond: u64, found: &mut Vec<RawEvent>) {
        let sql = self.sql("AND sequence > ?2 AND sequence <= ?3 ORDER BY sequence DESC");
        let Ok(mut statement) = self.connection.prepare_cached(&sql) else { return };
        let Ok(mut rows) = statement.query(params![self.study, gap, beyond]) else { return };
        while let Ok(Some(row)) = rows.next() {
            if let Ok(raw) = RawEvent::of(row) {
                found.push(raw);
            }
        }
    }
}
