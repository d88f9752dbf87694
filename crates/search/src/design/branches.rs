//! One random point per branch  [Jenatton et al. 2017], in random order.
//!
//! A space of more branches than `at_most` is sampled at random instead: trying each once would eat the budget.
use super::{Component, Design, PartContext, stream};
use crate::error::SearchError;
use arbora_space::{Configuration, Rng, Space};
use serde::{Deserialize, Serialize};

/// One random point in every branch, at least `at_least` points in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OnePerBranch {
    /// Random points follow until there are this many.
    pub at_least: usize,
    /// Only as many branches are visited.
    pub at_most: usize,
}

impl Default for OnePerBranch {
    /// No branch is judged unseen, and five points at least teach a model something.
    fn default() -> Self {
        Self { at_least: 5, at_most: 20 }
    }
}

impl Component<dyn Design> for OnePerBranch {
    const KIND: &'static str = "one_per_branch";

    fn build(&self, _context: PartContext<'_>) -> Result<Box<dyn Design>, SearchError> {
        Ok(Box::new(*self))
    }
}

impl Design for OnePerBranch {
    fn point(&self, space: &Space, index: usize, seed: u64) -> Result<Option<Configuration>, SearchError> {
        let mut rng = stream(seed, index);
        let Ok(tree) = space.tree_of(self.at_most) else {
            return if index < self.at_most { Ok(Some(space.sample(&mut rng)?)) } else { Ok(None) };
        };
        let mut leaves: Vec<usize> = (0..tree.leaves().len()).collect();
        Rng::for_trial(seed, u64::MAX).shuffle(&mut leaves);
        match leaves.get(index) {
            // A branch that the constraints close is passed over by a random point.
            Some(&leaf) => Ok(Some(match tree.representative(space, leaf, &mut rng) {
                Ok(found) => found,
                Err(_) => space.sample(&mut rng)?,
            })),
            None if index < self.at_least => Ok(Some(space.sample(&mut rng)?)),
            None => Ok(None),
        }
    }
}
