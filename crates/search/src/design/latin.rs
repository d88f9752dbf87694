//! Latin hypercube: in every dimension one point in each of `count` strata  [`McKay` et al. 1979].
use super::{Component, Design, PartContext, at_place, stream};
use crate::error::SearchError;
use arbora_space::{Configuration, Rng, Space};
use serde::{Deserialize, Serialize};

/// `count` points, stratified in every dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LatinHypercube {
    /// How many.
    pub count: usize,
}

impl Component<dyn Design> for LatinHypercube {
    const KIND: &'static str = "latin_hypercube";

    fn build(&self, _context: PartContext<'_>) -> Result<Box<dyn Design>, SearchError> {
        Ok(Box::new(*self))
    }
}

impl Design for LatinHypercube {
    fn point(&self, space: &Space, index: usize, seed: u64) -> Result<Option<Configuration>, SearchError> {
        if index >= self.count {
            return Ok(None);
        }
        let place = &places(self.count, space.layout().width(), seed)[index];
        Ok(Some(at_place(space, place, &mut stream(seed, index))?))
    }
}

/// All points at once: a permutation of the strata per dimension, uniform within each.
pub(super) fn places(count: usize, width: usize, seed: u64) -> Vec<Vec<f64>> {
    let mut rng = Rng::for_trial(seed, u64::MAX);
    let mut places = vec![vec![0.0; width]; count];
    for dimension in 0..width {
        let mut strata: Vec<usize> = (0..count).collect();
        rng.shuffle(&mut strata);
        for (place, stratum) in places.iter_mut().zip(strata) {
            place[dimension] = (stratum as f64 + rng.unit()) / count as f64;
        }
    }
    places
}
