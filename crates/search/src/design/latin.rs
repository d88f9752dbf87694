//! Latin hypercube: in every dimension one point in each of `count` strata  [`McKay` et al. 1979].
use super::{Design, at_place, stream};
use crate::error::SearchError;
use arbora_space::{Configuration, Rng, Space};

/// `count` points, stratified in every dimension.
#[derive(Clone, Copy, Debug)]
pub struct LatinHypercube {
    /// How many.
    pub count: usize,
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
