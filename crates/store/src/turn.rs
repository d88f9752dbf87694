//! Whose turn is it to suggest?
//!
//! That no two workers get one trial follows from the requirement checked when it is written. This lock is there for
//! speed alone: while one worker computes a suggestion the others wait, for what they would compute meanwhile would
//! be refused. Processes wait for a file lock, which the kernel releases when its holder dies; threads that share a
//! store in memory wait for a flag. Where files cannot be locked, or the holder has been stopped, everybody goes ahead.
#[cfg(feature = "sqlite")]
use std::fs::File;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// A turn; it ends when this is dropped.
#[must_use = "the turn ends when this is dropped"]
pub struct Turn(Held);

enum Held {
    Nothing,
    #[cfg(feature = "sqlite")]
    File(File),
    Flag(Arc<Flag>),
}

impl Turn {
    /// Everybody's turn.
    pub fn free() -> Self {
        Self(Held::Nothing)
    }

    /// Waits for a flag.
    pub(crate) fn wait_at_flag(flag: &Arc<Flag>) -> Self {
        let mut is_up = flag.is_up.lock().unwrap_or_else(PoisonError::into_inner);
        while *is_up {
            is_up = flag.lowered.wait(is_up).unwrap_or_else(PoisonError::into_inner);
        }
        *is_up = true;
        Self(Held::Flag(flag.clone()))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        match &self.0 {
            Held::Nothing => {}
            #[cfg(feature = "sqlite")]
            // Closing the file would do; saying so does it even if a forked child has the file as well.
            Held::File(file) => drop(file.unlock()),
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
    use super::{File, Held, Turn};
    use std::fs::TryLockError;
    use std::path::Path;
    use std::time::Duration;

    const FIRST_WAIT: Duration = Duration::from_millis(1);
    const LONGEST_WAIT: Duration = Duration::from_millis(20);
    /// Longer than most suggestions take; a worker that was stopped by a signal must not stop all others.
    const PATIENCE: Duration = Duration::from_mins(1);

    impl Turn {
        /// Waits for the lock of a file; goes ahead where that is impossible.
        pub(crate) fn wait_at_file(path: &Path) -> Self {
            let opened = File::options().create(true).truncate(false).write(true).open(path);
            let Ok(file) = opened else { return Self::free() };
            let (mut wait, mut waited) = (FIRST_WAIT, Duration::ZERO);
            while waited < PATIENCE {
                match file.try_lock() {
                    Ok(()) => return Self(Held::File(file)),
                    Err(TryLockError::Error(_)) => return Self::free(),
                    Err(TryLockError::WouldBlock) => std::thread::sleep(wait),
                }
                waited += wait;
                wait = (wait * 2).min(LONGEST_WAIT);
            }
            Self::free()
        }
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
                    for _ in 0..10 {
                        let turn = wait();
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0, "two turns at once");
                        turns.fetch_add(1, Ordering::SeqCst);
                        inside.fetch_sub(1, Ordering::SeqCst);
                        drop(turn);
                    }
                });
            }
        });
        assert_eq!(turns.into_inner(), 40);
    }

    #[test]
    fn turns_come_one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("turn");
        assert_one_at_a_time(|| Turn::wait_at_file(&path));
        let flag = Arc::default();
        assert_one_at_a_time(|| Turn::wait_at_flag(&flag));
    }

    #[test]
    fn where_nothing_can_be_locked_everybody_goes_ahead() {
        let nowhere = Path::new("no/such/folder/turn");
        let turns = [Turn::wait_at_file(nowhere), Turn::wait_at_file(nowhere)];
        assert!(turns.iter().all(|turn| matches!(turn.0, Held::Nothing)));
    }
}
