//! The laws of pruners, for every kind; and that those of Optuna's names decide as Optuna does.
#![allow(clippy::unwrap_used)]
use arbora_search::pruner::pruners;
use arbora_search::{Direction, Outcome, PrunerSpec, Report, SearchError, StrategySpec, Study, StudyOptions};
use arbora_space::{Param, Rng, Space};
use serde::Deserialize;
use serde_json::{Value as Json, json};

fn study(pruner: &Json, direction: Direction) -> Study {
    let space = Space::new([Param::real("x", 0.0, 1.0)]).unwrap();
    let pruner: PrunerSpec = serde_json::from_value(pruner.clone()).unwrap();
    let strategy = StrategySpec::from_json(r#"{"kind":"random"}"#).unwrap();
    Study::new(space, StudyOptions { strategy, direction, pruner, ..StudyOptions::default() }).unwrap()
}

/// Every kind with settings under which it stops something.
fn all() -> Vec<Json> {
    let of = |name: String| match name.as_str() {
        "threshold" => json!({"kind": "threshold", "upper": 1.0}),
        "patience" => json!({"kind": "patience", "patience": 2}),
        _ => json!({"kind": name}),
    };
    let mut kinds: Vec<Json> = pruners().into_iter().map(|(name, _)| of(name)).collect();
    kinds.push(json!({"kind": "median", "startup_trials": 3, "warmup_steps": 4, "interval_steps": 3}));
    kinds.push(json!({"kind": "curve", "startup_trials": 8, "warmup_steps": 5, "limit": 0.2}));
    kinds
}

/// Those that compare trials.
fn comparing() -> impl Iterator<Item = Json> {
    all().into_iter().filter(|spec| spec["kind"] != "threshold" && spec["kind"] != "patience")
}

/// Losses that fall from a common start to a level of their own.
fn curve(level: f64, rng: &mut Rng) -> Vec<f64> {
    (1..=20).map(|step| level + (1.2 - level) / f64::from(step) + 0.03 * (rng.unit() - 0.5)).collect()
}

/// What a trial of some level reports: a curve; to a race, folds that are alike.
fn values(spec: &Json, level: f64, rng: &mut Rng) -> Vec<f64> {
    match spec["kind"].as_str() {
        Some("race") => (0..20).map(|_| level + 0.2 * (rng.unit() - 0.5)).collect(),
        _ => curve(level, rng),
    }
}

/// Runs a trial by its pruner; the step at which it was stopped.
fn run(study: &mut Study, values: &[f64]) -> Option<u64> {
    let number = study.ask().unwrap().number;
    for (step, value) in (1..).zip(values) {
        study.report(number, step, *value).unwrap();
        let answer = study.should_prune(number).unwrap();
        assert_eq!(study.should_prune(number).unwrap(), answer, "asked twice");
        if let Some(reason) = answer {
            study.tell(number, Report::Pruned(reason)).unwrap();
            return Some(step);
        }
    }
    study.tell(number, *values.last().unwrap()).unwrap();
    None
}

/// A study with some trials of random levels, and how many were stopped.
fn begun(spec: &Json, trials: usize, seed: u64) -> (Study, usize) {
    let (mut study, mut rng) = (study(spec, Direction::Minimize), Rng::new(seed));
    let mut stopped = 0;
    for _ in 0..trials {
        let level = 0.1 + rng.unit();
        stopped += usize::from(run(&mut study, &values(spec, level, &mut rng)).is_some());
    }
    (study, stopped)
}

#[derive(Deserialize)]
struct Case {
    pruner: Json,
    direction: Direction,
    trials: Vec<Vec<(u64, Option<f64>, bool)>>,
}

/// The decisions are Optuna's own, see `data/optuna_pruners.py`.
#[test]
fn the_kinds_of_optuna_decide_as_optuna_does() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("data/optuna_pruners.json")).unwrap();
    let mut pruned = 0;
    for case in cases {
        let mut study = study(&case.pruner, case.direction);
        for (number, reports) in (0..).zip(&case.trials) {
            assert_eq!(study.ask().unwrap().number, number);
            let mut end = Report::Failure("no report".into());
            for &(step, value, is_pruned) in reports {
                study.report(number, step, value.unwrap_or(f64::NAN)).unwrap();
                let answer = study.should_prune(number).unwrap();
                assert_eq!(
                    answer.is_some(),
                    is_pruned,
                    "{} {:?}: trial {number}, step {step}: {answer:?}",
                    case.pruner,
                    case.direction
                );
                end = match (answer, value) {
                    (Some(reason), _) => Report::Pruned(reason),
                    (None, Some(value)) => Report::Value(value),
                    (None, None) => Report::Failure("no number".into()),
                };
                pruned += usize::from(is_pruned);
            }
            study.tell(number, end).unwrap();
        }
    }
    assert!(pruned > 200, "{pruned}");
}

