//! Enumerates the valid configurations of a finite space.
//!
//! Depth-first over the parameters, values ascending, with constraint propagation after every
//! decision: a forbidden combination is abandoned as soon as propagation detects it, with
//! everything below it. Memory for one path; time mostly proportional to the output. Check
//! [`cardinality`](Space::cardinality) first: the list may be very long.
use crate::configuration::Configuration;
use crate::error::SpaceError;
use crate::feasible::{Failure, Outcome, Search, State, ValueOrder, WORK};
use crate::finite::{Finiteness, finiteness};
use crate::id::ParamId;
use crate::space::Space;

impl Space {
    /// All valid configurations, each once, in lexicographic order of the parameters: numbers
    /// ascending, alternatives as declared. Retired alternatives are left out. If the constraints
    /// are so hard that the next configuration is not found with reasonable work, the iterator ends
    /// with an error.
    pub fn enumerate(
        &self,
    ) -> Result<impl Iterator<Item = Result<Configuration, SpaceError>> + use<'_>, SpaceError> {
        if let Finiteness::Continuous(id) | Finiteness::Unknown(id) = finiteness(self) {
            return Err(SpaceError::NotFinite { name: self.parameter(id).name().to_owned() });
        }
        Ok(Enumeration::new(self, WORK))
    }
}

struct Enumeration<'s> {
    state: State<'s>,
    search: Search<'static>,
    progress: Progress,
    /// Work limit from one configuration to the next.
    work: u64,
}

enum Progress {
    Ahead,
    Under,
    Over,
}

impl<'s> Enumeration<'s> {
    fn new(space: &'s Space, work: u64) -> Self {
        let mut state = State::new(space, space.clauses(), work);
        let closed = state.propagate_all().is_err() && !state.is_spent();
        let progress = if closed { Progress::Over } else { Progress::Ahead };
        Self { state, search: Search::in_order(space.ids().collect::<Vec<ParamId>>()), progress, work }
    }
}

impl Iterator for Enumeration<'_> {
    type Item = Result<Configuration, SpaceError>;

    fn next(&mut self) -> Option<Result<Configuration, SpaceError>> {
        let mut budget = u64::MAX;
        let outcome = match self.progress {
            Progress::Over => return None,
            _ if self.state.is_spent() => Outcome::OutOfBudget,
            Progress::Ahead => self.search.first(&mut self.state, &mut ValueOrder::Lowest, &mut budget),
            Progress::Under => self.search.next(&mut self.state, &mut ValueOrder::Lowest, &mut budget),
        };
        match outcome {
            Outcome::Found => {
                self.progress = Progress::Under;
                self.state.allow(self.work);
                self.state.configuration(|_, _| None).map(Ok)
            }
            Outcome::Exhausted => {
                self.progress = Progress::Over;
                None
            }
            Outcome::OutOfBudget => {
                self.progress = Progress::Over;
                Some(Err(Failure::GaveUp(u64::MAX - budget).about(self.state.clauses())))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Param, SpaceSpec};

    #[test]
    fn a_list_that_costs_too_much_ends_with_an_error_that_names_the_constraints() {
        let params = [Param::integer("x", 2, 1 << 40), Param::integer("y", 1, 1 << 40)];
        let space = Space::new(SpaceSpec::new(params).require("x * x - 61 * y * y == 1")).unwrap();
        let listed: Vec<_> = Enumeration::new(&space, 1 << 16).collect();
        assert_eq!(listed.len(), 1);
        assert!(matches!(&listed[0], Err(SpaceError::NoConfigurationFound { constraints, .. })
            if constraints.contains("61 * y")));
    }
}
