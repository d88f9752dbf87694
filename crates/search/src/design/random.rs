//! Independent draws from the priors.
use super::{Component, Design, PartContext, stream};
use crate::error::SearchError;
use arbora_space::{Configuration, Space};
use serde::{Deserialize, Serialize};

/// `count` independent draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RandomDesign {
    /// How many.
    pub count: usize,
}

impl Component<dyn Design> for RandomDesign {
    const KIND: &'static str = "random";

    fn build(&self, _context: PartContext<'_>) -> Result<Box<dyn Design>, SearchError> {
        Ok(Box::new(*self))
    }
}

impl Design for RandomDesign {
    fn point(&self, space: &Space, index: usize, seed: u64) -> Result<Option<Configuration>, SearchError> {
        if index >= self.count {
            return Ok(None);
        }
        Ok(Some(space.sample(&mut stream(seed, index))?))
    }
}
