//! No pruning.
use super::{Component, Look, Pruner, PrunerContext};
use crate::error::SearchError;
use serde::{Deserialize, Serialize};

/// Lets every trial run to its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoPruner {}

impl Component<dyn Pruner> for NoPruner {
    const KIND: &'static str = "none";
    const ALIASES: &'static [&'static str] = &["nop"];

    fn build(&self, _context: PrunerContext<'_>) -> Result<Box<dyn Pruner>, SearchError> {
        Ok(Box::new(*self))
    }
}

impl Pruner for NoPruner {
    fn stops(&self, _look: &Look<'_>) -> Option<String> {
        None
    }
}
