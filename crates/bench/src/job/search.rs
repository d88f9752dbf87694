//! An optimizer searches a problem, both by name.
use super::Worker;
use crate::error::BenchError;
use crate::run::{Key, Run};
use crate::run_one::run_one;
use arbora_search::Design;
use arbora_search::design::{OnePerBranch, RandomDesign};

/// From wherever the optimizer starts.
pub fn search(key: &Key, worker: &mut Worker<'_>) -> Result<Run, BenchError> {
    from(key, worker, None)
}

/// From one random point per branch, the same for all  [Jenatton et al. 2017].
pub fn search_from_branches(key: &Key, worker: &mut Worker<'_>) -> Result<Run, BenchError> {
    from(key, worker, Some(&OnePerBranch { at_least: 1, at_most: 20 }))
}

/// From three random points, the same for all  [Zaefferer & Horn 2018].
pub fn search_from_draws(key: &Key, worker: &mut Worker<'_>) -> Result<Run, BenchError> {
    from(key, worker, Some(&RandomDesign { count: 3 }))
}

fn from(key: &Key, worker: &mut Worker<'_>, start: Option<&dyn Design>) -> Result<Run, BenchError> {
    let optimizer = worker.context.optimizer(&key.method)?;
    let stop = worker.context.stopper();
    worker.context.with_problem(&key.problem, key.seed, |task| {
        run_one(key.clone(), task, optimizer.as_ref(), start, stop)
    })
}
