//! Are verdicts right? Tested on a noisy bowl with known true values.
#![allow(clippy::unwrap_used)]
use arbora_evaluation::select::{Posterior, PosteriorMean, argmin};
use arbora_evaluation::{Advice, Verdict};
use arbora_model::infer::{Fixed, InferenceSpec};
use arbora_model::{GpSpec, SurrogateSpec};
use arbora_search::{Direction, Interrupt, ModelSpec, Report, StrategySpec, Study, StudyOptions, ValueRange};
use arbora_space::{Configuration, Param, Rng, Space};

fn space() -> Space {
    Space::new([Param::real("x", 0.0, 1.0), Param::real("y", 0.0, 1.0)]).unwrap()
}

fn truth(space: &Space, configuration: &Configuration) -> f64 {
    let at = |name| space.value(configuration, name).and_then(|v| v.as_f64()).unwrap();
    (at("x") - 0.3).powi(2) + (at("y") - 0.7).powi(2)
}

fn tuned(seed: u64, noise: f64, trials: usize, direction: Direction) -> Study {
    let options =
        StudyOptions { strategy: "random".parse().unwrap(), seed, direction, ..StudyOptions::default() };
    let mut study = Study::new(space(), options).unwrap();
    let mut rng = Rng::new(seed ^ 0x99);
    for _ in 0..trials {
        let trial = study.ask().unwrap();
        let loss = truth(study.space(), &trial.configuration) + noise * rng.normal();
        study.tell(trial.number, direction.flip(loss)).unwrap();
    }
    study
}

#[test]
fn the_posterior_mean_chooses_better_than_the_luckiest_draw() {
    let (mut lucky, mut trusted, mut anywhere) = (0.0, 0.0, 0.0);
    for seed in 0..12 {
        let study = tuned(seed, 0.15, 40, Direction::Minimize);
        let (space, history, spec) = (study.space(), study.history(), ModelSpec::default());
        let first = argmin(history).unwrap();
        lucky += truth(space, &history.trials()[first as usize].configuration);
        let chosen = PosteriorMean::Evaluated.choose(space, history, &spec, seed).unwrap().unwrap();
        trusted += truth(space, &chosen);
        let chosen = PosteriorMean::Anywhere.choose(space, history, &spec, seed).unwrap().unwrap();
        assert_eq!(space.check(&chosen), Ok(()));
        anywhere += truth(space, &chosen);
    }
    assert!(trusted < lucky && anywhere < lucky, "argmin {lucky}, evaluated {trusted}, anywhere {anywhere}");
}

#[test]
fn what_is_interrupted_ends_with_an_error() {
    let study = tuned(1, 0.1, 20, Direction::Minimize);
    let (space, history, spec) = (study.space(), study.history(), ModelSpec::default());
    let now = Interrupt::when(|| true);
    assert!(Verdict::of_until(space, history, study.options(), &spec, &now).is_err());
    for rule in [PosteriorMean::Evaluated, PosteriorMean::Anywhere] {
        assert!(rule.choose_until(space, history, &spec, 1, &now).is_err());
    }
    let never = Verdict::of_until(space, history, study.options(), &spec, Interrupt::never());
    assert_eq!(never, Verdict::of(space, history, study.options(), &spec));
}

#[test]
fn the_verdict_sees_noise_and_optimism() {
    let verdict = |noise, seed| {
        let study = tuned(seed, noise, 60, Direction::Minimize);
        let (space, history) = (study.space(), study.history());
        Verdict::of(space, history, study.options(), &ModelSpec::default()).unwrap().unwrap()
    };
    for seed in 0..3 {
        let (quiet, noisy) = (verdict(1e-3, seed), verdict(0.3, seed));
        assert!(quiet.noise < 0.05 && noisy.noise > 0.15, "{} {}", quiet.noise, noisy.noise);
        assert!(noisy.optimism > 0.1 && quiet.optimism < 0.02, "{} {}", noisy.optimism, quiet.optimism);
        assert!(noisy.tied.len() > quiet.tied.len() && noisy.tied.contains(&noisy.trusted.trial));
        let (low, high) = noisy.trusted.interval;
        assert!(low < noisy.trusted.expected && noisy.trusted.expected < high);
        assert!(noisy.to_string().contains("too good"), "{noisy}");
    }
}

#[test]
fn a_maximised_study_is_judged_in_its_own_direction() {
    let (lower, higher) = (tuned(4, 0.1, 40, Direction::Minimize), tuned(4, 0.1, 40, Direction::Maximize));
    let judge = |study: &Study| {
        Verdict::of(study.space(), study.history(), study.options(), &ModelSpec::default()).unwrap().unwrap()
    };
    let (lower, higher) = (judge(&lower), judge(&higher));
    assert_eq!(lower.best_seen.value, -higher.best_seen.value);
    assert_eq!(lower.trusted.expected, -higher.trusted.expected);
    assert_eq!(lower.trusted.interval.0, -higher.trusted.interval.1);
    assert_eq!((lower.optimism, lower.noise, &lower.tied), (higher.optimism, higher.noise, &higher.tied));
}

