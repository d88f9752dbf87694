//! Interrupted anywhere and run again: the same set of runs. A run is a pure function of its key.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests read what was written")]
use arbora_bench::experiment::{Experiment, by_name};
use arbora_bench::job::{self, Worker};
use arbora_bench::plan::RunPlan;
use arbora_bench::results::{Blocks, Measure};
use arbora_bench::worker_pool::{Summary, WorkerPool};
use arbora_bench::{BenchError, Context, Key, Run, RunLog, Settings};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

fn plan() -> RunPlan {
    RunPlan::new(["tree-small", "zaefferer-c"], 6, &["random", "tpe"], 3)
}

fn run(experiment: &Experiment, plan: &RunPlan, folder: &Path, stop_after: usize) -> Summary {
    let asked = AtomicUsize::new(0);
    let stop = || asked.fetch_add(1, Ordering::SeqCst) >= stop_after;
    let settings = Settings::default();
    let crew = WorkerPool { workers: 2, settings: &settings, stop: &stop, watch: &|_| {} };
    crew.run(experiment, plan, folder).unwrap()
}

fn content(folder: &Path, name: &str) -> Vec<Run> {
    RunLog::read(folder, name).unwrap().into_iter().map(Run::timeless).collect()
}

#[test]
fn interruptions_change_nothing() {
    let experiment = by_name("x4").unwrap();
    let (whole, pieces) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let at_once = run(experiment, &plan(), whole.path(), usize::MAX);
    assert_eq!((at_once.made, at_once.before, at_once.is_interrupted), (12, 0, false));
    let (mut made, mut rounds) = (0, 0);
    loop {
        // A different place to stop every time.
        let part = run(experiment, &plan(), pieces.path(), 9 + 7 * rounds);
        assert_eq!(part.before, made, "what is there is not made again");
        made += part.made;
        rounds += 1;
        if !part.is_interrupted {
            break;
        }
    }
    assert!(rounds > 2, "it was interrupted");
    assert_eq!(content(pieces.path(), "x4"), content(whole.path(), "x4"));
    let lines = std::fs::read_to_string(pieces.path().join("x4.jsonl")).unwrap().lines().count();
    assert_eq!(lines, 12, "every run once");
}

#[test]
fn a_run_is_a_function_of_its_key() {
    let settings = Settings::default();
    let never = || false;
    let mut worker = Worker::new(Context::new(&settings, &never));
    for experiment in ["x1", "x4", "x6", "x7"].map(|name| by_name(name).unwrap()) {
        let plan = (experiment.plan)(arbora_bench::plan::Size::Quick);
        let mut keys = experiment.keys(&plan);
        keys.truncate(2);
        for mut key in keys {
            key.trials = key.trials.min(8);
            let again: Vec<Run> =
                (0..2).map(|_| (experiment.job)(&key, &mut worker).unwrap().timeless()).collect();
            assert_eq!(again[0], again[1], "{key}");
        }
    }
}

#[test]
fn methods_of_a_seed_start_from_the_same_points() {
    let settings = Settings::default();
    let never = || false;
    let mut worker = Worker::new(Context::new(&settings, &never));
    let mut first = BTreeSet::new();
    for method in ["random", "tpe", "gp-conditional"] {
        let key = Key {
            experiment: "x4".into(),
            problem: "tree-small".into(),
            method: method.into(),
            seed: 5,
            trials: 4,
        };
        let run = job::search_from_branches(&key, &mut worker).unwrap();
        first.insert(serde_json::to_string(&run.best).unwrap());
    }
    assert_eq!(first.len(), 1, "{first:?}");
}

fn broken(key: &Key, _: &mut Worker<'_>) -> Result<Run, BenchError> {
    match key.method.as_str() {
        "peer/absent" => Err(BenchError::Missing { why: "absent is not installed".into() }),
        "tpe" if key.seed == 1 => Err(BenchError::Process { program: "p".into(), problem: "died".into() }),
        _ => Ok(Run::new(key.clone())),
    }
}

#[test]
fn what_fails_is_named_and_the_rest_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let experiment = Experiment {
        name: "toy",
        short: "toy",
        log: "toy",
        title: "",
        source: "",
        plan: |_| RunPlan::new(["p"], 1, &["random", "tpe", "peer/absent"], 3),
        job: broken,
        measure: Measure::Loss,
        blocks: Blocks::Problems,
        claims: |_| Vec::new(),
    };
    let plan = (experiment.plan)(arbora_bench::plan::Size::Quick);
    let summary = run(&experiment, &plan, folder.path(), usize::MAX);
    assert_eq!((summary.made, summary.failed.len()), (5, 1));
    assert_eq!(summary.missing.keys().collect::<Vec<_>>(), ["peer/absent"]);
    let again = run(&experiment, &plan, folder.path(), usize::MAX);
    assert_eq!((again.made, again.before), (0, 5), "failures are tried again, results are not");
}
