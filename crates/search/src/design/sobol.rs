//! Sobol points: evenly spread over the cube of all parameters, Owen-scrambled by the seed  [Burley 2020].
//!
//! Coordinates of inactive parameters are ignored. The sequence knows 256 dimensions and 2¹⁶ points; what lies
//! beyond is filled with random coordinates. Choose it for flat spaces; in deep trees most coordinates of a point
//! are inactive and [`OnePerBranch`](super::OnePerBranch) spreads better.
use super::{Component, Design, PartContext, at_place, stream};
use crate::error::SearchError;
use crate::sobol::coordinate;
use arbora_space::{Configuration, Space};
use serde::{Deserialize, Serialize};

/// The first `count` points of a scrambled sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sobol {
    /// How many.
    pub count: usize,
}

impl Component<dyn Design> for Sobol {
    const KIND: &'static str = "sobol";

    fn build(&self, _context: PartContext<'_>) -> Result<Box<dyn Design>, SearchError> {
        Ok(Box::new(*self))
    }
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
