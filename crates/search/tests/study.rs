//! A study seen from outside: asking, telling, resuming, failing, ending.
#![allow(clippy::unwrap_used)]
use arbora_search::maximize::LocalSearch;
use arbora_search::{
    Direction, MaximizerSpec, ModelSpec, Outcome, Report, SearchError, StrategySpec, Study, StudyOptions,
};
use arbora_space::testing::random_spec;
use arbora_space::{Encoding, Param, Rng, Space, SpaceSpec, Value};

fn learners() -> Space {
    let spec = SpaceSpec::new([
        Param::choice("model", ["svm", "forest", "bayes"]),
        Param::real("C", 1e-3, 1e3).log().when("model == 'svm'"),
        Param::real("gamma", 1e-3, 1e3).log().when("model == 'svm'"),
        Param::integer("depth", 1, 20).or_none().when("model == 'forest'"),
        Param::real("share", 0.0, 1.0).when("model == 'forest'"),
    ]);
    Space::new(spec.forbid("model == 'svm' and C > 100 and gamma > 100")).unwrap()
}

fn loss(study: &Study, trial: &arbora_search::Trial) -> f64 {
    let number = |name| study.value(trial, name).and_then(|v| v.as_f64());
    match study.value(trial, "model").unwrap().as_str().unwrap() {
        "svm" => {
            0.2 + 0.02 * (number("C").unwrap().ln() - 1.0).powi(2)
                + 0.01 * number("gamma").unwrap().ln().powi(2)
        }
        "forest" => {
            0.15 + (number("depth").unwrap_or(25.0) - 12.0).powi(2) / 900.0
                + (number("share").unwrap() - 0.4).powi(2)
        }
        _ => 0.5,
    }
}

fn options(name: &str, seed: u64) -> StudyOptions {
    let strategy =
        if IMPUTED.contains(&name) { StrategySpec::from_json(name).unwrap() } else { name.parse().unwrap() };
    StudyOptions { strategy, seed, ..StudyOptions::default() }
}

/// A Gaussian process on imputed points, with random candidates and with local search.
const IMPUTED: [&str; 2] = [
    r#"{"kind":"model","surrogate":{"kind":"gp","kernel":{"kind":"matern52","categories":"index"}},"maximizer":{"kind":"random","count":1000}}"#,
    r#"{"kind":"model","surrogate":{"kind":"gp","kernel":{"kind":"matern52","categories":"index"}},"maximizer":{"kind":"local_search","random":1000,"starts":10}}"#,
];
const NAMES: [&str; 4] = ["random", "gp-conditional", IMPUTED[0], IMPUTED[1]];

#[test]
fn failures_are_learnt_from_and_poison_nothing() {
    let space = || Space::new([Param::choice("m", ["good", "bad"]), Param::real("x", 0.0, 1.0)]).unwrap();
    for name in ["gp-conditional", IMPUTED[0]] {
        let mut study = Study::new(space(), options(name, 2)).unwrap();
        let mut failed = 0;
        for i in 0..40 {
            let trial = study.ask().unwrap();
            let is_bad = study.value(&trial, "m") == Some("bad".into());
            let x = study.value(&trial, "x").unwrap().as_f64().unwrap();
            let report = match (is_bad, i % 4) {
                (false, _) => Report::Value((x - 0.6).powi(2)),
                (true, 0) => Report::Value(f64::NAN),
                (true, 1) => Report::Value(f64::INFINITY),
                (true, 2) => Report::Value(f64::NEG_INFINITY),
                (true, _) => Report::Failure("out of memory".into()),
            };
            failed += usize::from(is_bad);
            study.tell(trial.number, report).unwrap();
        }
        assert!(failed < 16, "{name} keeps trying what fails: {failed} of 40");
        assert!(study.best().unwrap().loss().unwrap() < 1e-3, "{name}");
        let failures =
            study.history().trials().iter().filter(|t| matches!(t.outcome, Some(Outcome::Failed { .. })));
        assert_eq!(failures.count(), failed);
    }
}

#[test]
fn a_study_in_which_everything_fails_goes_on() {
    let mut study = Study::new(learners(), options("gp-conditional", 2)).unwrap();
    for _ in 0..12 {
        let trial = study.ask().unwrap();
        study.tell(trial.number, Report::Failure("crash".into())).unwrap();
    }
    assert_eq!(study.best(), None);
}

