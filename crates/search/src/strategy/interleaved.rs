//! Another strategy with random draws between its suggestions: a guard against a model that is sure and wrong.
//!
//! SMAC takes every second configuration at random, newer versions one in five by chance  [Hutter et al. 2011].
use super::{Ask, Component, Proposer, Strategy, StrategyContext, StrategySpec, Suggestion};
use crate::error::SearchError;
use crate::memo::Memo;
use crate::unseen::Taken;
use arbora_space::Rng;
use serde::{Deserialize, Serialize};

/// Which trials are random.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Turn {
    /// Every n-th.
    Every(u64),
    /// Each with this probability.
    Share(f64),
}

impl Turn {
    fn check(self) -> Result<(), SearchError> {
        let (value, problem) = match self {
            Turn::Every(n) if n < 2 => (n.to_string(), "at least every second trial belongs to the strategy"),
            Turn::Share(p) if !(0.0..1.0).contains(&p) => (p.to_string(), "a share is from 0 to below 1"),
            _ => return Ok(()),
        };
        Err(SearchError::BadSetting { setting: "random", value, problem })
    }
}

/// A strategy with random draws between its suggestions, as data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InterleavedSpec {
    /// Whose suggestions.
    pub strategy: StrategySpec,
    /// Which trials are random.
    pub random: Turn,
}

impl Component<dyn Strategy> for InterleavedSpec {
    const KIND: &'static str = "interleaved";

    fn build(&self, context: StrategyContext<'_>) -> Result<Box<dyn Strategy>, SearchError> {
        self.random.check()?;
        let strategy = self.strategy.build_in(context)?;
        Ok(Box::new(Interleaved { strategy, random: self.random }))
    }

    fn facts(&self) -> Proposer<'_> {
        Proposer::Other(Box::new(|_, _| &self.strategy))
    }
}

/// A strategy and random draws, by turns.
pub struct Interleaved {
    pub(crate) strategy: Box<dyn Strategy>,
    pub(crate) random: Turn,
}

impl Strategy for Interleaved {
    fn suggest(&self, ask: &Ask<'_>, rng: &mut Rng) -> Result<Suggestion, SearchError> {
        let is_random = match self.random {
            Turn::Every(n) => (ask.history.len() as u64 + 1).is_multiple_of(n),
            Turn::Share(p) => rng.unit() < p,
        };
        if is_random {
            let configuration = Taken::draw_one(ask.history, ask.repeats, ask.space, rng)?;
            return Ok(Suggestion::full(configuration, Memo::new()));
        }
        self.strategy.suggest(ask, rng)
    }
}
