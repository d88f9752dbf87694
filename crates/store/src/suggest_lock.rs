//! One worker of a study suggests at a time.
//!
//! That no two workers get one trial follows from the precondition checked when it is written. This
//! lock is there for speed alone: while one worker computes a suggestion the others wait, for what
//! they would compute meanwhile would be refused. A store brings its own kind of lock: threads that
//! share a store in memory wait for a flag, processes that share a file wait for a lock that the
//! kernel releases when its holder dies. Where nothing can be locked, or the holder has been
//! stopped, everybody goes ahead.
use crate::error::StoreError;
use crate::wait::{Pace, Waiting};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

const PACE: Pace = Pace {
    first: Duration::from_millis(1),
    longest: Duration::from_millis(20),
    // Longer than most suggestions take; a worker that was stopped by a signal must not stop all
    // others.
    in_all: Duration::from_mins(1),
};

/// What is waited for, in words.
fn what() -> String {
    "another worker of this study to make its suggestion".to_owned()
}

/// The right to suggest; it ends when this is dropped.
#[must_use = "the lock is released when this is dropped"]
pub struct SuggestLock {
    guard: Option<Box<dyn Send>>,
    is_immediate: bool,
}

impl SuggestLock {
    /// No lock: everybody goes ahead.
    pub fn none() -> Self {
        Self { guard: None, is_immediate: false }
    }

    /// Is there a lock at all?
    pub fn is_held(&self) -> bool {
        self.guard.is_some()
    }

    /// Is there a lock, and was there no wait for it? Then nobody has made a suggestion meanwhile.
    pub fn is_immediate(&self) -> bool {
        self.is_immediate
    }

    /// Released when `guard` is dropped. `is_immediate`: nobody else had it when it was wanted.
    pub fn held_by(guard: impl Send + 'static, is_immediate: bool) -> Self {
        Self { guard: Some(Box::new(guard)), is_immediate }
    }
}

/// One wait for a lock.
#[derive(Default)]
pub(crate) struct Queue(Option<Waiting>);

impl Queue {
    /// Sleeps once; false if it has been long enough to go ahead without the lock.
    #[cfg(feature = "sqlite")]
    pub(crate) fn sleep(&mut self) -> Result<bool, StoreError> {
        self.waiting().wait(what)
    }

    /// After a sleep of somebody else's making: an error if the wait was interrupted.
    fn look(&mut self) -> Result<bool, StoreError> {
        self.waiting().look(what)
    }

    /// Has there been no wait so far?
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    fn waiting(&mut self) -> &mut Waiting {
        self.0.get_or_insert_with(|| Waiting::begin(PACE))
    }
}

/// What threads of one process wait for.
#[derive(Default)]
pub(crate) struct Flag {
    is_up: Mutex<bool>,
    lowered: Condvar,
}

struct Raised(Arc<Flag>);

impl Drop for Raised {
    fn drop(&mut self) {
        *self.0.is_up.lock().unwrap_or_else(PoisonError::into_inner) = false;
        self.0.lowered.notify_one();
    }
}

impl Flag {
    /// Waits until it is down, and raises it.
    pub(crate) fn wait(self: &Arc<Self>) -> Result<SuggestLock, StoreError> {
        let mut queue = Queue::default();
        let mut is_up = self.is_up.lock().unwrap_or_else(PoisonError::into_inner);
        while *is_up {
            let woken = self.lowered.wait_timeout(is_up, PACE.longest);
            is_up = woken.unwrap_or_else(PoisonError::into_inner).0;
            // Threads of one process cannot be stopped one by one: this wait ends only with the
            // lock, or by a signal.
            queue.look()?;
        }
        *is_up = true;
        Ok(SuggestLock::held_by(Raised(self.clone()), queue.is_empty()))
    }
}

/// Four threads, one at a time.
#[cfg(test)]
pub(crate) fn assert_one_at_a_time(wait: impl Fn() -> SuggestLock + Sync) {
    use std::sync::atomic::{AtomicUsize, Ordering};
    let (inside, turns) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..50 {
                    let lock = wait();
                    assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0, "two at once");
                    turns.fetch_add(1, Ordering::SeqCst);
                    inside.fetch_sub(1, Ordering::SeqCst);
                    drop(lock);
                }
            });
        }
    });
    assert_eq!(turns.into_inner(), 200);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_wait_for_a_flag() {
        let flag: Arc<Flag> = Arc::default();
        assert_one_at_a_time(|| flag.wait().unwrap());
    }
}
