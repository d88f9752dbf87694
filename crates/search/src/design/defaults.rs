//! The default configuration, then another design.
use super::Design;
use crate::error::SearchError;
use arbora_space::{Configuration, Space};

/// What a user would try first.
pub struct DefaultsFirst {
    /// What follows.
    pub then: Box<dyn Design>,
}

impl Design for DefaultsFirst {
    fn point(&self, space: &Space, index: usize, seed: u64) -> Result<Option<Configuration>, SearchError> {
        match index.checked_sub(1) {
            None => Ok(Some(space.default_configuration()?)),
            Some(rest) => self.then.point(space, rest, seed),
        }
    }
}
