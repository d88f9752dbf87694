//! The default configuration: all defaults, or the nearest valid configuration.
//!
//! Limited discrepancy search [Harvey & Ginsberg 1995]: allow zero parameters to differ from their
//! default, then one, then two, and take the first solution; earlier parameters keep their defaults
//! first. Deciders may only differ if nothing else helps, so that the default branch is kept. If
//! this takes too long, a single search that prefers defaults decides. Deterministic.
use super::complete::{Failure, WORK};
use super::relevant::relevant;
use super::search::{Outcome, Search, Tolerance};
use super::state::State;
use super::value_order::ValueOrder;
use crate::configuration::Configuration;
use crate::error::SpaceError;
use crate::id::ParamId;
use crate::space::Space;
use std::convert::Infallible;

/// Steps for one number of deviations; a few parameters need some dozens.
const BUDGET: u64 = 1 << 12;
/// Maximum number of deviations if deciders may differ too.
const FEW: usize = 8;
/// Steps of the last search, which does not count deviations.
const LAST: u64 = 1 << 18;

impl Space {
    /// All active parameters at their defaults. If constraints forbid that, the default branch with
    /// as few other values as possible; another branch only if this one has no valid configuration.
    pub fn default_configuration(&self) -> Result<Configuration, SpaceError> {
        let defaults = self.defaults();
        if self.violated(&defaults).is_none() {
            return Ok(defaults);
        }
        nearest(self).map_err(|failure| failure.about(self.clauses()))
    }

    /// All active parameters at their defaults, ignoring constraints.
    pub(super) fn defaults(&self) -> Configuration {
        let made = self.walk(|id, _| Ok::<_, Infallible>(self.parameter(id).default().clone()));
        match made {
            Ok(configuration) => configuration,
        }
    }
}

fn nearest(space: &Space) -> Result<Configuration, Failure> {
    let mut state = State::new(space, space.clauses(), WORK);
    state.propagate_all().map_err(|_| Failure::of(&state, 0))?;
    for group in relevant(space, space.clauses(), &[]) {
        settle(&mut state, &group)?;
    }
    let made = state.configuration(|id, _| Some(space.parameter(id).default().clone()));
    Ok(made.expect("every parameter has a default"))
}

/// Decides one group of parameters with the fewest deviations.
fn settle(state: &mut State<'_>, group: &[ParamId]) -> Result<(), Failure> {
    let start = state.mark();
    let defaults = state.space().defaults();
    let in_branch = group.iter().filter(|id| defaults.is_active(**id)).count();
    let within = (0..=in_branch).map(|deviations| Tolerance { deviations, of_deciders: false });
    let beyond = (1..=FEW).map(|deviations| Tolerance { deviations, of_deciders: true });
    for tolerance in within.chain(beyond) {
        let (mut search, mut budget) = (Search::over(group), BUDGET);
        search.tolerance = Some(tolerance);
        if search.first(state, &mut ValueOrder::Default, &mut budget) == Outcome::Found {
            return Ok(());
        }
        if state.is_spent() {
            return Err(Failure::GaveUp(BUDGET));
        }
        state.undo(start);
    }
    let mut budget = LAST;
    match Search::over(group).first(state, &mut ValueOrder::Default, &mut budget) {
        Outcome::Found => Ok(()),
        Outcome::Exhausted => Err(Failure::Impossible),
        Outcome::OutOfBudget => Err(Failure::GaveUp(LAST)),
    }
}
