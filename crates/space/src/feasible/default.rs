//! The default configuration: every default, or the valid configuration that gives up the fewest.
//!
//! Limited discrepancy search: allow no parameter to leave its default, then one, then two, and take the first
//! solution; early parameters keep theirs first. Should that take too long, a single search that prefers defaults
//! decides. Deterministic.
use super::complete::Failure;
use super::relevant::relevant;
use super::search::{Outcome, Search};
use super::state::State;
use super::taste::Taste;
use crate::configuration::Configuration;
use crate::error::SpaceError;
use crate::space::{ParamId, Space};
use std::convert::Infallible;

/// Steps for one number of deviations; a handful of parameters needs some dozens.
const BUDGET: u64 = 1 << 12;
/// Steps of the last search, which does not count deviations.
const LAST: u64 = 1 << 18;

impl Space {
    /// Every active parameter at its default. Where constraints forbid that, as many as possible are.
    pub fn default_configuration(&self) -> Result<Configuration, SpaceError> {
        let defaults = self.defaults();
        if self.violated(&defaults).is_none() {
            return Ok(defaults);
        }
        nearest(self).map_err(|failure| match failure {
            Failure::Impossible => SpaceError::Unsatisfiable { culprit: "their combination does".to_owned() },
            Failure::GaveUp(tried) => SpaceError::NoConfigurationFound { tried },
        })
    }

    /// Every active parameter at its default, constraints ignored.
    pub(super) fn defaults(&self) -> Configuration {
        let made = self.walk(|id, _| Ok::<_, Infallible>(self.parameter(id).default().clone()));
        match made {
            Ok(configuration) => configuration,
        }
    }
}

fn nearest(space: &Space) -> Result<Configuration, Failure> {
    let mut state = State::new(space, space.clauses());
    state.conclude().map_err(|_| Failure::Impossible)?;
    for group in relevant(space, space.clauses(), &[]) {
        settle(&mut state, &group)?;
    }
    let made = state.configuration(|id, _| Some(space.parameter(id).default().clone()));
    Ok(made.expect("every parameter has a default"))
}

/// Decides one group of parameters with the fewest deviations.
fn settle(state: &mut State<'_>, group: &[ParamId]) -> Result<(), Failure> {
    let start = state.mark();
    for deviations in 0..=group.len() {
        let mut left = BUDGET;
        let mut search = Search::over(group);
        search.deviations = Some(deviations);
        match search.first(state, &mut Taste::Default, &mut left) {
            Outcome::Found => return Ok(()),
            Outcome::Exhausted => state.undo(start),
            Outcome::OutOfBudget => {
                state.undo(start);
                break;
            }
        }
    }
    let mut left = LAST;
    match Search::over(group).first(state, &mut Taste::Default, &mut left) {
        Outcome::Found => Ok(()),
        Outcome::Exhausted => Err(Failure::Impossible),
        Outcome::OutOfBudget => Err(Failure::GaveUp(LAST)),
    }
}
