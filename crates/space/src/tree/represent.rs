//! A valid configuration for every leaf that the constraints allow.
use super::{Decision, Tree};
use crate::condition::{Interval, Test};
use crate::configuration::Configuration;
use crate::constraint::{Clause, Literal};
use crate::error::SpaceError;
use crate::feasible::{Failure, Query};
use crate::id::ParamId;
use crate::rng::Rng;
use crate::space::Space;
use crate::subdomain::Subdomain;

/// Step limits of a search for a configuration: unlimited, or a quick look.
const LONG: u64 = u64::MAX;
const BRIEF: u64 = 1 << 12;

impl Tree {
    /// A valid random configuration of a leaf, if the constraints allow one. `space` must be the
    /// space of this tree.
    ///
    /// # Panics
    /// If there is no such leaf.
    pub fn representative(
        &self,
        space: &Space,
        leaf: usize,
        rng: &mut Rng,
    ) -> Result<Configuration, SpaceError> {
        let path = self.path(self.leaves[leaf].node);
        configuration_on(space, &path, Vec::new(), LONG, rng).map_err(|failure| match failure {
            Failure::Impossible => {
                let given: Vec<&str> = path.iter().map(|decision| decision.text()).collect();
                SpaceError::NoCompletion { given: given.join(", ") }
            }
            gave_up @ Failure::GaveUp(_) => gave_up.about(space.clauses()),
        })
    }
}

/// Do the constraints allow a configuration with these decisions? True if that takes too long to
/// find out.
pub(super) fn is_open(space: &Space, path: &[&Decision]) -> bool {
    let last = path.last().map(|decision| decision.parameter).into_iter().collect();
    configuration_on(space, path, last, BRIEF, &mut Rng::new(0)) != Err(Failure::Impossible)
}

/// A configuration with these decisions (where their deciders are active) and these parameters
/// active.
fn configuration_on(
    space: &Space,
    path: &[&Decision],
    active: Vec<ParamId>,
    budget: u64,
    rng: &mut Rng,
) -> Result<Configuration, Failure> {
    let mut clauses = space.clauses().to_vec();
    clauses.extend(path.iter().filter(|decision| decision.cells.len() > 1).map(|d| outside(d)));
    let parts = path.iter().filter(|decision| decision.cells.len() == 1);
    let parts = parts.map(|decision| (decision.parameter, decision.cells[0].clone())).collect();
    let any = Query::any(space);
    let (work, budget) = (any.work.min(budget.saturating_mul(8)), budget.min(any.budget));
    Query { clauses: &clauses, parts, active, budget, work, ..any }.find(rng)
}

/// Forbids the values outside a class of several cells.
fn outside(decision: &Decision) -> Clause {
    let inside = decision.cells.iter().filter_map(|cell| match *cell {
        Subdomain::Numbers(low, high) => Some(Interval { low, high, low_closed: true, high_closed: true }),
        Subdomain::Labels(_) => None,
    });
    let outside = Test::Numbers(inside.collect()).negated();
    Clause { literals: vec![Literal::Is(decision.parameter, outside)], source: decision.text.as_str().into() }
}
