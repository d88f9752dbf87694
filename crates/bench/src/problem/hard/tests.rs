use super::super::Problem;
use super::flat::RELEVANT;
use super::{by_name, hole, names, place};
use arbora_space::{Configuration, Rng, Value};
use std::collections::HashMap;

/// What a problem is best at: the numbers at their places, and these choices.
fn best(problem: &Problem, choices: &[(&str, &str)], first: impl Fn(&str) -> usize) -> Configuration {
    let numbers = problem.space().parameters().iter().filter(|p| p.domain().range().is_some());
    let mut values: HashMap<String, Value> =
        numbers.map(|p| (p.name().to_owned(), Value::from(place(first(p.name()))))).collect();
    for (name, choice) in choices {
        values.insert((*name).to_owned(), Value::from(*choice));
    }
    // Only what these choices activate is said.
    let space = problem.space();
    let mut rng = Rng::new(1);
    let full = loop {
        let drawn = space.sample(&mut rng).unwrap();
        let agrees = |(name, choice): &(&str, &str)| {
            space.value(&drawn, name).is_some_and(|value| value == Value::from(*choice))
        };
        if choices.iter().all(agrees) {
            break drawn;
        }
    };
    let active = space.named(&full).into_iter().map(|(name, value)| {
        let value = values.remove(&name).unwrap_or(value);
        (name, value)
    });
    space.configuration(active).unwrap()
}

/// The digits at the end of a name.
fn index(name: &str) -> usize {
    let digits: String = name.chars().rev().take_while(char::is_ascii_digit).collect();
    digits.chars().rev().collect::<String>().parse().unwrap_or_default()
}

#[test]
fn optima_are_where_they_are_said_to_be() {
    let needle = by_name("needle-6-10-2").unwrap();
    let at = best(&needle, &[("family", "f1"), ("learner1", "l3")], |name| 3 + index(name));
    assert!(needle.loss(&at).abs() < 1e-12, "{}", needle.loss(&at));
    for name in ["cliff", "noisy"] {
        let problem = by_name(name).unwrap();
        assert!(problem.loss(&best(&problem, &[], index)).abs() < 1e-12, "{name}");
    }
    let basin = by_name("deceptive-basin").unwrap();
    assert!(basin.loss(&best(&basin, &[], |name| 3 + index(name))).abs() < 1e-12);
    let levels = by_name("levels-50").unwrap();
    assert!(levels.loss(&best(&levels, &[("level", "v0")], index)).abs() < 1e-12);
    for name in ["noisy-branches", "failing-branch"] {
        let problem = by_name(name).unwrap();
        let at = best(&problem, &[("branch", "b2")], |name| 2 + index(name));
        assert!(problem.loss(&at).abs() < 1e-12, "{name}: {}", problem.loss(&at));
    }
    let irrelevant = by_name("irrelevant").unwrap();
    let of = |name: &str| RELEVANT.iter().position(|i| *i == index(name)).unwrap_or_default();
    let at = best(&irrelevant, &[], of);
    assert!(irrelevant.loss(&at).abs() < 1e-12);
    let pipeline = by_name("pipeline-3").unwrap();
    let choices = [("learner", "l4"), ("step0", "a"), ("step1", "a")];
    let of = |name: &str| match name {
        "step0.a" => 0,
        "step1.a" => 1,
        "l4.x2" => 4,
        other => 4 + index(other),
    };
    assert!(pipeline.loss(&best(&pipeline, &choices, of)).abs() < 1e-12);
}

#[test]
fn nothing_is_below_the_optimum_and_luck_rarely_comes_near() {
    for name in names() {
        let problem = by_name(&name).unwrap();
        assert_eq!(problem.name(), name);
        let mut rng = Rng::new(7);
        let losses: Vec<f64> = (0..2000)
            .map(|_| problem.loss(&problem.space().sample(&mut rng).unwrap()))
            .filter(|loss| !loss.is_nan())
            .collect();
        assert!(losses.iter().all(|loss| (0.0..=1.5).contains(loss)), "{name}");
        let near = losses.iter().filter(|loss| **loss < 0.02).count();
        assert!(near < 60, "{name}: {near} of 2000 random draws are next to the optimum");
    }
}

#[test]
fn a_needle_takes_the_share_it_says() {
    let problem = by_name("needle-3-10-1").unwrap();
    let mut rng = Rng::new(3);
    let draws = 60_000;
    let good = (0..draws)
        .filter(|_| {
            let at = problem.space().sample(&mut rng).unwrap();
            let is_there = problem.space().value(&at, "learner") == Some(Value::from("l1"));
            is_there && problem.loss(&at) < 0.8
        })
        .count() as f64;
    let expected = 0.1 / 3.0 * hole_below(0.8 / 0.85);
    assert!((good / f64::from(draws) / expected - 1.0).abs() < 0.1, "{good}");
}

/// The share of the box in which a hole is below this level: max-norm balls of radius √level.
fn hole_below(level: f64) -> f64 {
    assert_eq!(hole(&[place(0)], 0, 0.5), 0.0);
    level
}

#[test]
fn noise_is_a_function_of_seed_and_trial() {
    let problem = by_name("noisy").unwrap();
    let at = problem.space().sample(&mut Rng::new(1)).unwrap();
    assert_eq!(problem.observed(&at, 3, 5), problem.observed(&at, 3, 5));
    assert_ne!(problem.observed(&at, 3, 5), problem.observed(&at, 3, 6));
    assert_ne!(problem.observed(&at, 4, 5), problem.observed(&at, 3, 5));
    let mean = (0..4000).map(|trial| problem.observed(&at, 0, trial)).sum::<f64>() / 4000.0;
    assert!((mean - problem.loss(&at)).abs() < 0.006, "{mean}");
}
