//! Opening a file: is it ours, is it up to date, may it be written?
#![allow(clippy::disallowed_methods, reason = "files are opened here")]
use super::file;
use super::filesystem::JournalMode;
use super::guard::{check_schema, disarm};
use super::identity::Opened;
use super::log;
use super::presence::Presence;
use super::retry::TransactionError;
use super::schema::{APPLICATION, MIGRATIONS, VERSION, application, is_blank, migrate, version};
use super::session::Session;
use super::sweep::Sweep;
use super::wal;
use crate::error::StoreError;
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What may be done with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Write(JournalMode),
    Read,
}

/// Where a file is, and what people call it.
#[derive(Debug)]
pub(super) struct Spot {
    /// From the root, so that it stays the same file if the current folder changes.
    pub(super) absolute: PathBuf,
    /// As it was given.
    pub(super) shown: PathBuf,
}

/// A session with a store; the file is created if it may be written and is not there.
pub(super) fn connect(spot: &Spot, access: Access) -> Result<Session, TransactionError> {
    let presence = Presence::after_a_look(&spot.absolute, || check_from_outside(spot, access));
    let presence = presence.map_err(TransactionError::Store)?;
    let before = Opened::now(&spot.absolute);
    let session = match access {
        Access::Read => reader(spot)?,
        Access::Write(journal) => writer(spot, journal)?,
    };
    before.expect_same(&session.opened, &spot.shown).map_err(TransactionError::Store)?;
    Ok(session.present(presence))
}

/// What can be known before SQLite touches anything.
fn check_from_outside(spot: &Spot, access: Access) -> Result<(), StoreError> {
    file::check(&spot.absolute, &spot.shown, access != Access::Read)?;
    log::check_present(&spot.absolute, &spot.shown)?;
    wal::check(&spot.absolute, &spot.shown)
}

fn writer(spot: &Spot, journal: JournalMode) -> Result<Session, TransactionError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    let open = || -> Result<Connection, TransactionError> {
        let mut connection = opened(&spot.absolute, flags)?;
        check_ours(&connection, &spot.shown)?;
        if connection.is_readonly("main")? {
            return Err(read_only(spot, "it may not be written"));
        }
        write_pragmas(&connection, journal)?;
        bring_up_to_date(&mut connection, &spot.shown)?;
        Ok(connection)
    };
    match open() {
        Ok(connection) => Ok(Session::new(connection, Opened::now(&spot.absolute), Access::Write(journal))),
        Err(trouble) if is_closed(&trouble) && spot.absolute.exists() => {
            Err(read_only(spot, "neither it nor a log beside it may be written"))
        }
        Err(trouble) => Err(trouble),
    }
}

/// A file that nobody can be writing needs no log. Elsewhere SQLite needs one, if only to see that
/// it is empty.
fn reader(spot: &Spot) -> Result<Session, TransactionError> {
    let sweep = Sweep::after_reading(&spot.absolute);
    let open = || -> Result<Connection, TransactionError> {
        let connection = opened(&spot.absolute, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        check_ours(&connection, &spot.shown)?;
        Ok(connection)
    };
    let (connection, is_frozen) = match open() {
        Err(trouble) if is_closed(&trouble) => {
            if file::is_at_work(&spot.absolute, "-wal") || file::is_at_work(&spot.absolute, "-journal") {
                let problem = "its newest results are in the log beside it, which only those can read who may write \
                               in its folder; copy both to another folder";
                return Err(read_only(spot, problem));
            }
            let connection = log::frozen(&spot.absolute)?;
            check_ours(&connection, &spot.shown)?;
            (connection, true)
        }
        other => (other?, false),
    };
    if version(&connection)? == 0 {
        return Err(read_only(spot, "it is empty; open it once for writing"));
    }
    let session = Session::new(connection, Opened::now(&spot.absolute), Access::Read).swept(sweep);
    Ok(if is_frozen { session.frozen() } else { session })
}

fn read_only(spot: &Spot, problem: &str) -> TransactionError {
    TransactionError::Store(StoreError::ReadOnly {
        place: spot.shown.as_path().into(),
        problem: problem.to_owned(),
    })
}

/// Something could not be opened, the log beside the file for example, or could not be made.
fn is_closed(trouble: &TransactionError) -> bool {
    let TransactionError::Sql(error) = trouble else { return false };
    matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
}

fn opened(path: &Path, flags: OpenFlags) -> Result<Connection, TransactionError> {
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    // Waiting is ours: see `with_retry`.
    connection.busy_timeout(Duration::ZERO)?;
    disarm(&connection)?;
    Ok(connection)
}

fn check_ours(connection: &Connection, shown: &Path) -> Result<(), TransactionError> {
    // In this order: tables and owner are written in one breath, so whoever sees the first also
    // sees the second.
    let is_foreign = !is_blank(connection)? && application(connection)? != APPLICATION;
    let found = version(connection)?;
    if is_foreign {
        let problem = "it is a database of another program".to_owned();
        return Err(TransactionError::Store(StoreError::NotAStore { place: shown.into(), problem }));
    }
    if found > VERSION {
        return Err(TransactionError::Store(StoreError::TooNew {
            place: shown.into(),
            found,
            known: VERSION,
        }));
    }
    // In one look, for somebody else may be bringing it up to date.
    let moment = connection.unchecked_transaction()?;
    check_schema(&moment, shown)
}

/// A log beside the file lets readers read while somebody writes; full synchronisation makes a
/// commit survive the loss of power, not only of the process.
fn write_pragmas(connection: &Connection, journal: JournalMode) -> rusqlite::Result<()> {
    connection
        .pragma_update_and_check(None, "journal_mode", journal.name(), |row| row.get::<_, String>(0))?;
    log::bound(connection)?;
    connection.execute_batch("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;")
}

fn bring_up_to_date(connection: &mut Connection, shown: &Path) -> Result<(), TransactionError> {
    if version(connection)? == VERSION {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Somebody else may have done it, or something worse, while this one waited.
    let found = version(&transaction)?;
    if found > VERSION {
        return Err(TransactionError::Store(StoreError::TooNew {
            place: shown.into(),
            found,
            known: VERSION,
        }));
    }
    check_schema(&transaction, shown)?;
    migrate(&transaction, MIGRATIONS)?;
    transaction.commit()?;
    // A file whose tables are in its log alone would look empty to whoever copies it.
    log::fold(connection);
    Ok(())
}
