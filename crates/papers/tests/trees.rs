//! Choosing a branch before a point is no worse: compares such strategies with independent
//! processes, which look into every branch, on spaces where the choice of the branch can go wrong.
#![allow(clippy::unwrap_used)]
use arbora_search::{Study, StudyOptions};
use arbora_space::{Param, Space};

const SEEDS: u64 = 4;
const TRIALS: usize = 36;

/// The value of a number by name, and whether a choice has a given category.
type Numbers<'a> = &'a dyn Fn(&str) -> Option<f64>;
type Labels<'a> = &'a dyn Fn(&str, &str) -> bool;

/// A space and its loss, whose minimum is zero.
struct Problem {
    name: &'static str,
    space: Space,
    loss: fn(Numbers<'_>, Labels<'_>) -> f64,
}

/// One decision between learners of very different spread: the best one is good only in a small
/// part of its range.
fn learners() -> Problem {
    let space = Space::new([
        Param::choice("model", ["svm", "forest", "tree", "bayes"]),
        Param::real("C", 1e-5, 1e5).log().when("model == 'svm'"),
        Param::real("gamma", 1e-5, 1e5).log().when("model == 'svm'"),
        Param::integer("count", 1, 30).when("model == 'forest'"),
        Param::integer("depth", 1, 10).when("model in ['forest', 'tree']"),
    ]);
    let loss = |value: Numbers<'_>, is: Labels<'_>| {
        let decades = |name, at: f64| (value(name).unwrap_or(1.0).log10() - at) / 2.0;
        let depth = (value("depth").unwrap_or(0.0) / 10.0 - 0.7).powi(2);
        match () {
            () if is("model", "svm") => {
                0.5 - 0.5 * (-decades("C", 1.0).powi(2) - decades("gamma", -2.0).powi(2)).exp()
            }
            () if is("model", "forest") => 0.1 + 0.1 * depth + 0.05 / value("count").unwrap(),
            () if is("model", "tree") => 0.15 + 0.2 * depth,
            () => 0.3,
        }
    };
    Problem { name: "learners", space: space.unwrap(), loss }
}

/// A chain of decisions "stop here?", with one number per link and one shared number.
fn chain() -> Problem {
    let mut params = vec![Param::real("rate", 0.0, 1.0)];
    for link in 0..4 {
        let before = (0..link).map(|i| format!("stop{i} == 'no'")).collect::<Vec<_>>().join(" and ");
        let stop = Param::choice(format!("stop{link}"), ["yes", "no"]);
        params.push(if link == 0 { stop } else { stop.when(before.as_str()) });
        let own = [before, format!("stop{link} == 'yes'")];
        let own = own.iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join(" and ");
        params.push(Param::real(format!("x{link}"), -1.0, 1.0).when(own.as_str()));
    }
    let loss = |value: Numbers<'_>, _: Labels<'_>| {
        let link = (0..4).find_map(|i| Some(0.1 * f64::from(i) + value(&format!("x{i}"))?.powi(2)));
        link.unwrap_or(1.0) + value("rate").unwrap()
    };
    Problem { name: "chain", space: Space::new(params).unwrap(), loss }
}

/// Mean over seeds of log₁₀ of the best loss.
fn reached(problem: &Problem, strategy: &str) -> f64 {
    let one = |seed| {
        let options = StudyOptions { strategy: strategy.parse().unwrap(), seed, ..StudyOptions::default() };
        let mut study = Study::new(problem.space.clone(), options).unwrap();
        for _ in 0..TRIALS {
            let trial = study.ask().unwrap();
            let value = |name: &str| study.value(&trial, name).and_then(|value| value.as_f64());
            let is =
                |name: &str, label: &str| study.value(&trial, name).is_some_and(|v| v.to_string() == label);
            let loss = (problem.loss)(&value, &is);
            study.tell(trial.number, loss).unwrap();
        }
        study.best_value().unwrap().max(1e-8).log10()
    };
    (0..SEEDS).map(one).sum::<f64>() / SEEDS as f64
}

/// Half an order of magnitude is within the noise of four seeds. Judging branches by their path
/// alone, `tree` stayed in the worst link of the chain and ended more than two orders behind.
#[test]
fn to_choose_the_branch_first_is_no_worse_than_to_look_everywhere() {
    arbora_papers::register().unwrap();
    for problem in [learners(), chain()] {
        let independent = reached(&problem, "gp-independent");
        for strategy in ["tree", "tree-topk"] {
            let tree = reached(&problem, strategy);
            let name = problem.name;
            assert!(tree < independent + 0.5, "{name}: {strategy} {tree:.2}, independent {independent:.2}");
        }
    }
}
