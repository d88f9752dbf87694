//! The log beside a file: folded in early and often, so that the file alone is as good as whole,
//! and marked.
//!
//! SQLite writes new pages to a log and folds them into the file later. Whoever copies or moves the
//! file alone then leaves the newest results behind. So the log is folded in after every commit
//! that comes a while after the last, and when a handle closes; and while it may hold more than the
//! file, the file itself says so (`file.log`): without its log it is not taken for whole. The mark
//! is set by the first write after it was cleared and cleared by whoever closes it.
use super::file::beside;
use super::guard::disarm;
use super::retry::TransactionError;
use crate::error::StoreError;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use std::path::Path;
use std::time::Duration;

/// At most this many pages before it is folded in: what a file that lost its log can lack.
const LONGEST: u32 = 128;

/// Settings of a connection that writes.
pub(super) fn bound(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "wal_autocheckpoint", LONGEST)
}

/// Within a transaction: from here on the log may hold more than the file. True if that is news.
pub(super) fn mark(connection: &Connection) -> rusqlite::Result<bool> {
    Ok(connection.prepare_cached("UPDATE file SET log = 1 WHERE log = 0")?.execute([])? == 1)
}

/// Folds in what nobody is reading. Not being able to is no error: it can be done later.
pub(super) fn fold(connection: &Connection) {
    connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())).ok();
}

/// Before a connection is closed: everything is in the file, and the file says so. Whoever cannot,
/// because others are writing, leaves it to them, and leaves the log: SQLite would remove it if the
/// others end without closing the file, and a file that is marked needs its log.
pub(super) fn settle(connection: &mut Connection) {
    const ATTEMPTS: u32 = 50;
    for _ in 0..ATTEMPTS {
        match unmark(connection) {
            Err(error) if super::retry::is_busy(&error) => std::thread::sleep(Duration::from_millis(2)),
            _ => break,
        }
    }
    fold(connection);
    let is_marked = connection.query_row("SELECT log FROM file", [], |row| row.get(0)).unwrap_or(true);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, is_marked).ok();
}

fn unmark(connection: &mut Connection) -> rusqlite::Result<()> {
    let is_marked: bool = connection.query_row("SELECT log FROM file", [], |row| row.get(0))?;
    if !is_marked {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute("UPDATE file SET log = 0", [])?;
    transaction.commit()
}

/// A file that says that a log belongs to it must have one.
pub(super) fn check_present(path: &Path, shown: &Path) -> Result<(), StoreError> {
    for _ in 0..3 {
        let is_alone = || !beside(path, "-wal").exists();
        if !(is_alone() && is_marked(path) && is_alone()) {
            return Ok(());
        }
        // Somebody may have opened, written and closed it between these looks; hardly three times.
        std::thread::sleep(Duration::from_millis(20));
    }
    Err(StoreError::LogMissing { place: shown.into() })
}

/// What the file alone says. One that cannot be read so is for others to judge.
fn is_marked(path: &Path) -> bool {
    let read = || -> Result<bool, TransactionError> {
        let connection = frozen(path)?;
        Ok(connection.query_row("SELECT log FROM file WHERE id = 1", [], |row| row.get(0))?)
    };
    path.exists() && read().unwrap_or(false)
}

/// A connection that takes the file for something that nobody changes: needs no log, no locks, no
/// rights to write.
pub(super) fn frozen(path: &Path) -> Result<Connection, TransactionError> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(address(path), flags)?;
    disarm(&connection)?;
    Ok(connection)
}

/// The path as an address, with what has a meaning in addresses escaped  [RFC 3986, §2.1].
fn address(path: &Path) -> String {
    let escaped = path.as_os_str().as_encoded_bytes().iter().map(|byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' => char::from(*byte).to_string(),
        other => format!("%{other:02X}"),
    });
    format!("file:{}?immutable=1", escaped.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Another process that was writing when this one closed, and ended without closing the file.
    #[test]
    fn a_marked_file_keeps_its_log_whoever_closes_it_last() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.db");
        let open = || {
            let connection = Connection::open(&path).unwrap();
            connection.pragma_update(None, "journal_mode", "WAL").unwrap();
            connection.busy_timeout(Duration::ZERO).unwrap();
            connection
        };
        let mut closing = open();
        closing
            .execute_batch(
                "CREATE TABLE file (id INTEGER PRIMARY KEY, log INTEGER); INSERT INTO file VALUES (1, 0)",
            )
            .unwrap();
        assert!(mark(&closing).unwrap());
        let dying = open();
        dying.execute_batch("BEGIN IMMEDIATE").unwrap();
        settle(&mut closing);
        dying.execute_batch("ROLLBACK").unwrap();
        // The end of a process removes no log.
        dying.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).unwrap();
        drop((dying, closing));
        assert!(is_marked(&path) && beside(&path, "-wal").exists());
        assert!(check_present(&path, &path).is_ok());

        let mut last = open();
        settle(&mut last);
        drop(last);
        assert!(!is_marked(&path) && !beside(&path, "-wal").exists(), "the next one tidies up");
    }

    #[test]
    fn addresses_escape_what_has_a_meaning() {
        assert_eq!(address(Path::new("/a b/ü?.db")), "file:/a%20b/%C3%BC%3F.db?immutable=1");
    }
}
