//! Random search: ancestral draws from the priors, never the same twice.
use super::{Ask, Component, Strategy, StrategyContext, Suggestion};
use crate::error::SearchError;
use crate::memo::Memo;
use crate::unseen::Taken;
use arbora_space::Rng;
use serde::{Deserialize, Serialize};

/// Draws from the priors of the space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RandomSearch {}

impl Component<dyn Strategy> for RandomSearch {
    const KIND: &'static str = "random";

    fn build(&self, _context: StrategyContext<'_>) -> Result<Box<dyn Strategy>, SearchError> {
        Ok(Box::new(*self))
    }
}

impl Strategy for RandomSearch {
    fn suggest(&self, ask: &Ask<'_>, rng: &mut Rng) -> Result<Suggestion, SearchError> {
        let configuration = Taken::draw_one(ask.history, ask.repeats, ask.space, rng)?;
        Ok(Suggestion::full(configuration, Memo::new()))
    }
}