#[test]
fn losses_of_any_size_are_survived() {
    for scale in [1e-300, 1e300, 0.0] {
        let mut study = Study::new(learners(), options("gp-conditional", 2)).unwrap();
        for i in 0..14 {
            let trial = study.ask().unwrap();
            study.tell(trial.number, scale * f64::from(i % 5)).unwrap();
        }
        assert_eq!(study.best_value(), Some(0.0));
    }
}

#[test]
fn an_abandoned_trial_teaches_nothing_and_may_come_again() {
    for name in NAMES {
        let space = Space::new([Param::boolean("a")]).unwrap();
        let mut study = Study::new(space, options(name, 3)).unwrap();
        let first = study.ask().unwrap();
        study.tell(first.number, Report::Abandoned("worker lost".into())).unwrap();
        let (second, third) = (study.ask().unwrap(), study.ask().unwrap());
        assert_ne!(second.configuration, third.configuration, "{name}: both values are open again");
        assert!(matches!(study.ask(), Err(SearchError::Exhausted { count: 2 })));
        assert_eq!(study.best(), None);
    }
}

#[test]
fn a_trial_is_taken_in_only_when_it_is_its_turn() {
    let mut study = Study::new(learners(), options("gp-conditional", 5)).unwrap();
    let suggested = study.suggest().unwrap();
    assert_eq!(study.suggest().unwrap(), suggested, "suggesting takes nothing");
    study.admit(suggested.clone()).unwrap();
    assert_eq!(study.admit(suggested), Err(SearchError::OutOfOrder { number: 0, next: 1 }));
    assert_eq!(study.history().len(), 1);
}

#[test]
fn an_exhausted_space_ends_with_a_clear_word() {
    let space =
        || Space::new([Param::choice("a", ["x", "y"]), Param::integer("k", 1, 3).when("a == 'x'")]).unwrap();
    for name in NAMES {
        let mut study = Study::new(space(), options(name, 0)).unwrap();
        for i in 0..4 {
            let trial = study.ask().unwrap();
            study.tell(trial.number, f64::from(i)).unwrap();
        }
        let end = study.ask().unwrap_err();
        assert_eq!(end, SearchError::Exhausted { count: 4 }, "{name}");
        assert!(end.to_string().contains("all 4 configurations"));
        let mut again = Study::new(space(), StudyOptions { repeats: true, ..options(name, 0) }).unwrap();
        for i in 0..9 {
            let trial = again.ask().unwrap();
            again.tell(trial.number, f64::from(i)).unwrap();
        }
    }
}

#[test]
fn maximizing_is_minimizing_the_negative() {
    let run = |direction: Direction| {
        let mut study =
            Study::new(learners(), StudyOptions { direction, ..options("gp-conditional", 9) }).unwrap();
        for _ in 0..12 {
            let trial = study.ask().unwrap();
            let value = direction.flip(loss(&study, &trial));
            study.tell(trial.number, value).unwrap();
        }
        (study.best_value().unwrap(), study.history().trials().to_vec())
    };
    let (low, down) = run(Direction::Minimize);
    let (high, up) = run(Direction::Maximize);
    assert_eq!(low, -high);
    assert_eq!(down, up);
}

#[test]
fn a_loss_is_taken_as_it_is_in_both_directions() {
    for direction in [Direction::Minimize, Direction::Maximize] {
        let mut study = Study::new(learners(), StudyOptions { direction, ..options("random", 0) }).unwrap();
        for report in [Report::Loss(0.5), Report::Value(direction.flip(0.5)), Report::Loss(f64::INFINITY)] {
            let trial = study.ask().unwrap();
            study.tell(trial.number, report).unwrap();
        }
        let trials = study.history().trials();
        assert_eq!((trials[0].loss(), trials[1].loss(), trials[2].loss()), (Some(0.5), Some(0.5), None));
        let returned = format!("the objective returned {}", direction.flip(f64::INFINITY));
        assert_eq!(trials[2].outcome, Some(Outcome::Failed { reason: returned, cost: None }));
    }
}

