//! Cross-validation: each of k folds is the validation set once, and the others are the training
//! set. Several partitions reduce the noise.
//!
//! The loss of a trial is the mean over folds of fold means  [Eggensperger et al. 2013, eq. 1].
use super::assign::split_into_folds;
use super::{Resample, Split};
use crate::error::EvaluationError;
use crate::rows::Rows;
use arbora_space::Rng;

/// Repeated k-fold cross-validation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Folds {
    /// Folds per partition.
    pub count: usize,
    /// Number of partitions.
    pub times: usize,
}

impl Resample for Folds {
    fn splits(&self, rows: &Rows, among: &[usize], rng: &mut Rng) -> Result<Vec<Split>, EvaluationError> {
        let mut splits = Vec::with_capacity(self.count * self.times);
        for _ in 0..self.times {
            let parts = split_into_folds(rows, among, self.count, rng)?;
            splits.extend(parts.into_iter().map(|valid| Split::validating(among, valid)));
        }
        Ok(splits)
    }
}
