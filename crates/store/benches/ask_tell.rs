//! How much CPU time do asking and telling take, besides the suggestion itself?
//!
//! `cargo bench -p arbora-store --bench ask_tell`
//!
//! 200 trials of a conditional space by the strategy `random`, in memory and in a file. The best of
//! several rounds: what else the machine does can only add to it. Then the same calls, and adding a
//! known result and reading it back, on a file that holds many trials already: their time should
//! not grow with it.
#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::unwrap_used)]
use arbora_search::StudyOptions;
use arbora_space::{Configuration, Param, Rng, Space};
use arbora_store::{AskRequest, DurableStudy, TrialResult, open};
use rustix::time::{ClockId, clock_gettime};
use std::path::Path;
use std::time::Duration;

const TRIALS: u32 = 200;
const ROUNDS: u32 = 15;

/// Trials in the file before the calls that are timed.
const SIZES: [usize; 3] = [3_000, 12_000, 48_000];
const GROWN_ROUNDS: u32 = 3;

fn main() {
    let folder = tempfile::tempdir().unwrap();
    println!("{:<8} {:>10} {:>10}", "", "ask µs", "tell µs");
    for store in ["memory", "file"] {
        let mut best = (Duration::MAX, Duration::MAX);
        for round in 0..ROUNDS {
            let path = folder.path().join(format!("{round}.db"));
            let address = if store == "memory" { ":memory:" } else { path.to_str().unwrap() };
            let (asked, told) = run(address);
            best = (best.0.min(asked), best.1.min(told));
        }
        let each = |time: Duration| time.as_secs_f64() * 1e6 / f64::from(TRIALS);
        println!("{store:<8} {:>10.1} {:>10.1}", each(best.0), each(best.1));
    }
    grow(folder.path());
}

/// One row for each size, and how the last compares with the first.
fn grow(folder: &Path) {
    println!("\n{:<8} {:>10} {:>10} {:>10}", "trials", "ask µs", "tell µs", "add µs");
    let mut rows: Vec<[f64; 3]> = Vec::new();
    for size in SIZES {
        let mut best = [f64::MAX; 3];
        for round in 0..GROWN_ROUNDS {
            let path = folder.join(format!("{size}-{round}.db"));
            let times = on_top_of(size, path.to_str().unwrap());
            best = std::array::from_fn(|i| best[i].min(times[i].as_secs_f64() * 1e6 / f64::from(TRIALS)));
        }
        println!("{size:<8} {:>10.1} {:>10.1} {:>10.1}", best[0], best[1], best[2]);
        rows.push(best);
    }
    let (first, last) = (rows[0], rows[rows.len() - 1]);
    let ratio: [f64; 3] = std::array::from_fn(|i| last[i] / first[i]);
    println!("{:<8} {:>10.2} {:>10.2} {:>10.2}", "ratio", ratio[0], ratio[1], ratio[2]);
}

/// Time spent in asking, telling and adding, after so many trials.
fn on_top_of(size: usize, address: &str) -> [Duration; 3] {
    let mut study = created(address);
    let mut rng = Rng::new(1);
    let mut drawn = |count: usize, study: &DurableStudy| -> Vec<(Configuration, TrialResult)> {
        (0..count).map(|i| (study.space().sample(&mut rng).unwrap(), TrialResult::from(i as f64))).collect()
    };
    let (known, others) = (drawn(size, &study), drawn(TRIALS as usize, &study));
    study.add_all(&known).unwrap();
    let (mut asked, mut told, mut added) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    for (configuration, result) in others {
        let start = spent();
        let number = study.ask(&AskRequest::by("w")).unwrap().number();
        let after_ask = spent();
        study.tell(number, 0.5).unwrap();
        let after_tell = spent();
        // Adding and reading back, as Python does.
        let number = study.add(&configuration, result).unwrap();
        study.sync().unwrap();
        assert!(study.trial(number).unwrap().loss().is_some());
        asked += after_ask.saturating_sub(start);
        told += after_tell.saturating_sub(after_ask);
        added += spent().saturating_sub(after_tell);
    }
    [asked, told, added]
}

/// Time spent in asking and in telling.
fn run(address: &str) -> (Duration, Duration) {
    let mut study = created(address);
    let (mut asked, mut told) = (Duration::ZERO, Duration::ZERO);
    for i in 0..TRIALS {
        let begin = spent();
        study.ask(&AskRequest::by("w")).unwrap();
        let between = spent();
        study.tell(u64::from(i), 0.5).unwrap();
        let (to_ask, to_tell) = (between.saturating_sub(begin), spent().saturating_sub(between));
        (asked, told) = (asked + to_ask, told + to_tell);
    }
    (asked, told)
}

fn created(address: &str) -> DurableStudy {
    let parameters = (0..10).map(|i| match i {
        0 => Param::choice("model", ["svm", "forest"]),
        i if i % 3 == 0 => Param::integer(format!("i{i}"), 1, 100).when("model == 'svm'"),
        i => Param::real(format!("x{i}"), 0.0, 1.0),
    });
    let options = StudyOptions { strategy: "random".parse().unwrap(), ..StudyOptions::default() };
    let space = Space::new(parameters).unwrap();
    DurableStudy::create(open(address).unwrap(), "s", space, options).unwrap()
}

/// CPU time of this process.
fn spent() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap()
}
