//! Every valid configuration of a finite space, one after the other.
//!
//! Depth-first over the parameters, values ascending, with the conclusions of the constraints drawn after every
//! decision: a combination that is forbidden is left as soon as the constraints show it, with all that would follow.
//! Memory for one path; time mostly proportional to what is listed. Count with
//! [`cardinality`](Space::cardinality) first: the list may be longer than patience.
use crate::configuration::Configuration;
use crate::error::SpaceError;
use crate::feasible::{Outcome, Search, State, Taste};
use crate::finite::{Finiteness, finiteness};
use crate::id::ParamId;
use crate::space::Space;

impl Space {
    /// All valid configurations, each once, in lexicographic order: by the first parameter's value, then the next
    /// one's, numbers ascending and alternatives as declared. Retired alternatives are left out.
    pub fn enumerate(&self) -> Result<impl Iterator<Item = Configuration> + use<'_>, SpaceError> {
        if let Finiteness::Continuous(id) | Finiteness::Unknown(id) = finiteness(self) {
            return Err(SpaceError::NotFinite { name: self.parameter(id).name().to_owned() });
        }
        Ok(Enumeration::new(self))
    }
}

struct Enumeration<'s> {
    state: State<'s>,
    search: Search<'static>,
    progress: Progress,
}

enum Progress {
    Ahead,
    Under,
    Over,
}

impl<'s> Enumeration<'s> {
    fn new(space: &'s Space) -> Self {
        let mut state = State::new(space, space.clauses());
        let progress = if state.conclude().is_ok() { Progress::Ahead } else { Progress::Over };
        Self { state, search: Search::in_order(space.ids().collect::<Vec<ParamId>>()), progress }
    }
}

impl Iterator for Enumeration<'_> {
    type Item = Configuration;

    fn next(&mut self) -> Option<Configuration> {
        let mut budget = u64::MAX;
        let outcome = match self.progress {
            Progress::Ahead => self.search.first(&mut self.state, &mut Taste::Lowest, &mut budget),
            Progress::Under => self.search.next(&mut self.state, &mut Taste::Lowest, &mut budget),
            Progress::Over => return None,
        };
        if outcome != Outcome::Found {
            self.progress = Progress::Over;
            return None;
        }
        self.progress = Progress::Under;
        self.state.configuration(|_, _| None)
    }
}
