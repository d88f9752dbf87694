//! A design and nothing else: the points of a grid, of a Sobol sequence or of Latin hypercubes, one after the other.
//!
//! The baselines without a model. A point that was proposed before, and everything after the last point, is a random
//! draw; Latin hypercubes begin again with fresh strata. Costs nothing; learns nothing.
use super::{Ask, Component, Strategy, StrategyContext, Suggestion};
use crate::design::{Design, Grid, LatinHypercube, Sobol};
use crate::error::{SearchError, at_least_one};
use crate::memo::Memo;
use crate::unseen::Taken;
use arbora_space::Rng;
use serde::{Deserialize, Serialize};

/// Odd, and far from any seed a person would choose.
const NEXT_ROUND: u64 = 0x9e37_79b9_7f4a_7c15;

/// Every combination of a few values per parameter, in every branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GridSearch {
    /// Values per number.
    pub steps: usize,
}

impl Default for GridSearch {
    fn default() -> Self {
        Self { steps: 10 }
    }
}

impl Component<dyn Strategy> for GridSearch {
    const KIND: &'static str = "grid";

    fn build(&self, context: StrategyContext<'_>) -> Result<Box<dyn Strategy>, SearchError> {
        let design = Box::new(Grid::new(context.space, self.steps)?);
        Ok(Box::new(Designed { design, round: None }))
    }
}

/// Latin hypercubes, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LatinHypercubes {
    /// Points of each.
    pub count: usize,
}

impl Default for LatinHypercubes {
    fn default() -> Self {
        Self { count: 50 }
    }
}

impl Component<dyn Strategy> for LatinHypercubes {
    const KIND: &'static str = "latin_hypercube";

    fn build(&self, _context: StrategyContext<'_>) -> Result<Box<dyn Strategy>, SearchError> {
        at_least_one("count", self.count)?;
        let design = Box::new(LatinHypercube { count: self.count });
        Ok(Box::new(Designed { design, round: Some(self.count) }))
    }
}

/// Evenly spread points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SobolSequence {}

impl Component<dyn Strategy> for SobolSequence {
    const KIND: &'static str = "sobol";

    fn build(&self, _context: StrategyContext<'_>) -> Result<Box<dyn Strategy>, SearchError> {
        Ok(Box::new(Designed { design: Box::new(Sobol { count: usize::MAX }), round: None }))
    }
}

/// Walks a design.
pub struct Designed {
    pub(crate) design: Box<dyn Design>,
    /// The design begins again after this many points.
    pub(crate) round: Option<usize>,
}

impl Strategy for Designed {
    fn suggest(&self, ask: &Ask<'_>, rng: &mut Rng) -> Result<Suggestion, SearchError> {
        let taken = Taken::of(ask.history, ask.repeats);
        let (round, index) = match self.round {
            Some(length) => (ask.history.len() / length, ask.history.len() % length),
            None => (0, ask.history.len()),
        };
        let seed = ask.seed.wrapping_add((round as u64).wrapping_mul(NEXT_ROUND));
        let planned = self.design.point(ask.space, index, seed)?.filter(|c| !taken.contains(c));
        let configuration = match planned {
            Some(configuration) => configuration,
            None => taken.draw_unseen(ask.space, rng)?,
        };
        Ok(Suggestion::full(configuration, Memo::new()))
    }
}
