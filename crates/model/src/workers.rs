//! Worker threads. Results do not depend on their number.
use rayon::prelude::*;
use std::fmt;
use std::sync::{Arc, OnceLock};
use std::thread::available_parallelism;

/// Minimum floating-point operations for parallel work: about a millisecond of one core. Below
/// this, the suggestion benchmark gets slower with two threads.
const WORTHWHILE: usize = 20_000_000;

/// The calling thread, or a thread pool shared by all clones of this handle. The pool starts with
/// the first work that is large enough.
#[derive(Clone, Default)]
pub struct Workers {
    pool: Option<Arc<Pool>>,
}

struct Pool {
    threads: usize,
    /// `None` if the system provides no threads: then everything runs on the calling thread.
    started: OnceLock<Option<rayon::ThreadPool>>,
}

impl Pool {
    fn threads(&self) -> Option<&rayon::ThreadPool> {
        let start = || rayon::ThreadPoolBuilder::new().num_threads(self.threads).build().ok();
        self.started.get_or_init(start).as_ref()
    }
}

impl Workers {
    /// Runs everything on the calling thread.
    pub fn serial() -> Self {
        Self::default()
    }

    /// A pool of this many threads, limited to what the machine runs in parallel; one means the
    /// calling thread only.
    pub fn new(threads: usize) -> Self {
        let threads = threads.min(available_parallelism().map_or(1, usize::from));
        if threads <= 1 {
            return Self::serial();
        }
        Self { pool: Some(Arc::new(Pool { threads, started: OnceLock::new() })) }
    }

    /// Maximum number of threads.
    pub fn count(&self) -> usize {
        self.pool.as_ref().map_or(1, |pool| pool.threads)
    }

    /// These workers, or only the calling thread if the work is too small to parallelise.
    #[must_use]
    pub fn for_work(&self, operations: usize) -> Self {
        if operations < WORTHWHILE { Self::serial() } else { self.clone() }
    }

    /// f(0), …, f(count−1), always in this order.
    pub fn map<R: Send>(&self, count: usize, f: impl Fn(usize) -> R + Sync + Send) -> Vec<R> {
        match self.pool.as_ref().filter(|_| count > 1).and_then(|pool| pool.threads()) {
            Some(pool) => pool.install(|| (0..count).into_par_iter().map(f).collect()),
            None => (0..count).map(f).collect(),
        }
    }
}

impl fmt::Debug for Workers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Workers({})", self.count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_come_in_order() {
        let squares: Vec<usize> = (0..100).map(|i| i * i).collect();
        for threads in [0, 1, 3] {
            assert_eq!(Workers::new(threads).map(100, |i| i * i), squares);
        }
    }

    #[test]
    fn no_more_threads_than_the_machine_runs_and_none_before_there_is_work() {
        let machine = available_parallelism().map_or(1, usize::from);
        let workers = Workers::new(1_000_000);
        assert_eq!(workers.count(), machine);
        assert!(workers.pool.as_ref().is_none_or(|pool| pool.started.get().is_none()));
        assert_eq!(workers.map(3, |i| i), [0, 1, 2]);
    }
}
