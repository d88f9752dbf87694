//! Runs whatever of a plan is not done yet, several runs side by side.
//!
//! Laws: after any number of interruptions, anywhere, the ledger holds the same set of runs as without them; a run that
//! is there is never made again; the number of workers changes the order of lines and nothing else.
use crate::error::BenchError;
use crate::experiment::Experiment;
use crate::ledger::Ledger;
use crate::plan::Plan;
use crate::run::{Key, Run};
use crate::workbench::{Settings, Workbench};
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
pub struct Crew<'a> {
    /// Runs side by side.
    pub workers: usize,
    /// Programs and folders.
    pub settings: &'a Settings,
    /// Asked before every trial: stop now?
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Told at the beginning and after every run.
    pub watch: &'a (dyn Fn(&Progress) + Sync),
}

impl Crew<'_> {
    /// Makes the runs of a plan that are not in the ledger of this folder.
    pub fn run(&self, experiment: &Experiment, plan: &Plan, folder: &Path) -> Result<Summary, BenchError> {
        let ledger = Ledger::open(folder, experiment.name)?;
        let (done, open): (Vec<Key>, Vec<Key>) =
            experiment.keys(plan).into_iter().partition(|key| ledger.has(key));
        let wanted = open.len();
        let shared = Mutex::new(Shared {
            ledger,
            open: open.into_iter().rev().collect(),
            summary: Summary { before: done.len(), ..Summary::default() },
            done: 0,
            wanted,
            trouble: None,
        });
        (self.watch)(&lock(&shared).progress(None));
        std::thread::scope(|scope| {
            for _ in 0..self.workers.clamp(1, wanted.max(1)) {
                scope.spawn(|| self.work(experiment, &shared));
            }
        });
        let mut shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        shared.summary.is_interrupted = (self.stop)() && shared.done < shared.wanted;
        shared.trouble.map_or(Ok(shared.summary), Err)
    }

    fn work(&self, experiment: &Experiment, shared: &Mutex<Shared>) {
        let mut bench = Workbench::new(self.settings, self.stop);
        while !(self.stop)() {
            let Some(key) = lock(shared).next() else { return };
            let result = (experiment.work)(&key, &mut bench);
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

struct Shared {
    ledger: Ledger,
    /// Last one first.
    open: Vec<Key>,
    summary: Summary,
    done: usize,
    wanted: usize,
    /// The ledger cannot be written.
    trouble: Option<BenchError>,
}

impl Shared {
    /// The next run that does not need what is known to be missing.
    fn next(&mut self) -> Option<Key> {
        while let Some(key) = self.open.pop() {
            if self.trouble.is_some() {
                return None;
            }
            let why =
                self.summary.missing.get(&key.method).or_else(|| self.summary.missing.get(&key.problem));
            match why.cloned() {
                None => return Some(key),
                Some(why) => self.note_missing(key, why),
            }
        }
        None
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
        if let Err(trouble) = self.ledger.append(run) {
            self.trouble = Some(trouble);
        }
    }

    fn progress(&self, ended: Option<Key>) -> Progress {
        Progress { ended, done: self.done, wanted: self.wanted, before: self.summary.before }
    }
}
