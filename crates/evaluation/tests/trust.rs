//! Does the verdict tell the truth? On a bowl with noise, where the truth is known.
#![allow(clippy::unwrap_used)]
use arbora_evaluation::select::{PosteriorMean, argmin};
use arbora_evaluation::{Advice, Verdict};
use arbora_search::{Direction, ModelSpec, Report, Study, StudyOptions};
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
fn the_verdict_sees_noise_and_optimism() {
    let verdict = |noise, seed| {
        let study = tuned(seed, noise, 60, Direction::Minimize);
        let (space, history) = (study.space(), study.history());
        Verdict::of(space, history, Direction::Minimize, &ModelSpec::default(), seed).unwrap().unwrap()
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
        let (direction, spec) = (study.options().direction, ModelSpec::default());
        Verdict::of(study.space(), study.history(), direction, &spec, 1).unwrap().unwrap()
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
        Verdict::of(study.space(), study.history(), Direction::Minimize, &ModelSpec::default(), 0).unwrap()
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
