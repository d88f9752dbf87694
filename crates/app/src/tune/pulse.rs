//! Signs of life for a trial, from a thread of its own: a file that another program holds must not keep those who
//! watch the trial's program from its time limit.
use arbora_store::{Heartbeat, StoreError};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

/// Beats until it is dropped.
pub(super) struct Pulse {
    is_lost: Arc<AtomicBool>,
    /// Dropped to end the thread.
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Pulse {
    /// Begins with the signs of life of one trial; none are given where the worker has no lease.
    pub(super) fn begin(heartbeat: &Heartbeat, trial: u64) -> io::Result<Self> {
        let is_lost = Arc::new(AtomicBool::new(false));
        let Some(interval) = heartbeat.interval() else {
            return Ok(Self { is_lost, end: None, thread: None });
        };
        let (end, ended) = mpsc::channel();
        let (heartbeat, lost) = (heartbeat.clone(), Arc::clone(&is_lost));
        let beating = move || beat(&heartbeat, trial, interval, &ended, &lost);
        let thread = Builder::new().name(format!("pulse of trial {trial}")).spawn(beating)?;
        Ok(Self { is_lost, end: Some(end), thread: Some(thread) })
    }

    /// Has somebody else taken the trial?
    pub(super) fn is_lost(&self) -> bool {
        self.is_lost.load(Ordering::SeqCst)
    }
}

fn beat(heartbeat: &Heartbeat, trial: u64, interval: Duration, ended: &Receiver<()>, lost: &AtomicBool) {
    while ended.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
        // A store that cannot be written now may be later: only a lost lease ends the work.
        if matches!(heartbeat.send(trial), Err(StoreError::LeaseLost { .. })) {
            lost.store(true, Ordering::SeqCst);
            return;
        }
    }
}

impl Drop for Pulse {
    /// Waits for the thread, which may be in the middle of a beat: it holds the store, and who leaves last tidies it.
    fn drop(&mut self) {
        self.end.take();
        if let Some(thread) = self.thread.take() {
            thread.join().ok();
        }
    }
}
