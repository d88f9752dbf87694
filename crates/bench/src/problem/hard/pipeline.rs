//! Pipelines: decisions that do not depend on each other, each with parameters of its own.
//!
//! Scaler, reducer and learner make 3 × 7 or 3 × 3 × 7 branches, which few trials see more than once.
//! Their effects nearly add: what is learnt about a learner with one reducer holds with another. The
//! best learner is bad unless its width is right, as a support vector machine is.
use super::super::{Problem, Reading};
use super::{bowl, hole};
use arbora_space::{Param, Space};

pub(super) const NAMES: [&str; 2] = ["pipeline-2", "pipeline-3"];

pub(super) fn by_name(name: &str) -> Option<Problem> {
    NAMES.iter().position(|known| *known == name).map(|i| pipeline(NAMES[i], i + 2))
}

const LEARNERS: usize = 7;
const GOOD: usize = 4;

/// The learner and one or two decisions before it.
fn pipeline(name: &str, decisions: usize) -> Problem {
    let steps = decisions - 1;
    let mut params = vec![Param::choice("learner", (0..LEARNERS).map(|l| format!("l{l}")))];
    for learner in 0..LEARNERS {
        let when = format!("learner == 'l{learner}'");
        let numbers = (0..3).map(|i| Param::real(format!("l{learner}.x{i}"), 0.0, 1.0));
        params.extend(numbers.map(|param| param.when(when.clone())));
    }
    for step in 0..steps {
        params.push(Param::choice(format!("step{step}"), ["none", "a", "b"]));
        for way in ["a", "b"] {
            let number = Param::real(format!("step{step}.{way}"), 0.0, 1.0);
            params.push(number.when(format!("step{step} == '{way}'")));
        }
    }
    let space = Space::new(params).expect("decisions side by side are a space");
    Problem::new(name, space, 0.0, move |at: &Reading<'_>| {
        learner(at) + (0..steps).map(|step| prepared(at, step)).sum::<f64>()
    })
}

fn learner(at: &Reading<'_>) -> f64 {
    let name = |learner: usize| format!("l{learner}.x0");
    let chosen = (0..LEARNERS).find(|learner| at.number_if_active(&name(*learner)).is_some());
    let chosen = chosen.expect("one learner is active");
    let x: [f64; 3] = std::array::from_fn(|i| at.number(&format!("l{chosen}.x{i}")));
    if chosen == GOOD {
        0.6 * hole(&x[..2], chosen, 0.2) + 0.05 * bowl(&x[2..], chosen)
    } else {
        0.2 + 0.02 * chosen as f64 + 0.3 * bowl(&x, chosen)
    }
}

/// Nothing is worth 0.1, one way 0 at its best, the other 0.15.
fn prepared(at: &Reading<'_>, step: usize) -> f64 {
    let number = |way: &str| at.number_if_active(&format!("step{step}.{way}"));
    match (number("a"), number("b")) {
        (Some(x), _) => 0.2 * bowl(&[x], step),
        (_, Some(x)) => 0.15 + 0.1 * bowl(&[x], step + 1),
        _ => 0.1,
    }
}
