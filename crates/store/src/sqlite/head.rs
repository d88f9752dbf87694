//! Where the events of a study end: how many there are, and the last checksum.
use super::checksum::Checksum;
use super::read::{expect_study, name_of};
use super::retry::TransactionError;
use crate::error::StoreError;
use crate::store::StudyId;
use rusqlite::{Connection, OptionalExtension, params};

/// The row of a study in `heads`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head {
    /// The checksum of the study itself.
    pub(super) root: Checksum,
    /// The number of the last event.
    pub(super) events: u64,
    /// The checksum of the last event; that of the study before the first.
    pub(super) checksum: Checksum,
}

impl Head {
    /// Of a study without events.
    pub(super) fn at_birth(root: Checksum) -> Self {
        Self { root, events: 0, checksum: root }
    }

    /// As it is written; an error if the study was deleted.
    pub(super) fn of(connection: &Connection, study: StudyId) -> Result<Self, TransactionError> {
        let mut statement =
            connection.prepare_cached("SELECT root, events, seal FROM heads WHERE study = ?1")?;
        let head = statement.query_row([study.0], |row| {
            Ok(Self {
                root: Checksum::read(row.get(0)?),
                events: row.get(1)?,
                checksum: Checksum::read(row.get(2)?),
            })
        });
        if let Some(head) = head.optional()? {
            return Ok(head);
        }
        expect_study(connection, study)?;
        Err(bad(connection, study, 0, "nothing says where its events end"))
    }

    /// The same, and the last event must be there: nothing is appended to an end that is not the
    /// end.
    pub(super) fn with_its_event(connection: &Connection, study: StudyId) -> Result<Self, TransactionError> {
        let head = Self::of(connection, study)?;
        let mut statement = connection.prepare_cached(
            "SELECT sequence, seal FROM events WHERE study = ?1 ORDER BY sequence DESC LIMIT 1",
        )?;
        let last = statement.query_row([study.0], |row| Ok((row.get(0)?, Checksum::read(row.get(1)?))));
        let last: (u64, Checksum) = last.optional()?.unwrap_or((0, head.root));
        if last == (head.events, head.checksum) {
            return Ok(head);
        }
        let problem = format!("its events should end at {}, not here", head.events);
        Err(bad(connection, study, last.0, problem))
    }

    /// Writes it for a new study.
    pub(super) fn insert(&self, connection: &Connection, study: StudyId) -> rusqlite::Result<()> {
        connection.execute(
            "INSERT INTO heads (study, root, events, seal) VALUES (?1, ?2, ?3, ?4)",
            params![study.0, self.root.stored(), self.events as i64, self.checksum.stored()],
        )?;
        Ok(())
    }

    /// Writes where the events end now.
    pub(super) fn update(&self, connection: &Connection, study: StudyId) -> rusqlite::Result<()> {
        connection
            .prepare_cached("UPDATE heads SET events = ?2, seal = ?3 WHERE study = ?1")?
            .execute(params![study.0, self.events as i64, self.checksum.stored()])?;
        Ok(())
    }
}

/// What does not fit, by the name of the study.
pub(super) fn bad(
    connection: &Connection,
    study: StudyId,
    sequence: u64,
    problem: impl Into<String>,
) -> TransactionError {
    let study = name_of(connection, study);
    TransactionError::Store(StoreError::BadEvent { study, sequence, problem: problem.into() })
}
