//! Runs whatever of a plan is not done yet, several runs side by side.
//!
//! Laws: after any number of interruptions, anywhere, the log holds the same set of runs as without them; a run that
//! is there is never made again; the number of workers changes the order of lines and nothing else.
//!
//! A worker stays at its place (a problem and a seed) while there are runs of it, so that methods which only differ in
//! what they make of a search can share it; workers are at different places while there are enough of them.
use crate::context::{Context, Settings};
use crate::error::BenchError;
use crate::experiment::Experiment;
use crate::job::Worker;
use crate::plan::RunPlan;
use crate::run::{Key, Run};
use crate::run_log::RunLog;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How far it has come.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// The run that ended now; `None` at the beginning.
    pub ended: Option<Key>,
    /// Runs made or given up since the beginning.
    pub done: usize,
    /// Runs there were to make.
    pub wanted: usize,
    /// Runs that were there already.
    pub before: usize,
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Runs made.
    pub made: usize,
    /// Runs that were there already.
    pub before: usize,
    /// What is missing, by the method or problem that needs it.
    pub missing: BTreeMap<String, String>,
    /// Runs that ended in an error.
    pub failed: Vec<(Key, BenchError)>,
    /// Was it asked to stop?
    pub is_interrupted: bool,
}

/// Who works, with what.
pub struct WorkerPool<'a> {
    /// Runs side by side.
    pub workers: usize,
    /// Programs and folders.
    pub settings: &'a Settings,
    /// Asked before every trial: stop now?
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Told at the beginning and after every run.
    pub watch: &'a (dyn Fn(&Progress) + Sync),
}

impl WorkerPool<'_> {
    /// Makes the runs of a plan that are not in the log of this folder.
    pub fn run(&self, experiment: &Experiment, plan: &RunPlan, folder: &Path) -> Result<Summary, BenchError> {
        let log = RunLog::open(folder, experiment.log)?;
        let (done, open): (Vec<Key>, Vec<Key>) =
            experiment.keys(plan).into_iter().partition(|key| log.has(key));
        let wanted = open.len();
        let workers = self.workers.clamp(1, wanted.max(1));
        let shared = Mutex::new(Shared {
            log,
            open: open.into_iter().rev().collect(),
            at: vec![None; workers],
            summary: Summary { before: done.len(), ..Summary::default() },
            done: 0,
            wanted,
            trouble: None,
        });
        (self.watch)(&lock(&shared).progress(None));
        std::thread::scope(|scope| {
            for worker in 0..workers {
                let shared = &shared;
                scope.spawn(move || self.work(experiment, shared, worker));
            }
        });
        let mut shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        shared.summary.is_interrupted = (self.stop)() && shared.done < shared.wanted;
        shared.trouble.map_or(Ok(shared.summary), Err)
    }

    fn work(&self, experiment: &Experiment, shared: &Mutex<Shared>, place: usize) {
        let mut worker = Worker::new(Context::new(self.settings, self.stop));
        while !(self.stop)() {
            let Some(key) = lock(shared).next(place) else { return };
            let result = (experiment.job)(&key, &mut worker);
            let mut shared = lock(shared);
            if shared.take(&key, result, (self.stop)()) {
                return;
            }
            (self.watch)(&shared.progress(Some(key)));
        }
    }
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn is_same_place(a: &Key, b: &Key) -> bool {
    (a.seed, &a.problem) == (b.seed, &b.problem)
}

struct Shared {
    log: RunLog,
    /// Last one first.
    open: Vec<Key>,
    /// The run every worker took last.
    at: Vec<Option<Key>>,
    summary: Summary,
    done: usize,
    wanted: usize,
    /// The log cannot be written.
    trouble: Option<BenchError>,
}

