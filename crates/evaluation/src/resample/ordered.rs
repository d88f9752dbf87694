//! Ordered splits: the future validates the past. For rows in the order of time.
//!
//! The rows are cut into k + 1 blocks; split i learns from blocks 0…i and validates on block i + 1. Rows that select and
//! test are the latest. There is no chance in it: reshuffling changes nothing, so use it only where time must be respected.
use super::{Resample, Share, Split};
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

    /// The latest rows: what comes after them must not have taught.
    fn set_apart(
        &self,
        _: &Rows,
        among: &[usize],
        share: Share,
        _: &mut Rng,
    ) -> Result<(Vec<usize>, Vec<usize>), EvaluationError> {
        let (left, apart) = among.split_at(among.len() - share.rows(among.len())?);
        Ok((apart.to_vec(), left.to_vec()))
    }

    /// The oldest rows are forgotten: they may not validate what later rows taught.
    fn cap(&self, split: &mut Split, most: usize, _: &mut Rng) {
        let surplus = split.train.len().saturating_sub(most);
        split.train.drain(..surplus);
    }
}
