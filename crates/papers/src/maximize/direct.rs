//! DIRECT over the unit cube  [Jones et al. 1993]: divides boxes where the utility is high or
//! unknown.
//!
//! Deterministic and, in the long run, exhaustive; for up to about five dimensions. Decisions are
//! ordinary coordinates, and configurations that a constraint forbids are never proposed.
use super::dense::Cube;
use crate::direct::Direct;
use arbora_search::component::{Component, PartContext};
use arbora_search::maximize::{CandidatePool, Gather, Region};
use arbora_search::{Maximizer, SearchError, Utility};
use arbora_space::Rng;
use serde::{Deserialize, Serialize};

/// DIRECT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DividedCube {
    /// Maximum evaluations of the utility.
    pub evaluations: usize,
}

impl Default for DividedCube {
    fn default() -> Self {
        Self { evaluations: 2000 }
    }
}

impl Component<dyn Maximizer> for DividedCube {
    const KIND: &'static str = "direct";

    fn build(&self, _context: PartContext<'_>) -> Result<Box<dyn Maximizer>, SearchError> {
        super::at_least_one("maximizer.evaluations", self.evaluations)?;
        Ok(Box::new(*self))
    }
}

impl Gather for DividedCube {
    fn gather(
        &self,
        wish: &dyn Utility,
        within: &Region<'_>,
        pool: &mut CandidatePool,
        _rng: &mut Rng,
    ) -> Result<(), SearchError> {
        let cube = Cube::of(within);
        let search = Direct { evaluations: self.evaluations, ..Direct::default() };
        search.minimize(&vec![(0.0, 1.0); cube.dimension()], |places| {
            cube.score(places, wish, within, pool).into_iter().map(|score| -score).collect()
        });
        Ok(())
    }
}
