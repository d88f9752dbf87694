//! Opening a file: is it there, is it ours, is it up to date?
#![allow(clippy::disallowed_methods, reason = "files are opened here")]
use super::place::Journal;
use super::schema::{APPLICATION, MIGRATIONS, VERSION, application, is_blank, migrate, version};
use super::trouble::Trouble;
use crate::error::StoreError;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

/// What every database of SQLite begins with.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// What may be done with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Write(Journal),
    Read,
}

/// A connection to a store; the file is created if it may be written and is not there.
pub(super) fn connect(path: &Path, access: Access) -> Result<Connection, Trouble> {
    check_place(path, access).and_then(|()| check_end(path)).map_err(Trouble::Said)?;
    let mut connection = opened(path, access)?;
    check_owner(&connection, path)?;
    match access {
        Access::Read => {
            read_pragmas(&connection)?;
            expect_up_to_date(&connection, path)?;
        }
        Access::Write(journal) => {
            write_pragmas(&connection, journal)?;
            bring_up_to_date(&mut connection, path)?;
        }
    }
    Ok(connection)
}

fn check_place(path: &Path, access: Access) -> Result<(), StoreError> {
    let folder = match path.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
        Some(folder) => folder,
        None => path,
    };
    if !folder.is_dir() {
        return Err(StoreError::NoFolder { path: path.to_owned(), folder: folder.to_owned() });
    }
    if path.is_dir() {
        let problem = "it is a folder; give a file inside it".to_owned();
        return Err(StoreError::Unusable { path: path.to_owned(), problem });
    }
    if !path.exists() {
        return match access {
            Access::Write(_) => Ok(()),
            Access::Read => Err(StoreError::NoFile { path: path.to_owned() }),
        };
    }
    check_beginning(path)
}

/// A file of something else is recognised before SQLite could touch it.
fn check_beginning(path: &Path) -> Result<(), StoreError> {
    let unusable =
        |error: std::io::Error| StoreError::Unusable { path: path.to_owned(), problem: error.to_string() };
    let mut beginning = Vec::new();
    File::open(path)
        .map_err(unusable)?
        .take(MAGIC.len() as u64)
        .read_to_end(&mut beginning)
        .map_err(unusable)?;
    if beginning.is_empty() || beginning == MAGIC {
        return Ok(());
    }
    let path = path.to_owned();
    if MAGIC.starts_with(&beginning) {
        return Err(StoreError::Damaged {
            path,
            problem: format!("{} bytes of it are left", beginning.len()),
        });
    }
    Err(StoreError::NotAStore { path, problem: "it does not begin as one".to_owned() })
}

/// SQLite reads a last page that is cut short as if zeros followed. A whole file is a number of whole pages, unless
/// somebody is writing to it, and then there is a log or a journal.
fn check_end(path: &Path) -> Result<(), StoreError> {
    if torn(path).is_none() {
        return Ok(());
    }
    // A log that came and went between two looks is not there for a second time.
    std::thread::sleep(Duration::from_millis(20));
    match torn(path) {
        None => Ok(()),
        Some(left) => {
            let problem = format!("its last page is cut short, {left} bytes of it are left");
            Err(StoreError::Damaged { path: path.to_owned(), problem })
        }
    }
}

/// How much is left of the last page, if it is cut short and nothing could mend it.
fn torn(path: &Path) -> Option<u64> {
    let is_at_work = |ending: &str| {
        let mut beside = path.to_owned().into_os_string();
        beside.push(ending);
        Path::new(&beside).metadata().is_ok_and(|found| found.len() > 0)
    };
    if is_at_work("-wal") || is_at_work("-journal") {
        return None;
    }
    let mut header = [0; 18];
    let mut file = File::open(path).ok()?;
    file.read_exact(&mut header).ok()?;
    // Two bytes at offset 16, one meaning 65536  [the database file format of SQLite, §1.3.2].
    let page = match u16::from_be_bytes([header[16], header[17]]) {
        1 => 65536,
        size => u64::from(size.max(512)),
    };
    Some(file.metadata().ok()?.len() % page).filter(|left| *left > 0)
}

fn opened(path: &Path, access: Access) -> Result<Connection, Trouble> {
    let flags = match access {
        Access::Write(_) => OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
        Access::Read => OpenFlags::SQLITE_OPEN_READ_ONLY,
    };
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    // Waiting is ours: see `patiently`.
    connection.busy_timeout(Duration::ZERO)?;
    Ok(connection)
}

fn check_owner(connection: &Connection, path: &Path) -> Result<(), Trouble> {
    // In this order: tables and owner are written in one breath, so whoever sees the first also sees the second.
    let is_foreign = !is_blank(connection)? && application(connection)? != APPLICATION;
    let found = version(connection)?;
    if is_foreign {
        let problem = "it is a database of another program".to_owned();
        return Err(Trouble::Said(StoreError::NotAStore { path: path.to_owned(), problem }));
    }
    if found > VERSION {
        return Err(Trouble::Said(StoreError::TooNew { path: path.to_owned(), found, known: VERSION }));
    }
    Ok(())
}

fn read_pragmas(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch("PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF;")
}

/// A log beside the file lets readers read while somebody writes; full synchronisation makes a commit survive the
/// loss of power, not only of the process.
fn write_pragmas(connection: &Connection, journal: Journal) -> rusqlite::Result<()> {
    read_pragmas(connection)?;
    connection
        .pragma_update_and_check(None, "journal_mode", journal.name(), |row| row.get::<_, String>(0))?;
    connection.execute_batch("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;")
}

fn expect_up_to_date(connection: &Connection, path: &Path) -> Result<(), Trouble> {
    let found = version(connection)?;
    if found == VERSION {
        return Ok(());
    }
    let problem = format!("its tables are of version {found}, not {VERSION}; open it once for writing");
    Err(Trouble::Said(StoreError::ReadOnly { path: path.to_owned(), problem }))
}

fn bring_up_to_date(connection: &mut Connection, path: &Path) -> Result<(), Trouble> {
    if version(connection)? == VERSION {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Somebody else may have done it, or something worse, while this one waited.
    check_owner(&transaction, path)?;
    migrate(&transaction, MIGRATIONS)?;
    Ok(transaction.commit()?)
}
