//! A valid configuration for every leaf that the constraints leave open.
use super::{Decision, Tree};
use crate::condition::{Interval, Test};
use crate::configuration::Configuration;
use crate::constraint::{Clause, Literal};
use crate::error::SpaceError;
use crate::feasible::{Failure, Wish};
use crate::part::Part;
use crate::rng::Rng;
use crate::space::Space;

impl Tree {
    /// A valid random configuration of a leaf, if the constraints leave one. `space` must be the one the tree was
    /// grown from.
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
        let mut clauses = space.clauses().to_vec();
        clauses.extend(path.iter().filter(|decision| decision.cells.len() > 1).map(|d| outside(d)));
        let parts = path.iter().filter(|decision| decision.cells.len() == 1);
        let parts = parts.map(|decision| (decision.parameter, decision.cells[0].clone())).collect();
        let wish = Wish { clauses: &clauses, parts, ..Wish::any(space) };
        wish.find(rng).map_err(|failure| match failure {
            Failure::Impossible => {
                let given: Vec<&str> = path.iter().map(|decision| decision.text()).collect();
                SpaceError::NoCompletion { given: given.join(", ") }
            }
            Failure::GaveUp(tried) => SpaceError::NoConfigurationFound { tried },
        })
    }
}

/// Forbids what a class of several cells does not hold.
fn outside(decision: &Decision) -> Clause {
    let inside = decision.cells.iter().filter_map(|cell| match *cell {
        Part::Numbers(low, high) => Some(Interval { low, high, low_closed: true, high_closed: true }),
        Part::Labels(_) => None,
    });
    let outside = Test::Numbers(inside.collect()).negated();
    Clause { literals: vec![Literal::Is(decision.parameter, outside)], source: decision.text.clone() }
}
