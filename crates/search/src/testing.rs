//! The laws of strategies and maximizers, for every one to pass: here and in crates that add some.
mod golden;
mod maximizer;

pub use golden::{assert_specifications_stay, assert_suggestions_stay};
pub use maximizer::{Bowl, assert_maximizer_laws, candidates, mixed};

use crate::error::SearchError;
use crate::history::History;
use crate::memo::Memo;
use crate::strategy::StrategySpec;
use crate::study::{Study, StudyOptions};
use crate::trial::{Outcome, Trial};
use arbora_model::Interrupt;
use arbora_space::{Encoding, Named, Param, Space, SpaceSpec};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Trials of one run; past every design and a few model-based ones beyond.
const TRIALS: usize = 14;

/// Nested conditions, a shared parameter, an optional number, a number that decides, constraints.
fn spaces() -> Vec<Space> {
    let learners = SpaceSpec::new([
        Param::choice("model", ["svm", "forest", "bayes"]),
        Param::real("C", 1e-3, 1e3).log().when("model == 'svm'"),
        Param::real("gamma", 1e-3, 1e3).log().when("model == 'svm'"),
        Param::integer("depth", 1, 20).or_none().when("model == 'forest'"),
        Param::real("share", 0.0, 1.0).when("model != 'bayes'"),
    ]);
    let numbers = SpaceSpec::new([
        Param::real("x", 0.0, 1.0),
        Param::real("y", 0.0, 1.0).when("x > 0.6"),
        Param::ordinal("size", ["small", "medium", "large"]),
        Param::real("z", 0.0, 1.0).step(0.1),
    ]);
    [learners.forbid("C > 100 and gamma > 100"), numbers.require("y < x")]
        .map(|spec| Space::new(spec).expect("both spaces are in order"))
        .into()
}

fn study(space: &Space, strategy: &StrategySpec, seed: u64, threads: usize) -> Study {
    let options = StudyOptions { strategy: strategy.clone(), seed, threads, ..StudyOptions::default() };
    Study::new(space.clone(), options).expect("the strategy fits the space")
}

/// A smooth loss of the encoded point.
fn tell(study: &mut Study, trial: &Trial) {
    let row = study.space().encode([&trial.configuration], &Encoding::default());
    let loss: f64 = row.row(0).x().iter().enumerate().map(|(i, u)| (u - 0.2 - 0.1 * i as f64).powi(2)).sum();
    study.tell(trial.number, loss).expect("the trial was just asked for");
}

/// A run with `batch` trials open at a time, and the history before every ask.
fn run(space: &Space, strategy: &StrategySpec, threads: usize, batch: usize) -> (Study, Vec<History>) {
    let mut study = study(space, strategy, 3, threads);
    let mut before = Vec::new();
    while study.history().len() < TRIALS {
        let mut open = Vec::new();
        for _ in 0..batch {
            before.push(study.history().clone());
            open.push(study.ask().expect("the space is not exhausted"));
        }
        for trial in &open {
            tell(&mut study, trial);
        }
    }
    (study, before)
}

/// Valid, never repeated, interruptible without a trace, resumable at any ask (also inside a batch, from what was written as text), the same with any number of threads, other
/// under another seed.
///
/// # Panics
/// If a law does not hold; the message says which.
pub fn assert_strategy_laws(strategy: &StrategySpec) {
    for space in spaces() {
        for batch in [1, 3] {
            let (whole, before) = run(&space, strategy, 1, batch);
            assert_valid_and_fresh(&whole);
            assert_resumable(&space, strategy, &whole, &before);
            assert_interruptible(&whole, &before);
            let (again, _) = run(&space, strategy, 2, batch);
            assert_eq!(whole.history(), again.history(), "threads change suggestions");
        }
        // The first point may be the defaults, whatever the seed.
        let second = |seed| {
            let mut study = study(&space, strategy, seed, 1);
            let asked = study.ask().and_then(|_| study.ask());
            asked.expect("the space is not exhausted").configuration
        };
        let differing: HashSet<_> = (0..8).map(second).collect();
        assert!(differing.len() > 1, "seeds change nothing");
    }
}

/// Trials of a run that must have closed in by its end, and how many of them are looked at.
const CLOSING: (usize, usize) = (36, 10);

