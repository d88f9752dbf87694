//! When does a parameter exist? Inferred from which complete trials have it.
//!
//! A parameter that all have is always there. Of any other, tests on parameters chosen before it are collected, the one
//! first that excludes most trials without it, until exactly the trials that have it remain: the values of a choice
//! seen together with it, or the range of a number. What no such tests explain is an error, not a guess.
use super::distribution::Distribution;
use super::file::{RawStudy, RawTrial};
use arbora_space::expression::{Comparison, Term};
use arbora_space::{Expression, Param, SpaceSpec, Value};

/// A parameter seen in complete trials.
struct Seen {
    name: String,
    distribution: Distribution,
}

/// A test on a parameter.
#[derive(Clone, Debug, PartialEq)]
enum Test {
    OneOf(Vec<Value>),
    Between(f64, f64),
}

impl Test {
    fn holds(&self, value: Option<&Value>) -> bool {
        match (self, value) {
            (_, None) => false,
            (Test::OneOf(values), Some(value)) => values.contains(value),
            (Test::Between(low, high), Some(value)) => {
                value.as_f64().is_some_and(|x| *low <= x && x <= *high)
            }
        }
    }
}

/// The space that the complete trials were drawn from.
pub(super) fn infer(study: &RawStudy) -> Result<SpaceSpec, String> {
    let trials: Vec<&RawTrial> = study.trials.iter().filter(|trial| trial.state == "COMPLETE").collect();
    if trials.is_empty() {
        return Err("no trial is complete, so the space is not known; give it with --space".to_owned());
    }
    let seen = seen(&trials)?;
    let mut parameters = Vec::with_capacity(seen.len());
    for (i, parameter) in seen.iter().enumerate() {
        let tests = tests(&trials, &seen[..i], &parameter.name)?;
        let declared = parameter.distribution.parameter(&parameter.name);
        parameters.push(tests.into_iter().fold(declared, |param: Param, (decider, test)| {
            conditions(decider, &test).into_iter().fold(param, Param::when)
        }));
    }
    Ok(SpaceSpec::new(parameters))
}

/// Every parameter once, those before which it was chosen after it.
fn seen(trials: &[&RawTrial]) -> Result<Vec<Seen>, String> {
    let mut seen: Vec<Seen> = Vec::new();
    for trial in trials {
        let mut after = 0;
        for (name, _, distribution) in &trial.parameters {
            match seen.iter().position(|known| known.name == *name) {
                Some(at) => {
                    let joined = seen[at].distribution.joined(distribution);
                    seen[at].distribution = joined.ok_or_else(|| {
                        format!("parameter `{name}` is of different kinds in different trials")
                    })?;
                    after = at + 1;
                }
                None => {
                    seen.insert(after, Seen { name: name.clone(), distribution: distribution.clone() });
                    after += 1;
                }
            }
        }
    }
    Ok(seen)
}

fn tests<'a>(trials: &[&RawTrial], before: &'a [Seen], name: &str) -> Result<Vec<(&'a Seen, Test)>, String> {
    let (with, mut without): (Vec<&RawTrial>, Vec<&RawTrial>) =
        trials.iter().copied().partition(|trial| trial.get(name).is_some());
    let mut chosen = Vec::new();
    let candidates: Vec<(&Seen, Test)> =
        before.iter().filter_map(|decider| test(decider, &with).map(|test| (decider, test))).collect();
    while !without.is_empty() {
        let excluded = |(decider, test): &&(&Seen, Test)| {
            without.iter().filter(|trial| !test.holds(trial.get(&decider.name))).count()
        };
        // The first of the best: the decider nearest to the root.
        let best = candidates.iter().rev().max_by_key(excluded).filter(|best| excluded(best) > 0);
        let (decider, test) = best.cloned().ok_or_else(|| {
            format!("no parameter explains when `{name}` exists; give the space with --space")
        })?;
        without.retain(|trial| test.holds(trial.get(&decider.name)));
        chosen.push((decider, test));
    }
    Ok(chosen)
}

/// What all trials with a parameter have in common in another; nothing if one of them lacks it.
fn test(decider: &Seen, with: &[&RawTrial]) -> Option<Test> {
    let values: Vec<&Value> = with.iter().map(|trial| trial.get(&decider.name)).collect::<Option<_>>()?;
    if let Distribution::Choice(choices) = &decider.distribution {
        return Some(Test::OneOf(choices.iter().filter(|choice| values.contains(choice)).cloned().collect()));
    }
    let numbers = || values.iter().filter_map(|value| value.as_f64());
    let (low, high) = (numbers().fold(f64::INFINITY, f64::min), numbers().fold(f64::NEG_INFINITY, f64::max));
    let (lowest, highest) = match decider.distribution {
        Distribution::Real { low, high, .. } => (low, high),
        Distribution::Integer { low, high, .. } => (low as f64, high as f64),
        Distribution::Choice(_) => return None,
    };
    // One side of a threshold: the other end of the range belongs to it whether it was seen or not.
    let (from_below, from_above) = (low - lowest, highest - high);
    Some(if from_below >= from_above { Test::Between(low, highest) } else { Test::Between(lowest, high) })
}

fn conditions(decider: &Seen, test: &Test) -> Vec<Expression> {
    let parameter = || Term::Parameter(decider.name.clone());
    let number = |x: f64| match decider.distribution {
        Distribution::Integer { .. } => Term::Value(Value::Int(x as i64)),
        _ => Term::Value(x.into()),
    };
    match test {
        Test::OneOf(values) => match values.as_slice() {
            [only] => vec![Expression::Compare(parameter(), Comparison::Equal, Term::Value(only.clone()))],
            _ => vec![Expression::In(decider.name.clone(), values.clone())],
        },
        Test::Between(low, high) => {
            let (lowest, highest) = match decider.distribution {
                Distribution::Real { low, high, .. } => (low, high),
                Distribution::Integer { low, high, .. } => (low as f64, high as f64),
                Distribution::Choice(_) => (f64::NEG_INFINITY, f64::INFINITY),
            };
            let above =
                (*low > lowest).then(|| Expression::Compare(parameter(), Comparison::AtLeast, number(*low)));
            let below = (*high < highest)
                .then(|| Expression::Compare(parameter(), Comparison::AtMost, number(*high)));
            above.into_iter().chain(below).collect()
        }
    }
}
