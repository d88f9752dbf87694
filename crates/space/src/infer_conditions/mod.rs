//! Infers the conditions of parameters from trials that only show which parameters they used.
//!
//! A define-by-run program reveals its space piece by piece: a trial shows which parameters it
//! requested, and their values. This finds conditions that agree with every trial so far. The rule,
//! for each parameter in order of discovery:
//!
//! 1. A parameter that every complete trial has is unconditional.
//! 2. Otherwise its condition is a test of one parameter discovered earlier: the first that
//!    separates the trials with it from those without. An alternative is excluded if a trial with
//!    it lacks the parameter; a number is cut half-way between the nearest values with and without
//!    (on its own scale). Alternatives never tried are not excluded: the parameter is expected
//!    there until a trial shows otherwise.
//! 3. If no single test does, tests are nested like a decision tree: first the split that
//!    misclassifies the fewest trials, then the same on each side.
//! 4. Parameters that only later ones could explain get a second chance with all parameters that do
//!    not depend on them.
//! 5. If nothing separates the trials, the parameter is [unexplained](Inferred::Unexplained): the
//!    program decides by something that is not a parameter.
//!
//! Only complete trials show that a parameter is inactive; a failed one may have ended before it
//! requested it. Cost: parameters squared times trials. Nested tests cost more, so their search is
//! bounded: after 200 000 inspected values, a parameter that no single test explains counts as
//! unexplained.
mod rule;
mod search;
mod single;
mod table;

use crate::expression::Expression;
use crate::named::Named;
use crate::spec::Param;
use rule::Rule;
use search::Search;
use std::collections::HashSet;
use table::{Labelled, Table};

/// Limit on the values inspected in the search for nested tests.
const MOST_LOOKS: usize = 200_000;

/// The parameters of one trial, and whether it ran to completion.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// The requested parameters and their values.
    pub values: Named,
    /// Are parameters that it did not request inactive? A failed trial may have ended before.
    pub is_complete: bool,
}

/// When a parameter is active.
#[derive(Clone, Debug, PartialEq)]
pub enum Inferred {
    /// In every complete trial.
    Always,
    /// If this holds, in agreement with every trial.
    When(Expression),
    /// Some trials lack it, and no condition within the limits explains which.
    Unexplained,
}

/// Infers when each of the parameters is active, in their order.
///
/// ```
/// use arbora_space::{Inferred, Named, Observation, Param, Value, infer_conditions};
/// let parameters = [Param::choice("model", ["svm", "forest"]), Param::real("C", 0.0, 1.0)];
/// let svm = Named::from_iter([("model", Value::from("svm")), ("C", 0.5.into())]);
/// let seen = [svm, Named::from_iter([("model", "forest")])]
///     .map(|values| Observation { values, is_complete: true });
/// let found = infer_conditions(&parameters, &seen);
/// assert_eq!(found, [Inferred::Always, Inferred::When("model in [\"svm\"]".parse()?)]);
/// # Ok::<(), arbora_space::SpaceError>(())
/// ```
pub fn infer_conditions(parameters: &[Param], observations: &[Observation]) -> Vec<Inferred> {
    let table = Table::new(parameters, observations);
    let mut search = Search::new(&table, MOST_LOOKS);
    infer(&table, &mut search)
}

fn infer(table: &Table<'_>, search: &mut Search<'_>) -> Vec<Inferred> {
    let count = table.width();
    let labelled: Vec<Labelled> = (0..count).map(|at| table.labelled(at)).collect();
    let all: Vec<usize> = (0..count).collect();
    let mut rules: Vec<Option<Rule>> = Vec::with_capacity(count);
    for at in 0..count {
        rules.push(search.rule(&all[..at], &labelled[at]));
    }
    let is_lacking = |at: usize| labelled[at].iter().any(|(_, has_it)| !has_it);
    let puzzling: Vec<usize> = (0..count).filter(|&at| rules[at].is_none() && is_lacking(at)).collect();
    for at in puzzling {
        let others: Vec<usize> =
            (0..count).filter(|&other| other != at && !depends(other, at, &rules)).collect();
        rules[at] = search.rule(&others, &labelled[at]);
    }
    let inferred = |(at, rule): (usize, Option<Rule>)| match rule {
        Some(rule) => Inferred::When(rule.expression),
        None if is_lacking(at) => Inferred::Unexplained,
        None => Inferred::Always,
    };
    rules.into_iter().enumerate().map(inferred).collect()
}

/// Does a parameter depend on another, directly or indirectly?
fn depends(name: usize, on: usize, rules: &[Option<Rule>]) -> bool {
    let (mut open, mut seen) = (vec![name], HashSet::new());
    while let Some(at) = open.pop() {
        let deciders = rules[at].iter().flat_map(Rule::deciders);
        for decider in deciders {
            if decider == on {
                return true;
            }
            if seen.insert(decider) {
                open.push(decider);
            }
        }
    }
    false
}

#[cfg(test)]
mod tests;