/// A strategy with a model closes in on the best value of an unconditional parameter: over three seeds, half or more of
/// the last values lie in the best tenth of its range, where one in ten of uniform draws would. The loss is
/// smooth; in that parameter a slope, which every model can see. (A standard deviation would be ruled by the
/// few trials with which a model that has converged looks at the far end once more.)
///
/// # Panics
/// If it does not.
pub fn assert_closes_in(name: &str, strategy: &StrategySpec) {
    let space = Space::new([
        Param::real("rate", 0.0, 1.0),
        Param::choice("model", ["a", "b", "c"]),
        Param::real("x", 0.0, 1.0).when("model == 'a'"),
        Param::real("y", 0.0, 1.0).when("model == 'b'"),
        Param::real("z", 0.0, 1.0).when("model == 'c'"),
    ])
    .expect("the space is in order");
    let (trials, looked_at) = CLOSING;
    let mut last = Vec::new();
    for seed in 0..3 {
        let mut study = study(&space, strategy, seed, 1);
        for i in 0..trials {
            let trial = study.ask().expect("the space is not exhausted");
            let value = |name| study.value(&trial, name).and_then(|value| value.as_f64());
            let own = [("x", 0.3, 0.0), ("y", 0.6, 0.1), ("z", 0.4, 0.2)];
            let inside = own.iter().find_map(|(name, at, level)| Some(level + (value(name)? - at).powi(2)));
            let rate = value("rate").expect("it is unconditional");
            study.tell(trial.number, rate + inside.expect("one of three")).expect("it was just asked for");
            if i + looked_at >= trials {
                last.push(rate);
            }
        }
    }
    let near = last.iter().filter(|rate| **rate < 0.1).count();
    assert!(2 * near >= last.len(), "{name}: {near} of {} near the optimum: {last:?}", last.len());
}

fn assert_valid_and_fresh(study: &Study) {
    let mut seen = HashSet::new();
    for trial in study.history().trials() {
        assert_eq!(study.space().check(&trial.configuration), Ok(()), "an invalid suggestion");
        let effort = format!("{:?}", trial.effort);
        assert!(seen.insert((&trial.configuration, effort)), "a configuration is proposed twice");
    }
}

/// An ask that is interrupted, early or late, ends with that error; the next one answers as if nothing had been, and
/// listening alone changes nothing.
fn assert_interruptible(whole: &Study, before: &[History]) {
    let (space, options) = (whole.space().clone(), whole.options().clone());
    let strategy = options.strategy.clone();
    let history = before.last().expect("it was run").clone();
    let mut study = Study::resume(space, options, history).expect("a history of this study");
    let listened = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&listened);
    let deaf = Interrupt::when(move || count.fetch_add(1, Ordering::Relaxed) == usize::MAX);
    let expected = study.suggest_until(&deaf).expect("nobody interrupts");
    let polls = listened.load(Ordering::Relaxed);
    for until in [1, polls / 3, polls] {
        let left = AtomicUsize::new(until.max(1));
        let interrupt = Interrupt::when(move || left.fetch_sub(1, Ordering::Relaxed) == 1);
        let answer = study.ask_until(&interrupt);
        assert_eq!(answer, Err(SearchError::Interrupted), "{strategy:?} at poll {until} of {polls}");
    }
    assert_eq!(study.ask().expect("it goes on"), expected, "an interrupted ask left a trace");
}

fn assert_resumable(space: &Space, strategy: &StrategySpec, whole: &Study, before: &[History]) {
    for (asked, history) in before.iter().enumerate().step_by(3) {
        let options = StudyOptions { strategy: strategy.clone(), seed: 3, ..StudyOptions::default() };
        let read_back = through_text(space, history);
        assert_eq!(read_back, *history, "text loses something");
        let mut resumed = Study::resume(space.clone(), options, read_back).expect("a history of this study");
        let next = resumed.ask().expect("the space is not exhausted");
        let then = &whole.history().trials()[asked];
        assert_eq!(
            (&next.configuration, next.effort, &next.memo),
            (&then.configuration, then.effort, &then.memo),
            "resumed before ask {asked}"
        );
    }
}

/// A history written as text by name and read back, as a store would.
fn through_text(space: &Space, history: &History) -> History {
    let mut read = History::new();
    for trial in history.trials() {
        let named = space.named(&trial.configuration);
        let text = serde_json::to_string(&(named, &trial.outcome, &trial.memo)).expect("plain data");
        let (named, outcome, memo): (Named, Option<Outcome>, Memo) =
            serde_json::from_str(&text).expect("what was just written");
        let configuration = space.configuration(named).expect("it was valid before");
        let asked = Trial::asked(trial.number, configuration, trial.effort, memo);
        read.push(Trial { outcome, curve: trial.curve.clone(), ..asked });
    }
    read
}
