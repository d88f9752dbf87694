//! How much CPU time do asking and telling take, besides the suggestion itself?
//!
//! `cargo bench -p arbora-store --bench ask_tell`
//!
//! 200 trials of a conditional space by the strategy `random`, in memory and in a file. The best of
//! several rounds: what else the machine does can only add to it.
#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::unwrap_used)]
use arbora_search::StudyOptions;
use arbora_space::{Param, Space};
use arbora_store::{AskRequest, DurableStudy, open};
use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

const TRIALS: u32 = 200;
const ROUNDS: u32 = 15;

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
}

/// Time spent in asking and in telling.
fn run(address: &str) -> (Duration, Duration) {
    let parameters = (0..10).map(|i| match i {
        0 => Param::choice("model", ["svm", "forest"]),
        i if i % 3 == 0 => Param::integer(format!("i{i}"), 1, 100).when("model == 'svm'"),
        i => Param::real(format!("x{i}"), 0.0, 1.0),
    });
    let options = StudyOptions { strategy: "random".parse().unwrap(), ..StudyOptions::default() };
    let space = Space::new(parameters).unwrap();
    let mut study = DurableStudy::create(open(address).unwrap(), "s", space, options).unwrap();
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

/// CPU time of this process.
fn spent() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap()
}
