//! One strategy for the first trials, another for the rest: a cheap sweep before a model, a design before a search.
//!
//! The second sees everything the first did; a model of efforts is warmed up by Hyperband this way
//! [Jenatton et al. 2017, §5].
use super::{Ask, Strategy, Suggestion};
use crate::error::SearchError;
use arbora_space::Rng;

/// One, then the other.
pub struct Then {
    pub(crate) first: Box<dyn Strategy>,
    pub(crate) trials: usize,
    pub(crate) rest: Box<dyn Strategy>,
}

impl Strategy for Then {
    fn suggest(&self, ask: &Ask<'_>, rng: &mut Rng) -> Result<Suggestion, SearchError> {
        if ask.history.len() < self.trials {
            self.first.suggest(ask, rng)
        } else {
            self.rest.suggest(ask, rng)
        }
    }
}
