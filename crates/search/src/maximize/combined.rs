//! Local search over everything, then gradients where there are any: the discrete structure is found by exchanges,
//! the last digits by descent. The best places where walks ended are polished, not the best places met, for those
//! stand around one end.
use super::descend::polish;
use super::pool::CandidatePool;
use super::{Component, Gather, LocalSearch, Maximizer, PartContext, Region};
use crate::acquisition::Utility;
use crate::error::{SearchError, at_least_one};
use arbora_space::Rng;
use serde::{Deserialize, Serialize};

/// Evaluations per start: the last digits, where a walk has ended.
pub(super) const EVALUATIONS: usize = 30;

/// Local search, then polish.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Combined {
    /// Random draws that compete to be starts.
    pub random: usize,
    /// Walkers.
    pub starts: usize,
    /// How many of the best are improved by gradients.
    pub polished: usize,
}

impl Default for Combined {
    fn default() -> Self {
        Self { random: 1000, starts: 10, polished: 5 }
    }
}

impl Component<dyn Maximizer> for Combined {
    const KIND: &'static str = "combined";

    fn build(&self, _context: PartContext<'_>) -> Result<Box<dyn Maximizer>, SearchError> {
        at_least_one("maximizer.random", self.random)?;
        Ok(Box::new(*self))
    }
}

impl Gather for Combined {
    fn gather(
        &self,
        wish: &dyn Utility,
        within: &Region<'_>,
        pool: &mut CandidatePool,
        rng: &mut Rng,
    ) -> Result<(), SearchError> {
        let search = LocalSearch { random: self.random, starts: self.starts };
        let mut ends = search.walk(wish, within, pool, rng)?;
        ends.truncate(self.polished);
        polish(&ends, EVALUATIONS, wish, within, pool, rng);
        Ok(())
    }
}
