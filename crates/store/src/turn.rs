//! Whose turn is it to suggest?
//!
//! That no two workers get one trial follows from the requirement checked when it is written. This lock is there for
//! speed alone: while one worker computes a suggestion the others wait, for what they would compute meanwhile would
//! be refused. Processes wait for a file lock, which the kernel releases when its holder dies; threads that share a
//! store in memory wait for a flag. Where files cannot be locked, or the holder has been stopped, everybody goes ahead.
//!
//! Whoever has the lock of the file removes it, and only then lets go: no file stays behind. Others may have opened
//! that very file and get its lock afterwards; a lock counts only if its file is still the one of that name. Of a
//! process that was killed in its turn the file stays until the next turn.
#[cfg(feature = "sqlite")]
use std::fs::File;
#[cfg(feature = "sqlite")]
use std::path::PathBuf;

use crate::error::StoreError;
use crate::patience::{Pace, Waiting};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

const PACE: Pace = Pace {
    first: Duration::from_millis(1),
    longest: Duration::from_millis(20),
    // Longer than most suggestions take; a worker that was stopped by a signal must not stop all others.
    in_all: Duration::from_mins(1),
};

/// What is waited for, in words.
fn what() -> String {
    "another worker of this study to make its suggestion".to_owned()
}

/// A turn; it ends when this is dropped.
#[must_use = "the turn ends when this is dropped"]
pub struct Turn(Held);

enum Held {
    Nothing,
    #[cfg(feature = "sqlite")]
    File(File, PathBuf),
    Flag(Arc<Flag>),
}

impl Turn {
    /// Everybody's turn.
    pub fn free() -> Self {
        Self(Held::Nothing)
    }

    /// Waits for a flag.
    pub(crate) fn wait_at_flag(flag: &Arc<Flag>) -> Result<Self, StoreError> {
        let mut waiting = None;
        let mut is_up = flag.is_up.lock().unwrap_or_else(PoisonError::into_inner);
        while *is_up {
            let woken = flag.lowered.wait_timeout(is_up, PACE.longest);
            is_up = woken.unwrap_or_else(PoisonError::into_inner).0;
            let waiting = waiting.get_or_insert_with(|| Waiting::begin(PACE));
            // Threads of one process cannot be stopped one by one: this wait ends only with the turn, or by a signal.
            waiting.look(what)?;
        }
        *is_up = true;
        Ok(Self(Held::Flag(flag.clone())))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        match &self.0 {
            Held::Nothing => {}
            #[cfg(feature = "sqlite")]
            Held::File(file, path) => {
                std::fs::remove_file(path).ok();
                // Closing the file would do; saying so does it even if a forked child has the file as well.
                file.unlock().ok();
            }
            Held::Flag(flag) => {
                *flag.is_up.lock().unwrap_or_else(PoisonError::into_inner) = false;
                flag.lowered.notify_one();
            }
        }
    }
}

/// What threads wait for.
#[derive(Default)]
pub(crate) struct Flag {
    is_up: Mutex<bool>,
    lowered: Condvar,
}

#[cfg(feature = "sqlite")]
mod at_file {
    use super::{File, Held, PACE, StoreError, Turn, Waiting, what};
    use std::fs::TryLockError;
    use std::path::Path;

    impl Turn {
        /// Waits for the lock of a file; goes ahead where that is impossible.
        pub(crate) fn wait_at_file(path: &Path) -> Result<Self, StoreError> {
            let mut waiting = None;
            loop {
                let opened = File::options().create(true).truncate(false).write(true).open(path);
                let Ok(file) = opened else { return Ok(Self::free()) };
                match file.try_lock() {
                    Ok(()) if is_at(&file, path) => return Ok(Self(Held::File(file, path.to_owned()))),
                    // Its holder removed it before letting go.
                    Ok(()) => continue,
                    Err(TryLockError::Error(_)) => return Ok(Self::free()),
                    Err(TryLockError::WouldBlock) => {}
                }
                drop(file);
                let waiting = waiting.get_or_insert_with(|| Waiting::begin(PACE));
                if !waiting.wait(what)? {
                    return Ok(Self::free());
                }
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
}

#[cfg(all(test, feature = "sqlite"))]
mod tests {
    use super::*;
    use std::path::Path;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Four threads, one turn at a time.
    fn assert_one_at_a_time(wait: impl Fn() -> Turn + Sync) {
        let (inside, turns) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        let turn = wait();
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0, "two turns at once");
                        turns.fetch_add(1, Ordering::SeqCst);
                        inside.fetch_sub(1, Ordering::SeqCst);
                        drop(turn);
                    }
                });
            }
        });
        assert_eq!(turns.into_inner(), 200);
    }

    #[test]
    fn turns_come_one_at_a_time_and_leave_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("turn");
        assert_one_at_a_time(|| Turn::wait_at_file(&path).unwrap());
        assert!(!path.exists(), "a file is left behind");
        let flag = Arc::default();
        assert_one_at_a_time(|| Turn::wait_at_flag(&flag).unwrap());
    }

    #[test]
    fn what_a_killed_worker_left_behind_goes_with_the_next_turn() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("turn");
        File::create_new(&path).unwrap();
        drop(Turn::wait_at_file(&path).unwrap());
        assert!(!path.exists());
    }

    #[test]
    fn where_nothing_can_be_locked_everybody_goes_ahead() {
        let nowhere = Path::new("no/such/folder/turn");
        let turns = [Turn::wait_at_file(nowhere).unwrap(), Turn::wait_at_file(nowhere).unwrap()];
        assert!(turns.iter().all(|turn| matches!(turn.0, Held::Nothing)));
    }
}
