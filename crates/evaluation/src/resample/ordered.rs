//! Ordered splits: the future validates the past. For rows in the order of time.
//!
//! The rows are cut into k + 1 blocks; split i learns from blocks 0…i and validates on block i + 1. There is no chance
//! in it: reshuffling changes nothing, so use it only where time must be respected.
use super::{Resample, Split};
use crate::error::EvaluationError;
use crate::rows::Rows;
use arbora_space::Rng;

/// Expanding windows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ordered {
    /// Splits.
    pub count: usize,
}

impl Resample for Ordered {
    fn splits(&self, rows: &Rows, among: &[usize], _: &mut Rng) -> Result<Vec<Split>, EvaluationError> {
        if rows.groups().is_some() {
            return Err(EvaluationError::OrderedGroups);
        }
        let blocks = self.count + 1;
        if among.len() < blocks {
            return Err(EvaluationError::TooFew { parts: blocks, of: "rows", have: among.len() });
        }
        let edge = |block: usize| block * among.len() / blocks;
        let split = |i: usize| Split {
            train: among[..edge(i)].to_vec(),
            valid: among[edge(i)..edge(i + 1)].to_vec(),
        };
        Ok((1..blocks).map(split).collect())
    }
}
