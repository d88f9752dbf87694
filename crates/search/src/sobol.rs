//! One coordinate of one Sobol point  [Joe & Kuo 2008], Owen-scrambled by the seed  [Burley 2020].
//!
//! The tables know 256 dimensions and 2¹⁶ points; the first 2ᵏ points of any seed put one in each of 2ᵏ strata of
//! every dimension.
use sobol_burley::{NUM_DIMENSIONS, sample};

/// How many points the tables hold.
const LONGEST: u32 = 1 << 16;

/// The coordinate, if the tables hold it.
pub(crate) fn coordinate(index: usize, dimension: usize, seed: u64) -> Option<f64> {
    let index = u32::try_from(index).ok().filter(|i| *i < LONGEST)?;
    let dimension = u32::try_from(dimension).ok().filter(|d| *d < NUM_DIMENSIONS)?;
    let folded = (seed ^ (seed >> 32)) as u32;
    Some(f64::from(sample(index, dimension, folded)))
}
