//! Independent draws from the priors.
use super::{Design, stream};
use crate::error::SearchError;
use arbora_space::{Configuration, Space};

/// `count` independent draws.
#[derive(Clone, Copy, Debug)]
pub struct RandomDesign {
    /// How many.
    pub count: usize,
}

impl Design for RandomDesign {
    fn point(&self, space: &Space, index: usize, seed: u64) -> Result<Option<Configuration>, SearchError> {
        if index >= self.count {
            return Ok(None);
        }
        Ok(Some(space.sample(&mut stream(seed, index))?))
    }
}
