//! Is what was read whole? The chain of checksums, its end, and the table of trials must agree.
//!
//! Noticed: an event that was changed, is missing or in another's place, also at the end; settings
//! and a space that were changed; trials that the events do not know of, and the reverse. Not
//! noticed: a whole file put back to an earlier state, and what somebody wrote who computed the
//! sums as well.
use super::checksum::Checksum;
use super::head::{Head, bad};
use super::read::RawEvent;
use super::retry::TransactionError;
use crate::clock::Timestamp;
use crate::stage::Stage;
use crate::store::{Stored, StudyId};
use rusqlite::{Connection, params};

/// The chain from `after` on, up to where the head says that it ends.
pub(super) fn check_chain(
    connection: &Connection,
    study: StudyId,
    after: u64,
    rows: &[RawEvent],
) -> Result<(), TransactionError> {
    let head = Head::of(connection, study)?;
    if after == 0 {
        check_root(connection, study, &head)?;
    }
    let missing = |sequence| bad(connection, study, sequence, "it is missing");
    let mut before = if rows.is_empty() { None } else { Some(checksum_at(connection, study, after, &head)?) };
    let mut last = after;
    for raw in rows {
        if raw.sequence != last + 1 {
            return Err(missing(last + 1));
        }
        let checksum = before.map(|before| before.then(raw.content()));
        if raw.checksum.is_none() || raw.checksum != checksum {
            return Err(bad(connection, study, raw.sequence, "it was changed after it was written"));
        }
        (before, last) = (checksum, raw.sequence);
    }
    if last < head.events {
        return Err(missing(last + 1));
    }
    if !rows.is_empty() && (last, before) != (head.events, Some(head.checksum)) {
        let problem = format!("its events should end at {}", head.events);
        return Err(bad(connection, study, last, problem));
    }
    Ok(())
}

/// The settings and the space are those the study was created with.
fn check_root(connection: &Connection, study: StudyId, head: &Head) -> Result<(), TransactionError> {
    let mut statement =
        connection.prepare_cached("SELECT created_at, space, options FROM studies WHERE id = ?1")?;
    let root = statement.query_row([study.0], |row| {
        let (space, options): (String, String) = (row.get(1)?, row.get(2)?);
        Ok(Checksum::of_study(Timestamp(row.get(0)?), &space, &options))
    })?;
    if root == head.root {
        return Ok(());
    }
    Err(bad(connection, study, 0, "its settings or its space were changed after they were written"))
}

fn checksum_at(
    connection: &Connection,
    study: StudyId,
    sequence: u64,
    head: &Head,
) -> Result<Checksum, TransactionError> {
    if sequence == 0 {
        return Ok(head.root);
    }
    let mut statement =
        connection.prepare_cached("SELECT seal FROM events WHERE study = ?1 AND sequence = ?2")?;
    let number = i64::try_from(sequence).unwrap_or(i64::MAX);
    let found = statement.query_row(params![study.0, number], |row| row.get(0));
    found.map(Checksum::read).map_err(|error| match error {
        rusqlite::Error::QueryReturnedNoRows => bad(connection, study, sequence, "it is missing"),
        other => other.into(),
    })
}

/// Where each trial stands, and the event that brought it, by the events and by the table.
pub(super) fn check_trials(
    connection: &Connection,
    study: StudyId,
    events: &[Stored],
) -> Result<(), TransactionError> {
    let by_events = standings(connection, study, events)?;
    let mut statement = connection
        .prepare_cached("SELECT number, stage, born FROM trials WHERE study = ?1 ORDER BY number")?;
    let mut rows = statement.query([study.0])?;
    let last = events.last().map_or(0, |stored| stored.sequence);
    let mut count = 0;
    while let Some(row) = rows.next()? {
        let (number, stage, born): (u64, i64, u64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let expected = by_events.get(count).map(|(stage, born)| (*stage as i64, *born));
        if number != count as u64 || expected != Some((stage, born)) {
            let problem = format!("its events and the table of trials disagree about trial {count}");
            return Err(bad(connection, study, expected.map_or(last, |(_, born)| born), problem));
        }
        count += 1;
    }
    if count == by_events.len() {
        return Ok(());
    }
    let problem = format!("its events know of {} trials, the table of trials of {count}", by_events.len());
    Err(bad(connection, study, last, problem))
}

fn standings(
    connection: &Connection,
    study: StudyId,
    events: &[Stored],
) -> Result<Vec<(Stage, u64)>, TransactionError> {
    let mut all: Vec<(Stage, u64)> = Vec::new();
    for stored in events {
        let Some(trial) = stored.event.trial() else { continue };
        let index = usize::try_from(trial).unwrap_or(usize::MAX);
        let before = all.get(index).map(|(stage, _)| *stage);
        match Stage::after(before, &stored.event) {
            Some(after) if index < all.len() => all[index].0 = after,
            Some(after) if index == all.len() => all.push((after, stored.sequence)),
            _ => {
                let problem = format!("it cannot follow what was written before about trial {trial}");
                return Err(bad(connection, study, stored.sequence, problem));
            }
        }
    }
    Ok(all)
}
