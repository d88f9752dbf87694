//! Asynchronous successive halving: see `rungs`.
//!
//! Good where trials are many and short trials tell; with few, the first rung stops nearly everything. What matters is
//! where the first rung lies: a step that says nothing yet stops trials at random.
use super::rungs::{Rungs, check_ladder, full_length};
use super::{Component, Look, Pruner, PrunerContext};
use crate::error::SearchError;
use serde::{Deserialize, Serialize};

/// At each rung of steps, one in `reduction_factor` goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AshaPruner {
    /// The step of the first rung. A hundredth of the first complete trial's steps, at least 1, if it is left out;
    /// nothing is stopped before there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_resource: Option<u64>,
    /// How much further the next rung is, and how many of a rung do not pass it for each that does.
    pub reduction_factor: u64,
    /// Rungs to leave out at the beginning.
    pub min_early_stopping_rate: u32,
    /// Trials that must have come to a rung before one passes it.
    pub bootstrap_count: usize,
}

impl Default for AshaPruner {
    fn default() -> Self {
        Self { min_resource: None, reduction_factor: 4, min_early_stopping_rate: 0, bootstrap_count: 0 }
    }
}

impl Component<dyn Pruner> for AshaPruner {
    const KIND: &'static str = "asha";
    const ALIASES: &'static [&'static str] = &["successive_halving"];

    fn build(&self, _context: PrunerContext<'_>) -> Result<Box<dyn Pruner>, SearchError> {
        check_ladder(self.min_resource, self.reduction_factor)?;
        if self.bootstrap_count > 0 && self.min_resource.is_none() {
            let (value, problem) = (self.bootstrap_count.to_string(), "it needs a min_resource");
            return Err(SearchError::BadSetting { setting: "bootstrap_count", value, problem });
        }
        Ok(Box::new(*self))
    }
}

impl Pruner for AshaPruner {
    fn stops(&self, look: &Look<'_>) -> Option<String> {
        let (before, first) = match self.min_resource {
            Some(first) => (None, first),
            None => full_length(look).map(|(number, length)| (Some(number), (length / 100).max(1)))?,
        };
        let rungs = Rungs {
            first,
            factor: self.reduction_factor,
            rate: self.min_early_stopping_rate,
            bootstrap: self.bootstrap_count,
        };
        let others: Vec<_> =
            look.others().filter(|other| before.is_none_or(|before| other.number > before)).collect();
        rungs.stop(look.trial, &others)
    }
}