#[test]
fn each_kind_but_none_stops_something_and_never_before_anything_is_known() {
    for spec in all() {
        let (mut study, stopped) = begun(&spec, 30, 3);
        assert_eq!(stopped > 0, spec["kind"] != "none", "{spec}: {stopped}");
        let number = study.ask().unwrap().number;
        assert_eq!(study.should_prune(number), Ok(None), "{spec}: nothing reported");
    }
}

#[test]
fn startup_trials_and_warm_up_steps_are_waited_for() {
    let late = |kind: &str| json!({"kind": kind, "startup_trials": 7, "warmup_steps": 6});
    let race = json!({"kind": "race", "startup_trials": 7});
    for spec in ["median", "percentile", "curve"].map(late).into_iter().chain([race]) {
        let first = spec["warmup_steps"].as_u64().unwrap_or(0);
        let (mut study, mut rng) = (study(&spec, Direction::Minimize), Rng::new(1));
        for number in 0..30 {
            let level = 0.1 + rng.unit();
            let stopped = run(&mut study, &values(&spec, level, &mut rng));
            assert!(stopped.is_none_or(|step| number >= 7 && step >= first), "{spec}: {number} {stopped:?}");
        }
        assert!(run(&mut study, &[5.0; 20]).is_some(), "{spec}");
    }
}

/// The best of all at each step goes on to its end.
#[test]
fn the_best_curve_is_never_stopped() {
    for spec in comparing() {
        for seed in 0..20 {
            let (mut study, _) = begun(&spec, 25, seed);
            let curve = |step: u32| if spec["kind"] == "race" { 0.0 } else { 1.0 / f64::from(step) - 0.5 };
            let best: Vec<f64> = (1..=20).map(curve).collect();
            assert_eq!(run(&mut study, &best), None, "{spec}, seed {seed}");
        }
    }
}

/// Shown the same history, a curve that is worse at every step is stopped no later.
#[test]
fn a_worse_curve_is_stopped_wherever_a_better_one_is() {
    for spec in comparing() {
        for seed in 0..20 {
            let mut rng = Rng::new(1000 + seed);
            let level = 0.1 + rng.unit();
            let better = values(&spec, level, &mut rng);
            let worse: Vec<f64> = better.iter().map(|loss| loss + 0.2 * rng.unit()).collect();
            let [first, second] =
                [&better, &worse].map(|values| run(&mut begun(&spec, 25, seed).0, values).unwrap_or(99));
            assert!(second <= first, "{spec}, seed {seed}: {first} {second}");
        }
    }
}

#[test]
fn maximising_the_negated_values_gives_the_same_answers() {
    for spec in all() {
        let spec_up = if spec["kind"] == "threshold" {
            json!({"kind": "threshold", "lower": -1.0})
        } else {
            spec.clone()
        };
        let (mut down, mut up) = (study(&spec, Direction::Minimize), study(&spec_up, Direction::Maximize));
        let mut rng = Rng::new(8);
        for _ in 0..30 {
            let level = 0.1 + rng.unit();
            let losses = values(&spec, level, &mut rng);
            let negated: Vec<f64> = losses.iter().map(|loss| -loss).collect();
            assert_eq!(run(&mut down, &losses), run(&mut up, &negated), "{spec}");
        }
        let outcomes = |study: &Study| -> Vec<Option<Outcome>> {
            study.history().trials().iter().map(|trial| trial.outcome.clone()).collect()
        };
        assert_eq!(outcomes(&down), outcomes(&up), "{spec}");
        assert_eq!(down.history(), up.history());
    }
}

#[test]
fn the_same_history_gives_the_same_answer_after_a_restart() {
    for spec in all() {
        let (mut study, _) = begun(&spec, 20, 5);
        let number = study.ask().unwrap().number;
        for (step, value) in (1..).zip(values(&spec, 0.9, &mut Rng::new(1))) {
            study.report(number, step, value).unwrap();
            let again =
                Study::resume(study.space().clone(), study.options().clone(), study.history().clone());
            assert_eq!(again.unwrap().should_prune(number), study.should_prune(number), "{spec}");
        }
    }
}

