//! Compares with conditions inferred earlier, and tests the work limit.
use super::*;
use crate::spec::SpaceSpec;
use crate::value::Value;
use serde_json::Value as Json;

/// Random programs that request parameters in branches, in loops and at random, with the conditions
/// that the first version of this rule, written in Python, found for them.
const RECORDED: &str = include_str!("../../tests/data/inferred-conditions.json");

fn trials(case: &Json) -> Vec<Observation> {
    let trial = |trial: &Json| Observation {
        values: serde_json::from_value(trial[0].clone()).unwrap(),
        is_complete: trial[1].as_bool().unwrap(),
    };
    case["trials"].as_array().unwrap().iter().map(trial).collect()
}

fn parameters(case: &Json) -> Vec<Param> {
    let document = serde_json::json!({ "parameters": case["parameters"] });
    SpaceSpec::from_json_value(&document).unwrap().parameters
}

#[test]
fn conditions_are_those_that_were_recorded() {
    let cases: Vec<Json> = serde_json::from_str(RECORDED).unwrap();
    for (i, case) in cases.iter().enumerate() {
        let (parameters, trials) = (parameters(case), trials(case));
        for (param, found) in parameters.iter().zip(infer_conditions(&parameters, &trials)) {
            let found = match found {
                Inferred::When(expression) => Some(expression),
                Inferred::Always | Inferred::Unexplained => None,
            };
            let recorded = case["conditions"][&param.name].as_str().map(|text| text.parse().unwrap());
            assert_eq!(found, recorded, "case {i}, parameter {}", param.name);
        }
    }
}

#[test]
fn what_is_inferred_agrees_with_every_trial() {
    let cases: Vec<Json> = serde_json::from_str(RECORDED).unwrap();
    for (i, case) in cases.iter().enumerate() {
        let (mut parameters, trials) = (parameters(case), trials(case));
        let found = infer_conditions(&parameters, &trials);
        if found.contains(&Inferred::Unexplained) {
            continue;
        }
        for (param, found) in parameters.iter_mut().zip(found) {
            if let Inferred::When(expression) = found {
                param.when.push(expression.into());
            }
        }
        let space = crate::Space::new(parameters).unwrap();
        for trial in trials.iter().filter(|trial| trial.is_complete) {
            assert!(space.configuration(trial.values.clone()).is_ok(), "case {i}");
        }
    }
}

fn observed(values: Named) -> Observation {
    Observation { values, is_complete: true }
}

#[test]
fn tests_of_several_parameters_are_nested_and_a_whim_stays_unexplained() {
    let parameters =
        [Param::boolean("a"), Param::boolean("b"), Param::real("x", 0.0, 1.0), Param::real("p", 0.0, 1.0)];
    let trial = |i: usize, has_it: bool| {
        let (a, b) = (i.is_multiple_of(2), i % 4 < 2);
        let x = (i * 7 % 11) as f64 / 11.0;
        let mut values = Named::from_iter([("a", Value::from(a)), ("b", b.into()), ("x", x.into())]);
        values.extend(has_it.then_some(("p", 0.5)));
        observed(values)
    };
    let both: Vec<Observation> = (0..8).map(|i| trial(i, i % 4 == 0)).collect();
    assert!(matches!(&infer_conditions(&parameters, &both)[3], Inferred::When(_)));
    let lone: Vec<Observation> = (0..8).map(|i| trial(i, i == 4)).collect();
    assert_eq!(infer_conditions(&parameters, &lone)[3], Inferred::Unexplained);
}

/// A new name in every trial: without a limit, nested tests of all parameters were tried for each.
#[test]
fn what_nothing_explains_costs_bounded_work() {
    let count = 40;
    let parameters: Vec<Param> = (0..count).map(|i| Param::real(format!("x{i}"), 0.0, 1.0)).collect();
    let value = |i: usize, trial: usize| ((i * 7 + trial * 13) % 11) as f64 / 11.0;
    let trials: Vec<Observation> = (0..count)
        .map(|trial| observed((0..=trial).map(|i| (format!("x{i}"), value(i, trial))).collect()))
        .collect();
    let table = Table::new(&parameters, &trials);
    let mut search = Search::new(&table, MOST_LOOKS);
    assert_eq!(infer(&table, &mut search).len(), count);
    assert!(search.looked <= MOST_LOOKS + 2 * count * count * count, "{}", search.looked);
}

/// Each parameter depends on the previous one: following the chain must not use the stack.
#[test]
fn long_chains_of_parameters_are_followed() {
    let count = 2000;
    let parameters: Vec<Param> = (0..count).map(|i| Param::boolean(format!("b{i}"))).collect();
    let trials: Vec<Observation> = [1, 2, count - 1, count]
        .map(|length| observed((0..length).map(|i| (format!("b{i}"), i + 1 < length)).collect()))
        .to_vec();
    let found = infer_conditions(&parameters, &trials);
    assert_eq!(found[1], Inferred::When("b0 in [true]".parse().unwrap()));
    assert_eq!(found.len(), count);
}
