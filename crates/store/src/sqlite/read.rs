//! Reading: studies, events, leases.
use super::trouble::Trouble;
use crate::clock::Timestamp;
use crate::error::StoreError;
use crate::store::{Lease, Stored, StudyId, StudyRecord};
use rusqlite::{Connection, OptionalExtension, Row, params};

const STUDIES: &str = "SELECT id, name, created_at, space, options,
    coalesce((SELECT sequence FROM events WHERE study = id ORDER BY sequence DESC LIMIT 1), 0) FROM studies";

type Raw = (StudyRecord, String);

/// All studies, in the order of creation.
pub(super) fn studies(connection: &Connection) -> Result<Vec<StudyRecord>, Trouble> {
    let mut statement = connection.prepare_cached(&format!("{STUDIES} ORDER BY id"))?;
    let rows = statement.query_map([], raw_study)?.collect::<rusqlite::Result<Vec<Raw>>>()?;
    rows.into_iter().map(read_study).collect()
}

/// The study of a name.
pub(super) fn study(connection: &Connection, name: &str) -> Result<Option<StudyRecord>, Trouble> {
    let mut statement = connection.prepare_cached(&format!("{STUDIES} WHERE name = ?1"))?;
    statement.query_row([name], raw_study).optional()?.map(read_study).transpose()
}

fn raw_study(row: &Row<'_>) -> rusqlite::Result<Raw> {
    let record = StudyRecord {
        id: StudyId(row.get(0)?),
        name: row.get(1)?,
        created_at: Timestamp(row.get(2)?),
        space: row.get(3)?,
        options: arbora_search::StudyOptions::default(),
        events: row.get(5)?,
    };
    Ok((record, row.get(4)?))
}

fn read_study((mut record, options): Raw) -> Result<StudyRecord, Trouble> {
    record.options = serde_json::from_str(&options).map_err(|error| {
        let problem = format!("its options cannot be read: {error}");
        Trouble::Said(StoreError::BadEvent { study: record.name.clone(), sequence: 0, problem })
    })?;
    Ok(record)
}

/// An event as it lies in its row.
pub(super) struct RawEvent {
    pub(super) sequence: u64,
    pub(super) at: Timestamp,
    pub(super) body: String,
}

impl RawEvent {
    pub(super) fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self { sequence: row.get(0)?, at: Timestamp(row.get(1)?), body: row.get(2)? })
    }

    pub(super) fn read(&self) -> serde_json::Result<Stored> {
        Ok(Stored { sequence: self.sequence, at: self.at, event: serde_json::from_str(&self.body)? })
    }
}

/// The events after a number.
pub(super) fn events(connection: &Connection, study: StudyId, after: u64) -> Result<Vec<Stored>, Trouble> {
    let mut statement = connection.prepare_cached(
        "SELECT sequence, at, body FROM events WHERE study = ?1 AND sequence > ?2 ORDER BY sequence",
    )?;
    let after = i64::try_from(after).unwrap_or(i64::MAX);
    let rows = statement.query_map(params![study.0, after], RawEvent::of)?;
    let rows = rows.collect::<rusqlite::Result<Vec<_>>>()?;
    if rows.is_empty() {
        expect_study(connection, study)?;
    }
    rows.iter().map(|raw| raw.read().map_err(|error| unread(study, raw, &error))).collect()
}

/// Text that is no JSON is damage; JSON that is no event was written by something later than this.
fn unread(study: StudyId, raw: &RawEvent, error: &serde_json::Error) -> Trouble {
    let problem = error.to_string();
    match error.classify() {
        serde_json::error::Category::Data => {
            let study = format!("#{}", study.0);
            Trouble::Said(StoreError::BadEvent { study, sequence: raw.sequence, problem })
        }
        _ => Trouble::Unreadable(format!("event {}: {problem}", raw.sequence)),
    }
}

/// Who has what.
pub(super) fn leases(connection: &Connection, study: StudyId) -> Result<Vec<Lease>, Trouble> {
    let mut statement = connection.prepare_cached(
        "SELECT number, worker, lease FROM trials WHERE study = ?1 AND lease IS NOT NULL ORDER BY number",
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
pub(super) fn expect_study(connection: &Connection, study: StudyId) -> Result<(), Trouble> {
    let mut statement = connection.prepare_cached("SELECT 1 FROM studies WHERE id = ?1")?;
    if statement.exists([study.0])? {
        return Ok(());
    }
    Err(Trouble::Said(StoreError::StudyGone { name: format!("#{}", study.0) }))
}
