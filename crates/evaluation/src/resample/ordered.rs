//! Ordered splits, for rows in order of time: train on the past, validate on the future.
//!
//! The rows are cut into k + 1 blocks; split i trains on blocks 0…i and validates on block i + 1.
//! The rows for selection and test are the latest ones. The splits are not random, so reshuffling
//! changes nothing: use them only if the order of time matters.
use super::{Resample, Share, Split};
use crate::error::EvaluationError;
use crate::rows::Rows;
use arbora_space::Rng;

/// Expanding windows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ordered {
    /// Number of splits.
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

    /// The latest rows, so that no training row comes after them.
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

    /// Drops the oldest training rows. They cannot be validation rows, because they come before the
    /// rest.
    fn cap(&self, split: &mut Split, most: usize, _: &mut Rng) {
        let surplus = split.train.len().saturating_sub(most);
        split.train.drain(..surplus);
    }
}
