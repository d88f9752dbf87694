//! Writing: every function here runs inside one short transaction.
use super::checksum::{Checksum, Content};
use super::head::Head;
use super::read::expect_study;
use super::retry::{TransactionError, is_taken};
use crate::clock::Timestamp;
use crate::error::StoreError;
use crate::event::Event;
use crate::stage::Stage;
use crate::store::{
    Appended, Batch, Lease, NewStudy, Precondition, Stored, StudyId, check_name, out_of_place,
};
use crate::verify::{verified, verified_options};
use rusqlite::{Connection, OptionalExtension, params};

pub(super) fn create(connection: &Connection, new: &NewStudy<'_>) -> Result<StudyId, TransactionError> {
    check_name(new.name).map_err(TransactionError::Store)?;
    let options = verified_options(new.name, new.options).map_err(TransactionError::Store)?;
    let inserted = connection.execute(
        "INSERT INTO studies (name, created_at, space, options) VALUES (?1, ?2, ?3, ?4)",
        params![new.name, new.at.0, new.space, options],
    );
    inserted.map_err(|error| exists_if_taken(error, new.name))?;
    let study = StudyId(connection.last_insert_rowid());
    Head::at_birth(Checksum::of_study(new.at, new.space, &options)).insert(connection, study)?;
    Ok(study)
}

pub(super) fn restore(
    connection: &Connection,
    new: &NewStudy<'_>,
    events: &[Stored],
) -> Result<StudyId, TransactionError> {
    let study = create(connection, new)?;
    let mut head = Head::with_its_event(connection, study)?;
    for stored in events {
        let is_next = stored.sequence == head.events + 1;
        if !is_next || !append_one(connection, study, &mut head, stored.at, &stored.event)? {
            return Err(TransactionError::Store(out_of_place(new.name, stored.sequence)));
        }
    }
    head.update(connection, study)?;
    Ok(study)
}

pub(super) fn rename(connection: &Connection, study: StudyId, name: &str) -> Result<(), TransactionError> {
    check_name(name).map_err(TransactionError::Store)?;
    expect_study(connection, study)?;
    let updated = connection.execute("UPDATE studies SET name = ?2 WHERE id = ?1", params![study.0, name]);
    updated.map_err(|error| exists_if_taken(error, name))?;
    Ok(())
}

fn exists_if_taken(error: rusqlite::Error, name: &str) -> TransactionError {
    if is_taken(&error) {
        TransactionError::Store(StoreError::StudyExists { name: name.to_owned() })
    } else {
        error.into()
    }
}

pub(super) fn delete(connection: &Connection, study: StudyId) -> Result<(), TransactionError> {
    expect_study(connection, study)?;
    connection.execute("DELETE FROM studies WHERE id = ?1", [study.0])?;
    Ok(())
}

/// The caller commits unless the batch was refused.
pub(super) fn append(
    connection: &Connection,
    study: StudyId,
    batch: Batch<'_>,
) -> Result<Appended, TransactionError> {
    let mut head = Head::with_its_event(connection, study)?;
    if !holds(connection, study, batch.precondition)? {
        return Ok(Appended::Refused);
    }
    for event in batch.events {
        if !append_one(connection, study, &mut head, batch.at, event)? {
            return Ok(Appended::Refused);
        }
    }
    head.update(connection, study)?;
    Ok(Appended::UpTo(head.events))
}

fn holds(
    connection: &Connection,
    study: StudyId,
    precondition: Precondition<'_>,
) -> Result<bool, TransactionError> {
    let stage = |trial| standing(connection, study, trial);
    Ok(match precondition {
        Precondition::Always => true,
        Precondition::NothingInvalidatedSince(sequence) => last_invalidation(connection, study)? <= sequence,
        Precondition::StillOpen(trial) => stage(trial)?.is_some_and(|stage| stage != Stage::Ended),
        Precondition::Waiting(trial) => stage(trial)? == Some(Stage::Waiting),
        Precondition::Silent(lease) => is_held(connection, study, lease)?,
    })
}

/// The last event that took a number or changed the space. Few events come after the newest trial,
/// so looking through them for a change of space is cheap.
fn last_invalidation(connection: &Connection, study: StudyId) -> rusqlite::Result<u64> {
    let mut newest =
        connection.prepare_cached("SELECT born FROM trials WHERE study = ?1 ORDER BY number DESC LIMIT 1")?;
    let born: u64 = newest.query_row([study.0], |row| row.get(0)).optional()?.unwrap_or(0);
    let mut changed = connection.prepare_cached(
        "SELECT max(sequence) FROM events
         WHERE study = ?1 AND sequence > ?2 AND kind IN (?3, ?4)",
    )?;
    let [first, second] = Event::SPACE_CHANGES;
    let changed: Option<u64> = changed.query_row(params![study.0, born, first, second], |row| row.get(0))?;
    Ok(changed.unwrap_or(born))
}

