//! Waiting for others: one way of doing it, wherever this crate waits.
//!
//! Ours hold a file or a lock for moments, so waiting is nearly always right: sleeps drawn at
//! random from a range that doubles up to a limit keep many processes from knocking in step.
//! Whoever waits for longer is heard and hears: after [`SAY_AFTER`] it is said what is waited for,
//! and an interrupt ends the wait. An interrupt leaves a wait [`GRACE`] in all, for what is to be
//! written down on the way out should not fail over a neighbour's commit.
//!
//! Signals reach a process, not a store, so a process says once how it is interrupted:
//! [`WaitHooks::install`].
#![allow(clippy::disallowed_methods, reason = "waiting is measured by the clock")]
use crate::error::StoreError;
use arbora_space::Rng;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

/// People begin to wonder after this.
const SAY_AFTER: Duration = Duration::from_secs(2);
/// A hundred times what a commit takes.
const GRACE: Duration = Duration::from_secs(1);
/// Between two questions whether to stop: asking may be dear, and nobody notices a twentieth of a
/// second.
const ASK_EVERY: Duration = Duration::from_millis(50);

static OF_PROCESS: RwLock<Option<WaitHooks>> = RwLock::new(None);

/// What a process does while it waits: asks whether to stop, and says what it waits for.
#[derive(Clone)]
pub struct WaitHooks {
    is_interrupted: Arc<dyn Fn() -> bool + Send + Sync>,
    say: Arc<dyn Fn(&str) + Send + Sync>,
}

impl Default for WaitHooks {
    /// Never interrupted, and silent.
    fn default() -> Self {
        Self::new(|| false, |_| {})
    }
}

impl WaitHooks {
    /// `is_interrupted` is asked from any thread, about twenty times a second while something is
    /// waited for; `say` is told once per wait what that is.
    pub fn new(
        is_interrupted: impl Fn() -> bool + Send + Sync + 'static,
        say: impl Fn(&str) + Send + Sync + 'static,
    ) -> Self {
        Self { is_interrupted: Arc::new(is_interrupted), say: Arc::new(say) }
    }

    /// From now on every wait of this process follows it.
    pub fn install(self) {
        *OF_PROCESS.write().unwrap_or_else(PoisonError::into_inner) = Some(self);
    }

    pub(crate) fn of_process() -> Self {
        OF_PROCESS.read().unwrap_or_else(PoisonError::into_inner).clone().unwrap_or_default()
    }
}

/// How long to sleep and how long in all.
#[derive(Clone, Copy)]
pub(crate) struct Pace {
    pub(crate) first: Duration,
    pub(crate) longest: Duration,
    pub(crate) in_all: Duration,
}

/// One wait, from its first sleep on.
pub(crate) struct Waiting {
    pace: Pace,
    hooks: WaitHooks,
    since: Instant,
    range: Duration,
    asked: Duration,
    has_spoken: bool,
    rng: Rng,
}

impl Waiting {
    pub(crate) fn begin(pace: Pace) -> Self {
        Self::with(pace, WaitHooks::of_process())
    }

    fn with(pace: Pace, hooks: WaitHooks) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let rng = Rng::for_trial(u64::from(std::process::id()), count);
        let (since, range) = (Instant::now(), pace.first);
        Self { pace, hooks, since, range, asked: Duration::ZERO, has_spoken: false, rng }
    }

    /// Sleeps once, then [`look`](Self::look)s.
    pub(crate) fn wait(&mut self, what: impl Fn() -> String) -> Result<bool, StoreError> {
        std::thread::sleep(self.range.mul_f64(self.rng.unit()));
        self.range = (self.range * 2).min(self.pace.longest);
        self.look(what)
    }

    /// False if it has been long enough; an error if it was interrupted.
    pub(crate) fn look(&mut self, what: impl Fn() -> String) -> Result<bool, StoreError> {
        let waited = self.since.elapsed();
        if waited >= self.asked + ASK_EVERY {
            self.asked = waited;
            if (self.hooks.is_interrupted)() && waited >= GRACE {
                return Err(StoreError::Interrupted { what: what() });
            }
        }
        if waited >= SAY_AFTER && !self.has_spoken {
            self.has_spoken = true;
            (self.hooks.say)(&format!("waiting for {}", what()));
        }
        Ok(waited < self.pace.in_all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use std::sync::atomic::AtomicUsize;

    const PACE: Pace = Pace {
        first: Duration::from_millis(1),
        longest: Duration::from_millis(20),
        in_all: Duration::from_mins(10),
    };

    #[test]
    fn an_interrupt_ends_a_wait_and_what_is_waited_for_is_said_once() {
        let (said, asked) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicUsize::new(0)));
        let (speaking, asking) = (said.clone(), asked.clone());
        // By its count, not by a clock: it is asked until well after the word was given.
        let is_interrupted = move || asking.fetch_add(1, Ordering::SeqCst) > 60;
        let say = move |text: &str| speaking.lock().unwrap().push(text.to_owned());
        let mut waiting = Waiting::with(PACE, WaitHooks::new(is_interrupted, say));
        let ended = loop {
            match waiting.wait(|| "`s.db`".to_owned()) {
                Ok(goes_on) => assert!(goes_on, "it gave up by itself"),
                Err(error) => break error,
            }
        };
        assert_eq!(ended, StoreError::Interrupted { what: "`s.db`".into() });
        assert_eq!(*said.lock().unwrap(), ["waiting for `s.db`"]);
        assert_eq!(asked.load(Ordering::SeqCst), 62, "asked now and then, and no more once it was told");
    }

    #[test]
    fn a_wait_has_an_end() {
        let mut waiting = Waiting::with(Pace { in_all: Duration::ZERO, ..PACE }, WaitHooks::default());
        assert_eq!(waiting.wait(String::new), Ok(false));
    }
}
