//! Signs of life for running trials, from a thread of its own that needs no interpreter: an objective that holds the
//! interpreter's lock for an hour is alive all the same.
use arbora_store::{Heartbeat, StoreError};
use pyo3::prelude::*;
use std::collections::BTreeSet;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Beats for the trials it was told about until it is dropped or stopped.
#[pyclass(name = "Heartbeat", module = "arbora._arbora", frozen)]
pub(crate) struct PyHeartbeat {
    shared: Arc<Shared>,
    process: u32,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    trials: BTreeSet<u64>,
    lost: BTreeSet<u64>,
    is_over: bool,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the next beat; false once it is over.
    fn wait(&self, interval: Duration) -> bool {
        let is_on = |state: &mut State| !state.is_over;
        let waited = self.changed.wait_timeout_while(self.state(), interval, is_on);
        !waited.unwrap_or_else(PoisonError::into_inner).0.is_over
    }

    fn beat(&self, heart: &Heartbeat) {
        let trials: Vec<u64> = self.state().trials.iter().copied().collect();
        for trial in trials {
            // Only a lease that is gone for good ends the beating; trouble with the disk may pass.
            if let Err(StoreError::LeaseLost { .. }) = heart.send(trial) {
                let mut state = self.state();
                if state.trials.remove(&trial) {
                    state.lost.insert(trial);
                }
            }
        }
    }
}

impl PyHeartbeat {
    /// Starts the thread. Without a lease nothing needs to be done.
    pub(crate) fn start(heart: Heartbeat) -> Self {
        let shared = Arc::new(Shared { state: Mutex::default(), changed: Condvar::new() });
        if let Some(interval) = heart.interval() {
            let theirs = Arc::clone(&shared);
            let beating = move || {
                while theirs.wait(interval) {
                    theirs.beat(&heart);
                }
            };
            // Where no thread can be had, trials may look stale; they can still be told.
            drop(std::thread::Builder::new().name("arbora-heartbeat".to_owned()).spawn(beating));
        }
        Self { shared, process: std::process::id() }
    }
}

#[pymethods]
impl PyHeartbeat {
    /// Begins to beat for a trial.
    fn add(&self, trial: u64) {
        self.shared.state().trials.insert(trial);
    }

    /// Ends it; true if the lease was kept all the time.
    fn remove(&self, trial: u64) -> bool {
        let mut state = self.shared.state();
        state.trials.remove(&trial);
        !state.lost.remove(&trial)
    }

    /// Ends the thread.
    fn stop(&self) {
        self.shared.state().is_over = true;
        self.shared.changed.notify_all();
    }
}

impl Drop for PyHeartbeat {
    fn drop(&mut self) {
        // In a forked child there is no such thread, and its lock may have been held for good.
        if self.process == std::process::id() {
            self.stop();
        }
    }
}
