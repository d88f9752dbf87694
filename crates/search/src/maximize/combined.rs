//! Local search over everything, then gradients where there are any: the discrete structure is found by exchanges,
//! the last digits by descent. The best places where walks ended are polished, not the best places met, for those
//! stand around one end.
use super::descend::polish;
use super::pool::Pool;
use super::{Gather, LocalSearch, Region};
use crate::acquisition::Utility;
use crate::error::SearchError;
use arbora_space::Rng;

/// How the best candidates are improved by gradients.
#[derive(Clone, Copy, Debug)]
pub struct Polish {
    /// How many of the best are improved.
    pub starts: usize,
    /// Evaluations per start.
    pub evaluations: usize,
}

impl Default for Polish {
    fn default() -> Self {
        Self { starts: 5, evaluations: 30 }
    }
}

/// Local search, then polish.
#[derive(Clone, Copy, Debug, Default)]
pub struct Combined {
    /// First.
    pub search: LocalSearch,
    /// Then.
    pub polish: Polish,
}

impl Gather for Combined {
    fn gather(
        &self,
        wish: &dyn Utility,
        within: &Region<'_>,
        pool: &mut Pool,
        rng: &mut Rng,
    ) -> Result<(), SearchError> {
        let mut ends = self.search.walk(wish, within, pool, rng)?;
        ends.truncate(self.polish.starts);
        polish(&ends, self.polish.evaluations, wish, within, pool, rng);
        Ok(())
    }
}
