//! Random-N: the best of many ancestral draws  [Lévesque et al. 2017, the variants without `-ls`].
//!
//! Cost: `count` scores in one batch. In spaces of many continuous parameters it is a poor maximizer; the papers
//! measure how poor.
use super::pool::Pool;
use super::{Gather, Region};
use crate::acquisition::Utility;
use crate::error::SearchError;
use arbora_space::{Configuration, Rng};

/// The best of `count` draws.
#[derive(Clone, Copy, Debug)]
pub struct RandomCandidates {
    /// How many.
    pub count: usize,
}

impl Gather for RandomCandidates {
    fn gather(
        &self,
        wish: &dyn Utility,
        within: &Region<'_>,
        pool: &mut Pool,
        rng: &mut Rng,
    ) -> Result<(), SearchError> {
        let drawn: Vec<Configuration> =
            (0..self.count).map(|_| within.space.sample(rng)).collect::<Result<_, _>>()?;
        let scores = within.score(wish, &drawn);
        pool.add_all(drawn, &scores);
        Ok(())
    }
}
