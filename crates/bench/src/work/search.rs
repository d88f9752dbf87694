//! A contender searches a problem, both by name.
use crate::error::BenchError;
use crate::race::race;
use crate::run::{Key, Run};
use crate::workbench::Workbench;
use arbora_search::Design;
use arbora_search::design::{OnePerBranch, RandomDesign};

/// From wherever the contender starts.
pub fn search(key: &Key, bench: &mut Workbench<'_>) -> Result<Run, BenchError> {
    from(key, bench, None)
}

/// From one random point per branch, the same for all  [Jenatton et al. 2017].
pub fn search_from_branches(key: &Key, bench: &mut Workbench<'_>) -> Result<Run, BenchError> {
    from(key, bench, Some(&OnePerBranch { at_least: 1, at_most: 20 }))
}

/// From three random points, the same for all  [Zaefferer & Horn 2018].
pub fn search_from_draws(key: &Key, bench: &mut Workbench<'_>) -> Result<Run, BenchError> {
    from(key, bench, Some(&RandomDesign { count: 3 }))
}

fn from(key: &Key, bench: &mut Workbench<'_>, start: Option<&dyn Design>) -> Result<Run, BenchError> {
    let contender = bench.contender(&key.method)?;
    let stop = bench.stopper();
    bench.with_problem(&key.problem, key.seed, |session| {
        race(key.clone(), session, contender.as_ref(), start, stop)
    })
}