#[test]
fn mistakes_in_telling_are_named_and_lose_nothing() {
    let mut study = Study::new(learners(), options("random", 0)).unwrap();
    let trial = study.ask().unwrap();
    assert_eq!(study.tell(7, 1.0), Err(SearchError::UnknownTrial { number: 7, count: 1 }));
    assert!(matches!(study.tell_with_cost(0, 1.0, Some(-1.0)), Err(SearchError::BadCost { number: 0, .. })));
    study.tell_with_cost(trial.number, 0.5, Some(3.0)).unwrap();
    let again = study.tell(trial.number, 0.7).unwrap_err();
    assert!(again.to_string().contains("trial 0 was told already (loss 0.5)"), "{again}");
    assert_eq!(study.best_value(), Some(0.5));
    assert_eq!(study.history().trials()[0].outcome.as_ref().and_then(Outcome::cost), Some(3.0));
    let unknown = "gp-conditonal".parse::<StrategySpec>().unwrap_err();
    assert!(unknown.to_string().contains("gp-conditional"), "{unknown}");
}

#[test]
fn known_results_can_be_added() {
    let mut study = Study::new(learners(), options("gp-conditional", 0)).unwrap();
    let known = |c: f64| {
        learners()
            .configuration([("model", Value::from("svm")), ("C", c.into()), ("gamma", 1.0.into())])
            .unwrap()
    };
    for (i, c) in [0.1, 1.0, 3.0, 10.0, 50.0, 0.01].into_iter().enumerate() {
        study.add(known(c), 0.2 + 0.02 * (c.ln() - 1.0).powi(2)).unwrap();
        assert_eq!(study.history().len(), i + 1);
    }
    let next = study.ask().unwrap();
    assert!(study.history().trials()[..6].iter().all(|t| t.configuration != next.configuration));
}

#[test]
fn a_running_study_can_gain_a_choice() {
    let old =
        || Space::new([Param::choice("m", ["a", "b"]), Param::real("x", 0.0, 1.0).when("m == 'a'")]).unwrap();
    let mut study = Study::new(old(), options("gp-conditional", 1)).unwrap();
    for i in 0..8 {
        let Ok(trial) = study.ask() else { break };
        study.tell(trial.number, 1.0 + f64::from(i)).unwrap();
    }
    let before = study.history().len();
    let wider = SpaceSpec::new([
        Param::choice("m", ["a", "b", "c"]),
        Param::real("x", 0.0, 1.0).when("m == 'a'"),
        Param::real("y", -1.0, 1.0).when("m == 'c'"),
    ]);
    let new = study.space().evolve_to(wider).unwrap();
    study.evolve(new).unwrap();
    assert_eq!(study.history().len(), before);
    let mut found = false;
    for _ in 0..10 {
        let trial = study.ask().unwrap();
        let y = study.value(&trial, "y").and_then(|v| v.as_f64());
        found |= y.is_some();
        study.tell(trial.number, y.map_or(2.0, |y| y * y)).unwrap();
    }
    assert!(found, "the new branch is never tried");
}

#[test]
fn an_open_trial_can_be_amended_and_complete_ones_keep_their_values() {
    let flat = Space::new([Param::choice("m", ["a", "b"]), Param::real("x", 0.0, 1.0)]).unwrap();
    let mut study = Study::new(flat, options("random", 3)).unwrap();
    let at =
        |space: &Space, m: &str, x: f64| space.configuration([("m", m.into()), ("x", x.into())]).unwrap();
    let complete = study.add(at(study.space(), "a", 0.25), 1.0).unwrap();
    let failed = study.add(at(study.space(), "b", 0.5), Report::Failure("crash".into())).unwrap();
    let open = study.ask().unwrap().number;
    let tree =
        Space::new([Param::choice("m", ["a", "b"]), Param::real("x", 0.0, 1.0).when("m == 'a'")]).unwrap();
    let really = tree.configuration([("m", "b".into())]).unwrap();
    study.amend(open, &really, tree.clone()).unwrap();
    let named = |number: u64| study.space().named(&study.history().trials()[number as usize].configuration).0;
    assert_eq!(named(complete), [("m".into(), "a".into()), ("x".into(), 0.25.into())]);
    assert_eq!(named(failed), [("m".into(), "b".into())], "what was not learnt from adapts");
    assert_eq!(named(open), [("m".into(), "b".into())]);
    let closed = Space::new([Param::choice("m", ["a", "b"])]).unwrap();
    let bare = closed.configuration([("m", "b".into())]).unwrap();
    assert!(study.amend(open, &bare, closed).is_err(), "the complete trial had an x");
    assert!(matches!(study.amend(complete, &really, tree.clone()), Err(SearchError::AlreadyTold { .. })));
    assert!(matches!(study.amend(99, &really, tree), Err(SearchError::UnknownTrial { .. })));
}

