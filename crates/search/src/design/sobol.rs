//! Sobol points: evenly spread over the cube of all parameters, Owen-scrambled by the seed  [Burley 2020].
//!
//! Coordinates of inactive parameters are ignored. The sequence knows 256 dimensions and 2¹⁶ points; what lies
//! beyond is filled with random coordinates. Choose it for flat spaces; in deep trees most coordinates of a point
//! are inactive and [`OnePerBranch`](super::OnePerBranch) spreads better.
use super::{Design, at_place, stream};
use crate::error::SearchError;
use arbora_space::{Configuration, Space};
use sobol_burley::{NUM_DIMENSIONS, sample};

/// How many points the tables hold.
const LONGEST: u32 = 1 << 16;

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

/// One coordinate of one point, if the tables hold it.
fn coordinate(index: usize, dimension: usize, seed: u64) -> Option<f64> {
    let index = u32::try_from(index).ok().filter(|i| *i < LONGEST)?;
    let dimension = u32::try_from(dimension).ok().filter(|d| *d < NUM_DIMENSIONS)?;
    let folded = (seed ^ (seed >> 32)) as u32;
    Some(f64::from(sample(index, dimension, folded)))
}
