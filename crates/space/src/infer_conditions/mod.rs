//! When does each parameter take part? Learnt from trials that show only which parameters they had.
//!
//! A program that asks for its parameters one by one shows its space piece by piece: a trial tells which parameters
//! took part, with which values. This finds conditions that agree with every trial seen so far. The rule, for each
//! parameter in the order of discovery:
//!
//! 1. A parameter that no complete trial lacks is unconditional.
//! 2. Otherwise its condition is a test of one parameter discovered earlier, the first that separates the trials that
//!    have it from those that lack it: an alternative is excluded if a trial with it lacks the parameter, a number is
//!    cut half-way between the nearest values with and without (on its own scale). Alternatives that were never tried
//!    are not excluded: the parameter is expected there until a trial shows otherwise.
//! 3. If no single test does, tests are nested like a decision tree: the split that leaves the fewest trials on the
//!    wrong side first, then the same again on each side.
//! 4. Parameters that only later ones could explain get a second chance with all that do not depend on them.
//! 5. If nothing separates the trials, the parameter is [unexplained](Inferred::Unexplained): the program decides by
//!    something it did not ask for.
//!
//! Only complete trials show that a parameter is absent; a failed one may have ended before it asked. Cost: parameters
//! squared times trials. Nested tests cost more, so the search for them is bounded: beyond 200 000 values looked
//! at, what no single test explains counts as unexplained.
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

/// Values that the search for nested tests may look at in all.
const MOST_LOOKS: usize = 200_000;

/// What one trial had, and whether it came to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// The parameters it asked for, with their values.
    pub values: Named,
    /// Does it lack what it did not ask for? A trial that failed may have ended before.
    pub is_complete: bool,
}

/// When a parameter takes part.
#[derive(Clone, Debug, PartialEq)]
pub enum Inferred {
    /// In every complete trial.
    Always,
    /// Where this holds, which agrees with every trial.
    When(Expression),
    /// Some trials lack it, and no condition within bounds says which.
    Unexplained,
}

/// When each of the parameters takes part, in their order.
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

/// Does a parameter depend on another, directly or through others?
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
