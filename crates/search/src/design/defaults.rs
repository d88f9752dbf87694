//! The default configuration, then another design.
use super::{Component, Design, DesignSpec, PartContext};
use crate::error::SearchError;
use arbora_space::{Configuration, Space};
use serde::{Deserialize, Serialize};

/// What a user would try first, as data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DefaultsFirstSpec {
    /// What follows.
    pub then: DesignSpec,
}

impl Component<dyn Design> for DefaultsFirstSpec {
    const KIND: &'static str = "defaults_first";

    fn build(&self, context: PartContext<'_>) -> Result<Box<dyn Design>, SearchError> {
        Ok(Box::new(DefaultsFirst { then: self.then.build(context)? }))
    }
}

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
