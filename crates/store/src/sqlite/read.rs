//! Reading: studies, events, leases.
use super::audit;
use super::checksum::{Checksum, Content};
use super::head::bad;
use super::retry::TransactionError;
use super::schema::{CHECKSUMMED, version};
use crate::clock::Timestamp;
use crate::error::StoreError;
use crate::store::{Lease, Stored, StudyId, StudyRecord};
use arbora_search::StudyOptions;
use rusqlite::{Connection, OptionalExtension, Row, params};

const STUDIES: &str = "SELECT id, name, created_at, space, options,
    coalesce((SELECT sequence FROM events WHERE study = id ORDER BY sequence DESC LIMIT 1), 0) FROM studies";

/// All studies, in the order of creation.
pub(super) fn studies(connection: &Connection) -> Result<Vec<StudyRecord>, TransactionError> {
    let mut statement = connection.prepare_cached(&format!("{STUDIES} ORDER BY id"))?;
    let rows = statement.query_map([], record)?.collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(rows)
}

/// The study of a name.
pub(super) fn study(connection: &Connection, name: &str) -> Result<Option<StudyRecord>, TransactionError> {
    let mut statement = connection.prepare_cached(&format!("{STUDIES} WHERE name = ?1"))?;
    Ok(statement.query_row([name], record).optional()?)
}

/// What cannot be read of one study is said of that study: the others are not concerned.
fn record(row: &Row<'_>) -> rusqlite::Result<StudyRecord> {
    let id: i64 = row.get(0)?;
    let name = row.get(1).unwrap_or_else(|_| format!("#{id}"));
    let options = match row.get::<_, String>(4) {
        Ok(text) => options(&name, &text),
        Err(error) => Err(StoreError::bad_settings(&name, &error.to_string())),
    };
    let space = row.get(3).unwrap_or_default();
    let created_at = Timestamp(row.get(2).unwrap_or_default());
    Ok(StudyRecord { id: StudyId(id), name, created_at, space, options, events: row.get(5).unwrap_or(0) })
}

/// Settings from their text.
pub(super) fn options(study: &str, text: &str) -> Result<StudyOptions, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::bad_settings(study, &error.to_string()))
}

/// An event as it lies in its row.
pub(super) struct RawEvent {
    pub(super) sequence: u64,
    at: Timestamp,
    kind: String,
    trial: Option<i64>,
    body: String,
    /// Absent in files of the first version.
    pub(super) checksum: Option<Checksum>,
}

impl RawEvent {
    /// The columns, in the order that [`of`](Self::of) reads them.
    pub(super) fn columns(has_checksums: bool) -> &'static str {
        if has_checksums {
            "sequence, at, kind, trial, body, seal"
        } else {
            "sequence, at, kind, trial, body, NULL"
        }
    }

    pub(super) fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            sequence: row.get(0)?,
            at: Timestamp(row.get(1)?),
            kind: row.get(2)?,
            trial: row.get(3)?,
            body: row.get(4)?,
            checksum: row.get::<_, Option<i64>>(5)?.map(Checksum::read),
        })
    }

    pub(super) fn content(&self) -> Content<'_> {
        let Self { sequence, at, trial, .. } = *self;
        Content { sequence, at, kind: &self.kind, trial, body: &self.body }
    }

    pub(super) fn read(&self) -> serde_json::Result<Stored> {
        Ok(Stored { sequence: self.sequence, at: self.at, event: serde_json::from_str(&self.body)? })
    }
}

/// The events after a number, whole and in order, or an error that names the first that is not.
/// Those of the whole study are also compared with the table of trials.
pub(super) fn events(
    connection: &Connection,
    study: StudyId,
    after: u64,
) -> Result<Vec<Stored>, TransactionError> {
    // One look at everything: others may write meanwhile.
    let moment = connection.unchecked_transaction()?;
    let has_checksums = version(&moment)? >= CHECKSUMMED;
    let rows = raw_events(&moment, study, after, has_checksums)?;
    if rows.is_empty() {
        expect_study(&moment, study)?;
    }
    if has_checksums {
        audit::check_chain(&moment, study, after, &rows)?;
    }
    let read = rows.iter().map(|raw| {
        raw.read().map_err(|error| bad(&moment, study, raw.sequence, format!("it cannot be read: {error}")))
    });
    let events = read.collect::<Result<Vec<Stored>, TransactionError>>()?;
    if after == 0 {
        audit::check_trials(&moment, study, &events)?;
    }
    Ok(events)
}

fn raw_events(
    connection: &Connection,
    study: StudyId,
    after: u64,
    has_checksums: bool,
) -> rusqlite::Result<Vec<RawEvent>> {
    let columns = RawEvent::columns(has_checksums);
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {columns} FROM events WHERE study = ?1 AND sequence > ?2 ORDER BY sequence"
    ))?;
    let after = i64::try_from(after).unwrap_or(i64::MAX);
    statement.query_map(params![study.0, after], RawEvent::of)?.collect()
}

/// Who has what.
pub(super) fn leases(connection: &Connection, study: StudyId) -> Result<Vec<Lease>, TransactionError> {
    // Left to itself SQLite takes the primary key and looks at every trial.
    let mut statement = connection.prepare_cached(
        "SELECT number, worker, lease FROM trials INDEXED BY leases
         WHERE study = ?1 AND lease IS NOT NULL ORDER BY number",
    )?;
    let lease = |row: &Row<'_>| {
        Ok(Lease {
            trial: row.get(0)?,
            worker: row.get::<_, Option<String>>(1)?.unwrap_or_default(),
            until: Timestamp(row.get(2)?),
        })
    };
    let leases = statement.query_map([study.0], lease)?.collect::<rusqlite::Result<Vec<_>>>()?;
    if leases.is_empty() {
        expect_study(connection, study)?;
    }
    Ok(leases)
}

/// Studies can be deleted while others have them open.
pub(super) fn expect_study(connection: &Connection, study: StudyId) -> Result<(), TransactionError> {
    let mut statement = connection.prepare_cached("SELECT 1 FROM studies WHERE id = ?1")?;
    if statement.exists([study.0])? {
        return Ok(());
    }
    Err(TransactionError::Store(StoreError::StudyGone { name: format!("#{}", study.0) }))
}

/// What people call a study; its number if that cannot be read.
pub(super) fn name_of(connection: &Connection, study: StudyId) -> String {
    let name = connection.query_row("SELECT name FROM studies WHERE id = ?1", [study.0], |row| row.get(0));
    name.unwrap_or_else(|_| format!("#{}", study.0))
}
