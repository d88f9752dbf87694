//! One run: an optimizer searches a problem, trial after trial.
use crate::clock::thread_seconds;
use crate::error::BenchError;
use crate::optimizer::{Optimizer, Search};
use crate::run::{Key, Run};
use crate::task::Task;
use arbora_search::{Design, SearchError};
use arbora_space::{Configuration, Space};
use std::collections::HashSet;

/// Runs it. A design, if given, is evaluated first and told to the optimizer, so that all start from the same points.
/// `stop` is asked before every trial: a run that is asked to stop is no run.
pub fn run_one(
    key: Key,
    task: &mut dyn Task,
    optimizer: &dyn Optimizer,
    start: Option<&dyn Design>,
    stop: &dyn Fn() -> bool,
) -> Result<Run, BenchError> {
    let mut racing = Racing::new(key, task, optimizer, start)?;
    for trial in 0..racing.run.key.trials {
        if stop() {
            return Err(BenchError::Interrupted);
        }
        if !racing.step(trial, task)? {
            break;
        }
    }
    racing.finish(task)
}

struct Racing<'d> {
    run: Run,
    space: Space,
    search: Box<dyn Search>,
    start: Option<&'d dyn Design>,
    seen: HashSet<Configuration>,
    incumbent: Option<Configuration>,
    /// The least loss that the task told, noise included: what the incumbent is chosen by.
    least: f64,
}

impl<'d> Racing<'d> {
    fn new(
        key: Key,
        task: &dyn Task,
        optimizer: &dyn Optimizer,
        start: Option<&'d dyn Design>,
    ) -> Result<Self, BenchError> {
        let space = task.space().clone();
        let search = optimizer.open(&space, key.seed, key.trials)?;
        Ok(Self {
            run: Run::new(key),
            space,
            search,
            start,
            seen: HashSet::new(),
            incumbent: None,
            least: f64::INFINITY,
        })
    }

    /// One trial; false if there is nothing left to try.
    fn step(&mut self, trial: usize, task: &mut dyn Task) -> Result<bool, BenchError> {
        let planned = match self.start {
            Some(design) => design.point(&self.space, trial, self.run.key.seed)?,
            None => None,
        };
        let begun = thread_seconds();
        let configuration = match planned.map_or_else(|| self.search.ask(), Ok) {
            Ok(configuration) => configuration,
            Err(BenchError::Search(SearchError::Exhausted { .. } | SearchError::NothingNew { .. })) => {
                return Ok(false);
            }
            Err(trouble) => return Err(trouble),
        };
        let asking = thread_seconds() - begun;
        let loss = task.evaluate(&configuration, trial)?;
        let begun = thread_seconds();
        self.search.tell(&configuration, loss)?;
        self.run.last = asking + thread_seconds() - begun + self.search.seconds_elsewhere();
        self.run.seconds += self.run.last;
        self.note(trial, configuration, loss, task);
        Ok(true)
    }

    fn note(&mut self, trial: usize, configuration: Configuration, loss: Option<f64>, task: &dyn Task) {
        match loss {
            Some(loss) if loss < self.least => {
                self.least = loss;
                self.run.best.push((trial, task.judged(&configuration, loss)));
                self.incumbent = Some(configuration.clone());
            }
            Some(_) => {}
            None => self.run.failures += 1,
        }
        if !self.seen.insert(configuration) {
            self.run.repeats += 1;
        }
    }

    fn finish(mut self, task: &mut dyn Task) -> Result<Run, BenchError> {
        if let Some(incumbent) = &self.incumbent {
            self.run.chosen = decisions(&self.space, incumbent);
            self.run.test = task.test(incumbent)?;
        }
        Ok(self.run)
    }
}

/// The decisions of a configuration among labels, such as `classifier=svm`.
pub fn decisions(space: &Space, configuration: &Configuration) -> String {
    let is_labelled = |id| space.is_decider(id) && space.parameter(id).domain().labels().is_some();
    let decided = configuration.iter().filter(|(id, _)| is_labelled(*id));
    let words = decided.map(|(id, value)| format!("{}={value}", space.parameter(id).name()));
    words.collect::<Vec<_>>().join(", ")
}
