//! Sobol points: evenly spread over the cube of all parameters, Owen-scrambled by the seed  [Burley 2020].
//!
//! Coordinates of inactive parameters are ignored. The sequence knows 256 dimensions and 2¹⁶ points; what lies
//! beyond is filled with random coordinates. Choose it for flat spaces; in deep trees most coordinates of a point
//! are inactive and [`OnePerBranch`](super::OnePerBranch) spreads better.
use super::{Design, at_place, stream};
use crate::error::SearchError;
use crate::sobol::coordinate;
use arbora_space::{Configuration, Space};

/// The first `count` points of a scrambled sequence.
#[derive(Clone, Copy, Debug)]
pub struct Sobol {
    /// How many.
    pub count: usize,
}

impl Design for Sobol {
    fn point(&self, space: &Space, index: usize, seed: u64) -> Result<Option<Configuration>, SearchError> {
        if index >= self.count {
            return Ok(None);
        }
        let mut rng = stream(seed, index);
        let place: Vec<f64> = (0..space.layout().width())
            .map(|d| coordinate(index, d, seed).unwrap_or_else(|| rng.unit()))
            .collect();
        Ok(Some(at_place(space, &place, &mut rng)?))
    }
}
