//! Whose turn is it to suggest?
//!
//! That no two workers get one trial follows from the requirement checked when it is written. This lock is there for
//! speed alone: while one worker computes a suggestion the others wait, for what they would compute meanwhile would
//! be refused. Processes queue at a file lock, which the kernel releases when its holder dies; threads that share a
//! store in memory queue at a flag. Where files cannot be locked everybody goes ahead.
use std::fs::File;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// A turn; it ends when this is dropped.
#[must_use = "the turn ends when this is dropped"]
pub struct Turn(Held);

enum Held {
    Nothing,
    File(File),
    Flag(Arc<Flag>),
}

impl Turn {
    /// Everybody's turn.
    pub fn free() -> Self {
        Self(Held::Nothing)
    }

    /// Waits in the line of a file; goes ahead where that is impossible.
    pub(crate) fn wait_at_file(path: &Path) -> Self {
        let opened = File::options().create(true).truncate(false).write(true).open(path);
        let Ok(file) = opened else { return Self::free() };
        loop {
            match file.lock() {
                Ok(()) => return Self(Held::File(file)),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => return Self::free(),
            }
        }
    }

    /// Waits in the line of a flag.
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
            // Closing the file would do; saying so does it even if a forked child has the file as well.
            Held::File(file) => drop(file.unlock()),
            Held::Flag(flag) => {
                *flag.is_up.lock().unwrap_or_else(PoisonError::into_inner) = false;
                flag.lowered.notify_one();
            }
        }
    }
}

/// A line for threads.
#[derive(Default)]
pub(crate) struct Flag {
    is_up: Mutex<bool>,
    lowered: Condvar,
}
