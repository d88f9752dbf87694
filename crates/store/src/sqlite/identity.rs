//! Is the file that was opened still the one of that name?
//!
//! An open file can be deleted, moved or replaced, and writing to it goes on without an error: into
//! nothing. So the file and its log are compared with those of their names before a transaction is
//! committed. Two looks at a folder cost some microseconds; a commit waits for the disk.
#![allow(clippy::disallowed_methods, reason = "files are looked at here")]
use super::file::{beside, is_at_work};
use crate::error::StoreError;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What a name stands for at a moment: device and number of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Identity(u64, u64);

impl Identity {
    #[cfg(unix)]
    fn of(path: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        path.metadata().ok().map(|found| Self(found.dev(), found.ino()))
    }

    /// Elsewhere an open file cannot be deleted or moved; that it is there is all that is compared.
    #[cfg(not(unix))]
    fn of(path: &Path) -> Option<Self> {
        path.metadata().ok().map(|_| Self(0, 0))
    }
}

/// Length and time of the last change.
fn state(path: &Path) -> Option<(u64, SystemTime)> {
    let found = path.metadata().ok()?;
    Some((found.len(), found.modified().ok()?))
}

/// The file that was opened, and its log once it has one.
#[derive(Debug)]
pub(super) struct Opened {
    path: PathBuf,
    log_path: PathBuf,
    file: Option<Identity>,
    log: Option<Identity>,
    state: Option<(u64, SystemTime)>,
}

impl Opened {
    /// As it is now, which is as it was opened.
    pub(super) fn now(path: &Path) -> Self {
        let log_path = beside(path, "-wal");
        let (file, log) = (Identity::of(path), Identity::of(&log_path));
        Self { path: path.to_owned(), log_path, file, log, state: state(path) }
    }

    /// The file that was there before, if there was one, is the one that was opened.
    pub(super) fn expect_same(&self, opened: &Self, shown: &Path) -> Result<(), StoreError> {
        if self.file.is_none() || self.file == opened.file {
            return Ok(());
        }
        Err(StoreError::Replaced { place: shown.into(), problem: "was replaced by another file" })
    }

    /// Nobody has written to it since.
    pub(super) fn expect_unchanged(&self, shown: &Path) -> Result<(), StoreError> {
        if self.state == state(&self.path) && !is_at_work(&self.path, "-wal") {
            return Ok(());
        }
        let problem = "somebody else is writing it, and reading along needs the right to write in its folder"
            .to_owned();
        Err(StoreError::ReadOnly { place: shown.into(), problem })
    }

    /// What became of it, if it is not what it was; `shown` is its name for people.
    pub(super) fn check(&mut self, shown: &Path) -> Result<(), StoreError> {
        let replaced = |problem| Err(StoreError::Replaced { place: shown.into(), problem });
        match (self.file, Identity::of(&self.path)) {
            (_, None) => return replaced("was deleted or moved"),
            (then, now) if then != now => return replaced("was replaced by another file"),
            _ => {}
        }
        let log = Identity::of(&self.log_path);
        match (self.log, log) {
            (Some(_), None) => return replaced("lost its log (the file of its name with `-wal` at the end)"),
            (Some(then), Some(now)) if then != now => return replaced("got another log"),
            _ => self.log = log,
        }
        Ok(())
    }
}
