//! One strategy for the first trials, another for the rest: a cheap sweep before a model, a design before a search.
//!
//! The second sees everything the first did; a model of efforts is warmed up by Hyperband this way
//! [Jenatton et al. 2017, §5].
use super::{Ask, Component, Proposer, Strategy, StrategyContext, StrategySpec, Suggestion};
use crate::error::SearchError;
use arbora_space::Rng;
use serde::{Deserialize, Serialize};

/// One strategy for the first trials, another for the rest, as data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThenSpec {
    /// For the first trials.
    pub first: StrategySpec,
    /// How many.
    pub trials: usize,
    /// For the rest.
    pub then: StrategySpec,
}

impl Component<dyn Strategy> for ThenSpec {
    const KIND: &'static str = "then";

    fn build(&self, context: StrategyContext<'_>) -> Result<Box<dyn Strategy>, SearchError> {
        let (first, rest) = (self.first.build_in(context)?, self.then.build_in(context)?);
        Ok(Box::new(Then { first, trials: self.trials, rest }))
    }

    fn facts(&self) -> Proposer<'_> {
        Proposer::Other(Box::new(|_, trials| if trials < self.trials { &self.first } else { &self.then }))
    }
}

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
