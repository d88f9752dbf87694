//! The lock of those who suggest, as a file beside the file of studies.
//!
//! Whoever has the lock of the file removes it, and only then lets go: no file stays behind. Others
//! may have opened that very file and get its lock afterwards; a lock counts only if its file is
//! still the one of that name. If a process is killed while it has the lock, the file stays until
//! the next one has had it.
use crate::error::StoreError;
use crate::suggest_lock::{Queue, SuggestLock};
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

struct Locked {
    file: File,
    path: PathBuf,
}

impl Drop for Locked {
    fn drop(&mut self) {
        std::fs::remove_file(&self.path).ok();
        // Closing the file would do; saying so does it even if a forked child has the file as well.
        self.file.unlock().ok();
    }
}

/// Waits for the lock of a file; goes ahead where that is impossible.
pub(super) fn wait(path: &Path) -> Result<SuggestLock, StoreError> {
    let mut queue = Queue::default();
    let mut is_immediate = true;
    loop {
        let opened = File::options().create(true).truncate(false).write(true).open(path);
        let Ok(file) = opened else { return Ok(SuggestLock::none()) };
        match file.try_lock() {
            Ok(()) if is_at(&file, path) => {
                let locked = Locked { file, path: path.to_owned() };
                return Ok(SuggestLock::held_by(locked, is_immediate && queue.is_empty()));
            }
            // Its holder removed it before letting go.
            Ok(()) => {
                is_immediate = false;
                continue;
            }
            Err(TryLockError::Error(_)) => return Ok(SuggestLock::none()),
            Err(TryLockError::WouldBlock) => {}
        }
        drop(file);
        if !queue.sleep()? {
            return Ok(SuggestLock::none());
        }
    }
}

/// Is the file of that name still this one?
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |found: std::fs::Metadata| (found.dev(), found.ino());
    match (file.metadata(), path.metadata()) {
        (Ok(ours), Ok(named)) => identity(ours) == identity(named),
        _ => false,
    }
}

/// Elsewhere a file that is open keeps its name until it is closed.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suggest_lock::assert_one_at_a_time;

    #[test]
    fn one_at_a_time_and_nothing_is_left_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        assert_one_at_a_time(|| wait(&path).unwrap());
        assert!(!path.exists(), "a file is left behind");
    }

    #[test]
    fn what_a_killed_worker_left_behind_goes_with_the_next_lock() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        File::create_new(&path).unwrap();
        drop(wait(&path).unwrap());
        assert!(!path.exists());
    }

    #[test]
    fn where_nothing_can_be_locked_everybody_goes_ahead() {
        let nowhere = Path::new("no/such/folder/lock");
        let locks = [wait(nowhere).unwrap(), wait(nowhere).unwrap()];
        assert!(locks.iter().all(|lock| !lock.is_held()));
    }
}