#[test]
fn specs_are_data_and_unknown_fields_are_refused() {
    let spec = StrategySpec::new(ModelSpec {
        maximizer: MaximizerSpec::new(LocalSearch { random: 50, starts: 2 }),
        ..ModelSpec::default()
    });
    let text = serde_json::to_string(&spec).unwrap();
    assert_eq!(StrategySpec::from_json(&text).unwrap(), spec);
    let unknown =
        StrategySpec::from_json(r#"{"kind":"model","maximiser":{"kind":"random","count":9}}"#).unwrap_err();
    assert!(unknown.to_string().contains("maximiser"), "{unknown}");
    let short = r#"{"kind":"model","surrogate":{"kind":"gp","kernel":{"kind":"conditional","inner":"matern52"},"infer":{"kind":"slice","draws":10}},"acquisition":{"kind":"expected_improvement"},"maximizer":{"kind":"random","count":100}}"#;
    let strategy = StrategySpec::from_json(short).unwrap();
    let mut study = Study::new(learners(), StudyOptions { strategy, ..StudyOptions::default() }).unwrap();
    for _ in 0..8 {
        let trial = study.ask().unwrap();
        study.tell(trial.number, loss(&study, &trial)).unwrap();
    }
}

#[test]
fn settings_out_of_range_are_named() {
    for (text, word) in [
        (r#"{"kind":"model","maximizer":{"kind":"random","count":0}}"#, "count"),
        (r#"{"kind":"model","acquisition":{"kind":"lower_confidence_bound","kappa":-1.0}}"#, "kappa"),
        (r#"{"kind":"model","acquisition":{"kind":"thompson"}}"#, "thompson"),
    ] {
        let strategy = StrategySpec::from_json(text).unwrap();
        let error =
            Study::new(learners(), StudyOptions { strategy, ..StudyOptions::default() }).err().unwrap();
        assert!(error.to_string().contains(word), "{error}");
    }
}

#[test]
fn spaces_of_any_shape_can_be_searched() {
    let small = r#"{"kind":"model","maximizer":{"kind":"combined","random":30,"starts":3,"polished":2}}"#;
    for seed in 0..120 {
        let mut rng = Rng::new(seed);
        let Ok(space) = Space::new(random_spec(&mut rng)) else { continue };
        let strategy = StrategySpec::from_json(small).unwrap();
        let mut study =
            Study::new(space, StudyOptions { strategy, seed, ..StudyOptions::default() }).unwrap();
        for i in 0..10 {
            let trial = match study.ask() {
                Ok(trial) => trial,
                Err(SearchError::Exhausted { count }) => {
                    assert_eq!(count, u128::from(study.history().len() as u64), "seed {seed}");
                    break;
                }
                Err(other) => panic!("seed {seed}: {other}"),
            };
            study.space().check(&trial.configuration).unwrap();
            let report = if i % 4 == 3 { Report::Failure("odd".into()) } else { Report::Value(rng.unit()) };
            study.tell(trial.number, report).unwrap();
        }
    }
}

#[test]
fn a_continuous_space_pinned_by_constraints_ends_too() {
    let spec = SpaceSpec::new([Param::real("x", 0.0, 1.0), Param::choice("c", ["a", "b"])]);
    let pinned = Space::new(spec.require("x >= 1").require("c == 'a'")).unwrap();
    for name in NAMES {
        let mut study = Study::new(pinned.clone(), options(name, 0)).unwrap();
        let trial = study.ask().unwrap();
        study.tell(trial.number, 0.5).unwrap();
        let end = study.ask().unwrap_err();
        assert!(matches!(end, SearchError::NothingNew { .. }), "{name}: {end}");
        assert!(end.to_string().contains("allow repeats"), "{end}");
    }
}

#[test]
fn a_failure_is_as_bad_as_the_worst_loss_however_large() {
    let space = Space::new([Param::real("x", 0.0, 1.0)]).unwrap();
    let mut study = Study::new(space.clone(), StudyOptions::default()).unwrap();
    let reports = [Report::Value(f64::MAX), Report::Failure("no memory".into()), Report::Value(0.5)];
    for (place, report) in [0.1, 0.2, 0.3].into_iter().zip(reports) {
        study.add(space.configuration([("x", place.into())]).unwrap(), report).unwrap();
    }
    let data = study.history().dataset(&space, &Encoding::default()).unwrap().unwrap();
    assert_eq!(data.losses(), [1e100, 1e100, 0.5]);
}
