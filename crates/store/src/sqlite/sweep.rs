//! What a reader leaves behind: nothing.
//!
//! To read a file that has no log beside it, SQLite makes an empty one, and a connection that may
//! not write cannot remove it again. So when such a reader has closed, somebody who may write opens
//! and closes the file: `SQLite` itself removes a log that is empty and that nobody else uses.
#![allow(clippy::disallowed_methods, reason = "files are looked at here")]
use super::file;
use rusqlite::{Connection, OpenFlags};
use std::path::{Path, PathBuf};

/// Sweeps when it is dropped, after the connection of the reader was closed.
pub(super) struct Sweep(Option<PathBuf>);

impl Sweep {
    /// Before a reader opens the file: only a log that is not there yet is its own.
    pub(super) fn after_reading(path: &Path) -> Self {
        Self((!file::beside(path, "-wal").exists()).then(|| path.to_owned()))
    }

    /// Nothing to sweep.
    pub(super) fn nothing() -> Self {
        Self(None)
    }
}

impl Drop for Sweep {
    fn drop(&mut self) {
        let Some(path) = self.0.take() else { return };
        let is_empty = file::beside(&path, "-wal").metadata().is_ok_and(|log| log.len() == 0);
        if is_empty {
            // Where that is impossible the log stays, which harms nobody.
            let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            Connection::open_with_flags(&path, flags)
                .and_then(|connection| {
                    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))
                })
                .ok();
        }
    }
}
