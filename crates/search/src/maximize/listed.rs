//! Enumeration: every configuration of a small finite space, scored at once. Exact.
use super::pool::CandidatePool;
use super::{Candidate, Maximizer, Region};
use crate::acquisition::Utility;
use crate::error::SearchError;
use arbora_space::{Cardinality, Configuration, Rng};

/// Listing beats searching up to here: a thousand random draws cost as much.
pub(crate) const LISTED: u128 = 2000;

/// Scores the whole space if it has at most this many configurations, and hands over to another maximizer if not.
pub struct Listed {
    /// The largest space that is listed.
    pub at_most: u128,
    /// For larger spaces.
    pub otherwise: Box<dyn Maximizer>,
}

impl Maximizer for Listed {
    fn maximize(
        &self,
        wish: &dyn Utility,
        within: &Region<'_>,
        rng: &mut Rng,
    ) -> Result<Vec<Candidate>, SearchError> {
        match within.space.cardinality() {
            Cardinality::Finite(count) if count <= self.at_most => {
                let is_taken = |c: &Configuration| within.taken.contains(c);
                let all: Vec<Configuration> = within
                    .space
                    .enumerate()?
                    .filter(|found| !found.as_ref().is_ok_and(is_taken))
                    .collect::<Result<_, _>>()?;
                let scores = within.score(wish, &all);
                let mut pool = CandidatePool::default();
                pool.add_all(all, &scores);
                Ok(pool.ranked(within.taken))
            }
            _ => self.otherwise.maximize(wish, within, rng),
        }
    }

    fn scores_once(&self) -> bool {
        self.otherwise.scores_once()
    }
}