/// Only the level at the end differs, and is known from the first step on.
#[test]
fn the_default_stops_what_cannot_win_and_lets_run_what_may() {
    let (mut study, _) = begun(&json!({"kind": "curve"}), 20, 9);
    let best = study.best_value().unwrap();
    let mut rng = Rng::new(77);
    let bad = run(&mut study, &curve(1.0, &mut rng));
    assert!(bad.is_some_and(|step| step <= 10), "{bad:?}");
    assert_eq!(run(&mut study, &curve(best - 0.1, &mut rng)), None);
    let pruned = study.history().trials().iter().filter(|trial| trial.is_pruned()).count();
    assert!(pruned >= 8, "{pruned}");
}

/// Early values that say nothing about the end stop nothing.
#[test]
fn the_default_stops_nothing_where_curves_cross() {
    let mut study = study(&json!({"kind": "curve"}), Direction::Minimize);
    let mut rng = Rng::new(4);
    for number in 0..40 {
        study.ask().unwrap();
        let level = rng.unit();
        for step in 1..4_u32 {
            // What begins worst ends best.
            let value = if step == 3 { 1.0 - level } else { level };
            study.report(number, step.into(), value).unwrap();
            assert_eq!(study.should_prune(number).unwrap().filter(|_| step < 3), None, "trial {number}");
        }
        study.tell(number, 1.0 - level).unwrap();
    }
}

#[test]
fn a_pruned_trial_is_neither_best_nor_failed_nor_proposed_again() {
    let space = Space::new([Param::integer("n", 1, 4)]).unwrap();
    let mut study = Study::new(space, StudyOptions::default()).unwrap();
    for value in [0.5, -100.0, 0.7, 0.6] {
        let number = study.ask().unwrap().number;
        study.report(number, 1, value).unwrap();
        let report = if value < 0.0 { Report::Pruned("by hand".into()) } else { Report::Value(value) };
        study.tell_with_cost(number, report, Some(2.0)).unwrap();
    }
    assert_eq!(study.best_value(), Some(0.5));
    let trial = &study.history().trials()[1];
    let pruned = Outcome::Pruned { reason: "by hand".into(), cost: Some(2.0) };
    assert_eq!((trial.outcome.as_ref(), trial.loss()), (Some(&pruned), None));
    assert_eq!(trial.curve.points(), [(1, -100.0)]);
    assert!(matches!(study.ask(), Err(SearchError::Exhausted { count: 4 })));
}

/// What a model is told of a pruned trial: where its curve was going, and never a record.
#[test]
fn models_learn_from_pruned_trials_where_their_curves_were_going() {
    let mut study = study(&json!({"kind": "none"}), Direction::Minimize);
    let mut tell = |early: f64, end: Option<f64>| {
        let number = study.ask().unwrap().number;
        study.report(number, 1, early).unwrap();
        let end = end.map_or(Report::Pruned("early".into()), Report::Value);
        study.tell(number, end).unwrap();
    };
    tell(2.5, None);
    for i in 0..8 {
        // Half of what it is at step 1.
        tell(2.0 + f64::from(i), Some(1.0 + f64::from(i) / 2.0));
    }
    tell(20.0, None);
    tell(0.5, None);
    tell(f64::NAN, None);
    let observed: Vec<f64> = study.history().observed().iter().map(|(_, loss)| *loss).collect();
    assert_eq!(observed.len(), 12);
    assert!((observed[0] - 1.25).abs() < 1e-9, "a forecast: {observed:?}");
    assert!((observed[9] - 10.0).abs() < 1e-9, "beyond the worst: {observed:?}");
    assert_eq!(observed[10], 1.0, "never better than the best");
    assert_eq!(observed[11], 4.5, "as bad as a failure");
}

#[test]
fn with_nothing_to_forecast_from_a_pruned_trial_is_left_out() {
    let mut study = study(&json!({"kind": "none"}), Direction::Minimize);
    for number in 0..6 {
        study.ask().unwrap();
        let report = if number % 2 == 0 { Report::Pruned("by hand".into()) } else { Report::Value(1.0) };
        study.tell(number, report).unwrap();
    }
    assert_eq!(study.history().observed().len(), 3);
}

