//! Resampling: ways to split rows into training and validation sets. The loss of a trial is the
//! mean over the splits.
//!
//! Laws:
//! * Both sides of a split are nonempty, sorted and disjoint, and together they are all given rows.
//! * The same generator gives the same splits.
//! * Known classes keep their proportions up to one row.
//! * Groups are never divided; proportions are then kept as well as whole groups allow.
//! * The folds of one partition validate every row exactly once.
//! * With ordered rows, training rows always come before the validation and test rows.
mod assign;
mod folds;
mod hold_out;
mod ordered;

pub use folds::Folds;
pub use hold_out::HoldOut;
pub use ordered::Ordered;

use crate::error::EvaluationError;
use crate::rows::Rows;
use arbora_space::Rng;
use assign::take_share;
use serde::{Deserialize, Serialize};

/// One training and one validation set, as sorted row numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Split {
    /// Training rows.
    pub train: Vec<usize>,
    /// Validation rows.
    pub valid: Vec<usize>,
}

impl Split {
    /// The split with these validation rows; the others are training rows.
    pub(crate) fn validating(among: &[usize], mut valid: Vec<usize>) -> Self {
        valid.sort_unstable();
        let train = among.iter().copied().filter(|row| valid.binary_search(row).is_err()).collect();
        Self { train, valid }
    }
}

/// A share of some rows, and its purpose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// Its name in errors.
    pub what: &'static str,
    /// Strictly between 0 and 1.
    pub of_rows: f64,
}

impl Share {
    /// The number of rows, with at least one on each side.
    fn rows(self, among: usize) -> Result<usize, EvaluationError> {
        let wanted = (self.of_rows * among as f64).round() as usize;
        let is_proper = self.of_rows > 0.0 && self.of_rows < 1.0;
        if is_proper && wanted > 0 && wanted < among { Ok(wanted) } else { Err(self.refused(among)) }
    }

    fn refused(self, rows: usize) -> EvaluationError {
        EvaluationError::Share { what: self.what, share: self.of_rows, rows }
    }
}

/// A resampling scheme.
pub trait Resample: Send + Sync {
    /// The splits of these rows (sorted row numbers).
    fn splits(&self, rows: &Rows, among: &[usize], rng: &mut Rng) -> Result<Vec<Split>, EvaluationError>;

    /// Sets about this share of the rows apart, for selection or test; returns (apart, left).
    fn set_apart(
        &self,
        rows: &Rows,
        among: &[usize],
        share: Share,
        rng: &mut Rng,
    ) -> Result<(Vec<usize>, Vec<usize>), EvaluationError> {
        take_share(rows, among, share, rng)
    }

    /// Limits the number of training rows: a random surplus is moved to the validation set.
    fn cap(&self, split: &mut Split, most: usize, rng: &mut Rng) {
        if split.train.len() <= most {
            return;
        }
        rng.shuffle(&mut split.train);
        let surplus = split.train.split_off(most);
        split.train.sort_unstable();
        split.valid.extend(surplus);
        split.valid.sort_unstable();
    }
}

/// A resampling scheme as plain data.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum ResampleSpec {
    /// One split.
    HoldOut {
        /// Share of the rows used for validation.
        #[serde(default = "fifth")]
        share: f64,
    },
    /// Cross-validation with one or more partitions.
    Folds {
        /// Folds per partition.
        #[serde(default = "five")]
        count: usize,
        /// Number of partitions.
        #[serde(default = "once")]
        times: usize,
    },
    /// Train on earlier rows, validate on later ones.
    Ordered {
        /// Number of splits.
        #[serde(default = "five")]
        count: usize,
    },
}

fn fifth() -> f64 {
    0.2
}

fn five() -> usize {
    5
}

fn once() -> usize {
    1
}

impl Default for ResampleSpec {
    /// 5-fold cross-validation.
    fn default() -> Self {
        ResampleSpec::Folds { count: five(), times: once() }
    }
}

impl ResampleSpec {
    /// Checks the settings and returns the scheme.
    pub fn build(&self) -> Result<Box<dyn Resample>, EvaluationError> {
        let at_least = |what, least, given| {
            if given >= least { Ok(()) } else { Err(EvaluationError::TooSmall { what, least, given }) }
        };
        Ok(match *self {
            ResampleSpec::HoldOut { share } => Box::new(HoldOut { share }),
            ResampleSpec::Folds { count, times } => {
                at_least("the number of folds", 2, count)?;
                at_least("the number of partitions", 1, times)?;
                Box::new(Folds { count, times })
            }
            ResampleSpec::Ordered { count } => {
                at_least("the number of ordered splits", 1, count)?;
                Box::new(Ordered { count })
            }
        })
    }
}