impl Shared {
    /// The next run that does not need what is known to be missing.
    fn next(&mut self, worker: usize) -> Option<Key> {
        while let Some(key) = self.pop(worker) {
            if self.trouble.is_some() {
                return None;
            }
            let why =
                self.summary.missing.get(&key.method).or_else(|| self.summary.missing.get(&key.problem));
            match why.cloned() {
                None => {
                    self.at[worker] = Some(key.clone());
                    return Some(key);
                }
                Some(why) => self.note_missing(key, why),
            }
        }
        None
    }

    /// A run at the worker's own place, else where nobody is, else any.
    fn pop(&mut self, worker: usize) -> Option<Key> {
        let is_there = |key: &Key, at: &Option<Key>| at.as_ref().is_some_and(|at| is_same_place(key, at));
        let own = self.open.iter().rposition(|key| is_there(key, &self.at[worker]));
        let free = || self.open.iter().rposition(|key| !self.at.iter().any(|at| is_there(key, at)));
        let last = self.open.len().checked_sub(1)?;
        Some(self.open.remove(own.or_else(free).unwrap_or(last)))
    }

    /// Takes in how a run ended; true if the worker should end.
    fn take(&mut self, key: &Key, result: Result<Run, BenchError>, is_stopping: bool) -> bool {
        match result {
            Ok(run) => {
                self.summary.made += 1;
                self.write(run);
            }
            Err(BenchError::Missing { why }) => {
                let name = if key.method.contains('/') { &key.method } else { &key.problem };
                self.summary.missing.insert(name.clone(), why.clone());
                self.note_missing(key.clone(), why);
                return false;
            }
            // A process that shared our signal may have died of it.
            Err(_) if is_stopping => return true,
            Err(trouble) => self.summary.failed.push((key.clone(), trouble)),
        }
        self.done += 1;
        false
    }

    fn note_missing(&mut self, key: Key, why: String) {
        self.done += 1;
        self.write(Run::new(key).missing(why));
    }

    fn write(&mut self, run: Run) {
        if let Err(trouble) = self.log.append(run) {
            self.trouble = Some(trouble);
        }
    }

    fn progress(&self, ended: Option<Key>) -> Progress {
        Progress { ended, done: self.done, wanted: self.wanted, before: self.summary.before }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may end here")]
    use super::*;

    fn key(problem: &str, seed: u64, method: &str) -> Key {
        let (experiment, trials) = ("x".to_owned(), 1);
        Key { experiment, problem: problem.to_owned(), method: method.to_owned(), seed, trials }
    }

    #[test]
    fn workers_stay_at_their_places_and_help_each_other_in_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let places = [("a", 0), ("b", 0), ("a", 1)];
        let keys =
            places.into_iter().flat_map(|(p, seed)| ["m", "n", "o"].map(|method| key(p, seed, method)));
        let mut shared = Shared {
            log: RunLog::open(folder.path(), "x").unwrap(),
            open: keys.collect::<Vec<_>>().into_iter().rev().collect(),
            at: vec![None; 2],
            summary: Summary::default(),
            done: 0,
            wanted: 9,
            trouble: None,
        };
        let mut next = |worker| shared.next(worker).map(|key| (key.problem, key.seed, key.method));
        let taken = |problem: &str, seed, method: &str| Some((problem.to_owned(), seed, method.to_owned()));
        assert_eq!(next(0), taken("a", 0, "m"));
        assert_eq!(next(1), taken("b", 0, "m"), "where nobody is");
        assert_eq!(next(0), taken("a", 0, "n"), "the same place");
        assert_eq!(next(0), taken("a", 0, "o"));
        assert_eq!(next(0), taken("a", 1, "m"), "a place that is free");
        assert_eq!(next(0), taken("a", 1, "n"));
        assert_eq!(next(0), taken("a", 1, "o"));
        assert_eq!(next(0), taken("b", 0, "n"), "nothing else is left");
        assert_eq!(next(1), taken("b", 0, "o"));
        assert_eq!((next(0), next(1)), (None, None));
    }
}
