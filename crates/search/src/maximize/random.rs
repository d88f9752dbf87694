//! Random-N: the best of many ancestral draws  [Lévesque et al. 2017, the variants without `-ls`].
//!
//! Cost: `count` scores in one batch. In spaces of many continuous parameters it is a poor maximizer; the papers
//! measure how poor.
use super::pool::CandidatePool;
use super::{Component, Gather, Maximizer, PartContext, Region};
use crate::acquisition::Utility;
use crate::error::{SearchError, at_least_one};
use arbora_space::{Configuration, Rng};
use serde::{Deserialize, Serialize};

/// Draws that are scored in full after a rough look: many times the starts that are taken from them.
const PROMISING: usize = 100;

/// The best of `count` draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RandomCandidates {
    /// How many.
    pub count: usize,
}

impl Component<dyn Maximizer> for RandomCandidates {
    const KIND: &'static str = "random";

    fn build(&self, _context: PartContext<'_>) -> Result<Box<dyn Maximizer>, SearchError> {
        at_least_one("maximizer.count", self.count)?;
        Ok(Box::new(*self))
    }
}

impl Gather for RandomCandidates {
    fn gather(
        &self,
        wish: &dyn Utility,
        within: &Region<'_>,
        pool: &mut CandidatePool,
        rng: &mut Rng,
    ) -> Result<(), SearchError> {
        let drawn = self.draw(within, rng)?;
        let scores = within.score(wish, &drawn);
        pool.add_all(drawn, &scores);
        Ok(())
    }

    fn scores_once(&self) -> bool {
        true
    }
}

impl RandomCandidates {
    fn draw(self, within: &Region<'_>, rng: &mut Rng) -> Result<Vec<Configuration>, SearchError> {
        Ok((0..self.count).map(|_| within.space.sample(rng)).collect::<Result<_, _>>()?)
    }

    /// The same where the draws are only starts for something better: if there is a rough score, the rest is not
    /// looked at beyond it.
    pub(super) fn gather_promising(
        self,
        wish: &dyn Utility,
        within: &Region<'_>,
        pool: &mut CandidatePool,
        rng: &mut Rng,
    ) -> Result<(), SearchError> {
        let drawn = self.draw(within, rng)?;
        let points = within.encode(&drawn);
        let Some(rough) = wish.rough_score(&points) else {
            pool.add_all(drawn, &wish.score(&points));
            return Ok(());
        };
        let mut order: Vec<usize> = (0..drawn.len()).collect();
        order.sort_by(|&a, &b| rough[b].total_cmp(&rough[a]));
        order.truncate(PROMISING);
        let promising: Vec<Configuration> = order.iter().map(|&i| drawn[i].clone()).collect();
        let scores = wish.score(&points.select(&order));
        pool.add_all(promising, &scores);
        Ok(())
    }
}