#[test]
fn strategies_that_learn_go_on_with_pruned_trials() {
    let named = ["tpe", "cma_es", "model"].map(|name| StrategySpec::named(name).unwrap());
    for strategy in named.into_iter().chain([StrategySpec::default()]) {
        let name = strategy.kind().to_owned();
        let space = Space::new([Param::real("x", 0.0, 1.0), Param::real("y", 0.0, 1.0)]).unwrap();
        let mut study = Study::new(space, StudyOptions { strategy, ..StudyOptions::default() }).unwrap();
        for number in 0..24 {
            let trial = study.ask().unwrap();
            let at = |name| study.value(&trial, name).and_then(|v| v.as_f64()).unwrap();
            let level = (at("x") - 0.3).powi(2) + (at("y") - 0.6).powi(2);
            let mut end = Report::Value(level);
            for step in 1..6 {
                study.report(number, step, level + 1.0 / step as f64).unwrap();
                if let Some(reason) = study.should_prune(number).unwrap() {
                    end = Report::Pruned(reason);
                    break;
                }
            }
            study.tell(number, end).unwrap();
        }
        assert!(study.history().trials().iter().any(arbora_search::Trial::is_pruned), "{name}");
        assert!(study.best_value().unwrap() < 0.2, "{name}");
    }
}

#[test]
fn mistakes_are_named() {
    let mut minimized = study(&json!({"kind": "median"}), Direction::Minimize);
    let number = minimized.ask().unwrap().number;
    minimized.report(number, 3, 1.0).unwrap();
    for step in [2, 3] {
        let error = minimized.report(number, step, 1.0).unwrap_err();
        assert_eq!(error, SearchError::StepBack { number, step, last: 3 });
    }
    minimized.tell(number, 1.0).unwrap();
    assert!(matches!(minimized.report(number, 4, 1.0), Err(SearchError::AlreadyTold { .. })));
    assert!(matches!(minimized.should_prune(number), Err(SearchError::AlreadyTold { .. })));
    assert!(matches!(minimized.should_prune(9), Err(SearchError::UnknownTrial { number: 9, count: 1 })));
    // Names come in any order.
    let mut by_name = study(&json!({"kind": "wilcoxon"}), Direction::Minimize);
    let number = by_name.ask().unwrap().number;
    by_name.report(number, 3, 1.0).unwrap();
    by_name.report(number, 2, 1.0).unwrap();

    let read = |spec: Json| serde_json::from_value::<PrunerSpec>(spec).unwrap_err().to_string();
    assert!(read(json!("medain")).contains("did you mean `median`?"), "{}", read(json!("medain")));
    assert!(read(json!({"kind": "median", "warmup": 3})).contains("unknown field `warmup`"));
    for bad in [
        json!({"kind": "median", "interval_steps": 0}),
        json!({"kind": "percentile", "percentile": 101.0}),
        json!({"kind": "asha", "reduction_factor": 1}),
        json!({"kind": "asha", "min_resource": 0}),
        json!({"kind": "asha", "bootstrap_count": 1}),
        json!({"kind": "hyperband", "min_resource": 9, "max_resource": 3}),
        json!({"kind": "patience", "min_delta": -1.0}),
        json!({"kind": "threshold"}),
        json!({"kind": "threshold", "lower": 2.0, "upper": 1.0}),
        json!({"kind": "wilcoxon", "p_threshold": 2.0}),
        json!({"kind": "curve", "limit": 0.0}),
        json!({"kind": "race", "rival": 0}),
        json!({"kind": "race", "errors": -1.0}),
    ] {
        let space = Space::new([Param::real("x", 0.0, 1.0)]).unwrap();
        let pruner: PrunerSpec = serde_json::from_value(bad.clone()).unwrap();
        let made = Study::new(space, StudyOptions { pruner, ..StudyOptions::default() });
        assert!(matches!(made.err(), Some(SearchError::BadSetting { .. })), "{bad}");
    }
}

#[test]
fn a_pruner_is_written_and_read_as_data() {
    for spec in all() {
        let read: PrunerSpec = serde_json::from_value(spec.clone()).unwrap();
        let written = serde_json::to_string(&read).unwrap();
        assert_eq!(serde_json::from_str::<PrunerSpec>(&written).unwrap(), read);
    }
    // Studies of earlier versions have no pruner in their settings, and those with the default none either.
    let options = StudyOptions::default();
    let text = serde_json::to_string(&options).unwrap();
    assert!(!text.contains("pruner"), "{text}");
    assert_eq!(serde_json::from_str::<StudyOptions>(&text).unwrap(), options);
    assert_eq!(options.pruner.kind(), "curve");
    assert!(pruners().iter().all(|(_, summary)| !summary.is_empty()));
}
