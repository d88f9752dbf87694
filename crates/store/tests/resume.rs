//! Resuming is exact: a study reopened from its store at every step suggests what one that never
//! stopped does, and every suggestion in a log can be computed again from the events it knew of.
//! Over every store.
#![allow(clippy::unwrap_used)]
mod stores;

use arbora_search::{Report, StrategySpec, StudyOptions};
use arbora_space::{Encoding, Param, Space};
use arbora_store::{
    AskRequest, Batch, DurableStudy, Event, MemoryStore, NewStudy, Precondition, Store, Stored, Timestamp,
    TrialRecord, TrialResult,
};
use std::sync::Arc;
use stores::{Open, over_every_store};

const STRATEGIES: [&str; 3] = ["random", "gp-conditional", IMPUTED];
/// A Gaussian process on imputed points, the best of 1000 random candidates.
const IMPUTED: &str = r#"{"kind":"model","surrogate":{"kind":"gp","kernel":{"kind":"matern52","categories":"index"}},"maximizer":{"kind":"random","count":1000}}"#;
const TRIALS: usize = 12;
const BATCH: usize = 3;

fn space() -> Space {
    Space::new([
        Param::choice("model", ["svm", "forest"]),
        Param::real("C", 1e-3, 1e3).log().when("model == 'svm'"),
        Param::integer("depth", 1, 20).or_none().when("model == 'forest'"),
        Param::real("share", 0.0, 1.0),
    ])
    .unwrap()
}

fn options(strategy: &str) -> StudyOptions {
    let strategy = if strategy == IMPUTED {
        StrategySpec::from_json(strategy).unwrap()
    } else {
        strategy.parse().unwrap()
    };
    StudyOptions { strategy, seed: 5, ..StudyOptions::default() }
}

/// A smooth loss; every seventh trial fails and every eleventh is given up.
fn result(space: &Space, trial: &TrialRecord<'_>) -> TrialResult {
    let row = space.encode([trial.configuration()], &Encoding::default());
    let loss: f64 = row.row(0).x().iter().enumerate().map(|(i, u)| (u - 0.2 - 0.1 * i as f64).powi(2)).sum();
    match trial.number() {
        n if n % 7 == 3 => Report::Failure("crash".into()).into(),
        n if n % 11 == 8 => Report::Abandoned("preempted".into()).into(),
        _ => loss.into(),
    }
}

/// Asks in batches and tells in another order; `between` may replace the study at every step.
fn run(mut study: DurableStudy, mut between: impl FnMut(DurableStudy) -> DurableStudy) -> DurableStudy {
    let claim = AskRequest::by("w");
    while study.trials().len() < TRIALS {
        let mut open = Vec::new();
        for _ in 0..BATCH {
            study = between(study);
            open.push(study.ask(&claim).unwrap());
        }
        for trial in open.iter().rev() {
            study = between(study);
            let telling = result(study.space(), trial);
            study.tell(trial.number(), telling).unwrap();
        }
    }
    study
}

/// The study of a strategy: one store keeps those of all.
fn opened(store: Open<'_>, strategy: &str) -> DurableStudy {
    DurableStudy::load_or_create(store(), strategy, space(), options(strategy)).unwrap()
}

#[test]
fn stopping_at_every_step_changes_no_suggestion() {
    over_every_store(|store| {
        let mut reopened = 0;
        for strategy in STRATEGIES {
            let memory = Arc::new(MemoryStore::new());
            let whole = DurableStudy::create(memory, "s", space(), options(strategy)).unwrap();
            let whole = run(whole, |study| study);
            let stopped = run(opened(store, strategy), |study| {
                drop(study);
                reopened += 1;
                opened(store, strategy)
            });
            assert_eq!(whole.study().history(), stopped.study().history(), "{strategy}");
        }
        let strategies = STRATEGIES.len();
        println!("resume: {strategies} strategies, reopened {reopened} times, all suggestions the same");
    });
}

/// A study that knows the events up to one of them and no more.
fn as_of(events: &[Stored], seen: u64, strategy: &str) -> DurableStudy {
    let store = Arc::new(MemoryStore::new());
    let (text, options) = (space().to_json().unwrap(), options(strategy));
    let new = NewStudy { name: "s", space: &text, options: &options, at: Timestamp(0) };
    let id = store.create(&new).unwrap();
    for stored in events.iter().take_while(|stored| stored.sequence <= seen) {
        let events = std::slice::from_ref(&stored.event);
        store.append(id, Batch { at: stored.at, events, precondition: Precondition::Always }).unwrap();
    }
    DurableStudy::load(store, "s").unwrap()
}

fn assert_recomputable(store: &Arc<dyn Store>, strategy: &str) -> usize {
    let study = store.study(strategy).unwrap().unwrap();
    let events = store.events(study.id, 0).unwrap();
    let mut count = 0;
    for stored in &events {
        let Event::Asked { trial, configuration, memo, seen, .. } = &stored.event else { continue };
        let before = as_of(&events, *seen, strategy);
        let again = before.study().suggest().unwrap();
        let named = before.space().named(&again.configuration);
        assert_eq!(&named, configuration, "{strategy}, trial {trial}");
        assert_eq!((again.number, &again.memo), (*trial, memo));
        count += 1;
    }
    count
}

#[test]
fn every_suggestion_follows_from_the_events_it_knew_of() {
    over_every_store(|store| {
        let mut count = 0;
        for strategy in STRATEGIES {
            run(opened(store, strategy), |study| study);
            count += assert_recomputable(&store(), strategy);
        }
        println!("recomputed: {count} suggestions of one worker");
        assert!(count >= STRATEGIES.len() * TRIALS);
    });
}

/// Results come in while others suggest: what a suggestion did not see, it did not use.
#[test]
fn suggestions_of_many_threads_can_be_computed_again() {
    const THREADS: usize = 4;
    const STRATEGY: &str = IMPUTED;
    over_every_store(|store| {
        opened(store, STRATEGY);
        std::thread::scope(|scope| {
            for worker in 0..THREADS {
                scope.spawn(move || {
                    let mut study = opened(store, STRATEGY);
                    for _ in 0..4 {
                        let trial = study.ask(&AskRequest::by(format!("w{worker}"))).unwrap();
                        let telling = result(study.space(), &trial);
                        study.tell(trial.number(), telling).unwrap();
                    }
                });
            }
        });
        let count = assert_recomputable(&store(), STRATEGY);
        println!("recomputed: {count} suggestions of {THREADS} threads");
        assert_eq!(count, THREADS * 4);
    });
}
