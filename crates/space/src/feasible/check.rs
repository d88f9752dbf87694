//! Checks of a new space: every parameter can be active, some configuration is valid, and the given
//! defaults are allowed.
use super::attainable;
use super::complete::{Failure, Query};
use crate::constraint::Clause;
use crate::error::SpaceError;
use crate::id::ParamId;
use crate::parameter::Role;
use crate::rng::Rng;
use crate::space::Space;
use crate::value::Value;
use std::sync::Arc;

/// After this many steps, a space is assumed to be satisfiable.
const BUDGET: u64 = 1 << 12;
/// Work limit for the same check.
const WORK: u64 = 1 << 22;

/// Rejects parameters that can never be active, constraints that no configuration satisfies, and
/// forbidden defaults if the user gave all of them.
pub(crate) fn check(space: &Space) -> Result<(), SpaceError> {
    attainable::check(space)?;
    if space.clauses().is_empty() {
        return Ok(());
    }
    let defaults = space.defaults();
    if space.violated(&defaults).is_none() {
        return Ok(());
    }
    if closes_everything(space, space.clauses(), WORK) {
        return Err(SpaceError::Unsatisfiable { culprit: culprit(space) });
    }
    let label = |id: ParamId, value: &Value| space.label(id, value);
    let mut violated = space.clauses().iter().filter(|clause| clause.forbids(&defaults, &label));
    match violated.find(|clause| clause.parameters().into_iter().all(|id| is_given(space, id))) {
        Some(clause) => Err(SpaceError::ForbiddenConfiguration { constraint: clause.source.to_string() }),
        None => Ok(()),
    }
}

fn closes_everything(space: &Space, clauses: &[Clause], work: u64) -> bool {
    let query = Query { clauses, budget: BUDGET, work, ..Query::any(space) };
    // The seed only affects the order of the search.
    query.find(&mut Rng::new(0)) == Err(Failure::Impossible)
}

/// A single constraint that excludes everything, if there is one. Clauses of one constraint are
/// adjacent.
fn culprit(space: &Space) -> String {
    let constraints: Vec<&[Clause]> =
        space.clauses().chunk_by(|a, b| Arc::ptr_eq(&a.source, &b.source)).collect();
    let work = WORK / constraints.len() as u64;
    match constraints.into_iter().find(|clauses| closes_everything(space, clauses, work)) {
        Some(clauses) => format!("`{}` alone does", clauses[0].source),
        None => format!("no single one does, their combination does: {}", Clause::listed(space.clauses())),
    }
}

/// Was this parameter's default given by the user?
fn is_given(space: &Space, id: ParamId) -> bool {
    let shown = match space.parameter(id).role() {
        Role::Switch { number } => number,
        _ => id,
    };
    let name = space.parameter(shown).name();
    let declared = space.spec().parameters.iter().find(|param| param.name == name);
    match declared.and_then(|param| param.default.as_ref()) {
        None => false,
        // A default of none does not determine the number.
        Some(Value::None) => !matches!(space.parameter(id).role(), Role::Number { .. }),
        Some(_) => true,
    }
}