#[test]
fn before_the_first_loss_there_is_no_verdict_and_failures_never_win() {
    let mut study = Study::new(space(), StudyOptions::default()).unwrap();
    let verdict = |study: &Study| {
        Verdict::of(study.space(), study.history(), study.options(), &ModelSpec::default()).unwrap()
    };
    assert_eq!(verdict(&study), None);
    let trial = study.ask().unwrap();
    study.tell(trial.number, Report::Failure("crash".into())).unwrap();
    assert_eq!(verdict(&study), None);
    let trial = study.ask().unwrap();
    study.tell(trial.number, 0.5).unwrap();
    let only = verdict(&study).unwrap();
    assert_eq!((only.complete, only.failed, only.best_seen.trial, only.trusted.trial), (1, 1, 1, 1));
    assert!(matches!(only.advice, Advice::MoreTrials | Advice::Enough));
}

fn judged(study: &Study, options: &StudyOptions) -> Verdict {
    Verdict::of(study.space(), study.history(), options, &ModelSpec::default()).unwrap().unwrap()
}

#[test]
fn where_nothing_is_noisy_the_best_told_is_trusted_for_certain() {
    // So rough that a smooth model would expect other trials to be better than they are.
    let mut study = tuned(5, 0.2, 30, Direction::Maximize);
    let options = StudyOptions { deterministic: true, ..study.options().clone() };
    let verdict = judged(&study, &options);
    let best = study.best_value().unwrap();
    assert_eq!((verdict.trusted, verdict.trusted.trial), (verdict.best_seen, study.best().unwrap().number));
    assert_eq!((verdict.trusted.expected, verdict.trusted.interval), (best, (best, best)));
    assert_eq!((verdict.noise, verdict.optimism, verdict.overtuning), (0.0, 0.0, 0.0));
    assert_eq!(verdict.tied, [verdict.trusted.trial]);
    assert!(verdict.advice != Advice::Confirm, "there are no fresh splits to confirm on");
    assert!(verdict.to_string().contains("There is no noise"), "{verdict}");
    // Repeated configurations with equal losses give the same verdict.
    for _ in 0..2 {
        let again = study.best().unwrap().configuration.clone();
        study.add(again, best).unwrap();
    }
    assert_eq!(judged(&study, study.options()).trusted.interval, (best, best));
}

#[test]
fn no_verdict_leaves_the_range_of_values() {
    let options = |study: &Study, low, high| StudyOptions {
        range: ValueRange { low, high },
        ..study.options().clone()
    };
    for seed in 0..3 {
        let study = tuned(seed, 0.15, 12, Direction::Minimize);
        let free = judged(&study, study.options()).trusted;
        // A range of values narrower than the interval.
        let low = 0.5 * (free.interval.0 + free.expected);
        let bounded = judged(&study, &options(&study, Some(low), None));
        assert_eq!((bounded.trusted.interval.0, bounded.trusted.expected), (low, free.expected));
        assert!(bounded.promise <= bounded.trusted.expected - low + 1e-12, "{}", bounded.promise);
        let study = tuned(seed, 0.15, 12, Direction::Maximize);
        let free = judged(&study, study.options()).trusted;
        let high = 0.5 * (free.interval.1 + free.expected);
        let bounded = judged(&study, &options(&study, None, Some(high)));
        assert_eq!(bounded.trusted.interval.1, high);
        assert!(bounded.promise <= high - bounded.trusted.expected + 1e-12, "{}", bounded.promise);
    }
}

#[test]
fn thousands_of_trials_are_judged_by_those_that_matter() {
    let study = tuned(1, 0.1, 3000, Direction::Minimize);
    let infer = InferenceSpec::new(Fixed {});
    let surrogate = SurrogateSpec::new(GpSpec { infer, ..GpSpec::default() });
    let spec = ModelSpec { surrogate, ..ModelSpec::default() };
    let posterior = Posterior::fit(study.space(), study.history(), &spec, 1).unwrap().unwrap();
    assert_eq!((posterior.data().len(), posterior.trials().len()), (1000, 1000));
    let best = study.best().unwrap();
    assert!(posterior.trials().contains(&best.number));
    for (trial, loss) in posterior.trials().iter().zip(posterior.data().losses()) {
        assert_eq!(study.history().trials()[*trial as usize].loss(), Some(*loss));
    }
    let verdict = Verdict::of(study.space(), study.history(), study.options(), &spec).unwrap().unwrap();
    assert_eq!((verdict.complete, verdict.best_seen.trial), (3000, best.number));
    assert_eq!(verdict.record.unwrap().trials, 750, "the record is of all trials");
}

#[test]
fn losses_of_a_part_of_an_evaluation_are_not_judged_and_the_reason_is_said() {
    for name in [
        r#"{"kind":"asha"}"#,
        r#"{"kind":"hyperband"}"#,
        r#"{"kind":"fabolas"}"#,
        r#"{"kind":"racing","strategy":{"kind":"random"},"folds":5}"#,
    ] {
        let strategy = StrategySpec::from_json(name).unwrap();
        let options = StudyOptions { strategy, ..StudyOptions::default() };
        let mut study = Study::new(space(), options).unwrap();
        for _ in 0..3 {
            let trial = study.ask().unwrap();
            study.tell(trial.number, truth(study.space(), &trial.configuration)).unwrap();
        }
        let verdict =
            Verdict::of(study.space(), study.history(), study.options(), &ModelSpec::default()).unwrap();
        assert_eq!(verdict, None, "{name}");
        let words = study.history().missing().unwrap().to_string();
        assert!(words.starts_with("3 trials, none of a full evaluation"), "{name}: {words}");
    }
}