/// Is the lease still this very one?
fn is_held(connection: &Connection, study: StudyId, lease: &Lease) -> rusqlite::Result<bool> {
    let mut statement = connection.prepare_cached(
        "SELECT 1 FROM trials WHERE study = ?1 AND number = ?2 AND worker = ?3 AND lease = ?4",
    )?;
    let number = i64::try_from(lease.trial).unwrap_or(-1);
    statement.exists(params![study.0, number, lease.worker, lease.until.0])
}

fn standing(connection: &Connection, study: StudyId, trial: u64) -> rusqlite::Result<Option<Stage>> {
    let mut statement =
        connection.prepare_cached("SELECT stage FROM trials WHERE study = ?1 AND number = ?2")?;
    let Ok(number) = i64::try_from(trial) else { return Ok(None) };
    statement.query_row(params![study.0, number], |row| Ok(stage_of(row.get(0)?))).optional()
}

/// Writes the next event and moves the head on, which the caller writes; false if the event cannot
/// follow.
pub(super) fn append_one(
    connection: &Connection,
    study: StudyId,
    head: &mut Head,
    at: Timestamp,
    event: &Event,
) -> Result<bool, TransactionError> {
    let sequence = head.events + 1;
    if let Some(trial) = event.trial()
        && !advance(connection, study, sequence, trial, event)?
    {
        return Ok(false);
    }
    let body = verified(event).map_err(TransactionError::Store)?;
    let (kind, trial) = (event.kind(), event.trial().map(|trial| trial as i64));
    head.checksum = head.checksum.then(Content { sequence, at, kind, trial, body: &body });
    head.events = sequence;
    connection
        .prepare_cached(
            "INSERT INTO events (study, sequence, at, kind, trial, body, seal) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![study.0, sequence as i64, at.0, kind, trial, body, head.checksum.stored()])?;
    Ok(true)
}

/// Moves a trial to where it stands after an event; false if the event cannot follow.
fn advance(
    connection: &Connection,
    study: StudyId,
    sequence: u64,
    trial: u64,
    event: &Event,
) -> Result<bool, TransactionError> {
    let before = standing(connection, study, trial)?;
    let Some(after) = Stage::after(before, event) else { return Ok(false) };
    let (worker, lease) = event.holder().unzip();
    let lease = lease.flatten().map(|until| until.0);
    match before {
        None if trial != next_number(connection, study)? => return Ok(false),
        None => connection
            .prepare_cached(
                "INSERT INTO trials (study, number, stage, born, worker, lease) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .execute(params![study.0, trial as i64, after as i64, sequence as i64, worker, lease])?,
        // What says nothing about who has the trial leaves that, and where it stands, as it is.
        Some(_) if !event.changes_holder() => 0,
        Some(_) => connection
            .prepare_cached("UPDATE trials SET stage = ?3, worker = ?4, lease = ?5 WHERE study = ?1 AND number = ?2")?
            .execute(params![study.0, trial as i64, after as i64, worker, lease])?,
    };
    Ok(true)
}

fn next_number(connection: &Connection, study: StudyId) -> rusqlite::Result<u64> {
    let mut statement = connection
        .prepare_cached("SELECT number + 1 FROM trials WHERE study = ?1 ORDER BY number DESC LIMIT 1")?;
    Ok(statement.query_row([study.0], |row| row.get(0)).optional()?.unwrap_or(0))
}

pub(super) fn renew(
    connection: &Connection,
    study: StudyId,
    lease: &Lease,
) -> Result<bool, TransactionError> {
    let mut statement = connection.prepare_cached(
        "UPDATE trials SET lease = max(lease + 1, ?4)
         WHERE study = ?1 AND number = ?2 AND worker = ?3 AND lease IS NOT NULL",
    )?;
    let number = i64::try_from(lease.trial).unwrap_or(-1);
    let renewed = statement.execute(params![study.0, number, lease.worker, lease.until.0])? == 1;
    if !renewed {
        expect_study(connection, study)?;
    }
    Ok(renewed)
}

fn stage_of(number: i64) -> Stage {
    match number {
        0 => Stage::Waiting,
        1 => Stage::Running,
        _ => Stage::Ended,
    }
}
