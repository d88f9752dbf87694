//! Ways to divide rows into training and validation parts, as often as a loss is averaged over.
//!
//! Laws: the two sides of a split are disjoint, sorted and together all the rows given; neither is empty; the same
//! generator gives the same splits; known classes keep their proportions up to one row; groups are never torn apart
//! (and then proportions are kept as well as whole groups allow); folds of one partition validate every row exactly once.
//! Where rows have an order, nothing learns from rows later than those it is judged on, nor do test rows come earlier.
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

/// One training and one validation part, as sorted row numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Split {
    /// What a learner sees.
    pub train: Vec<usize>,
    /// What it is judged on.
    pub valid: Vec<usize>,
}

impl Split {
    /// The split that validates these of the rows.
    pub(crate) fn validating(among: &[usize], mut valid: Vec<usize>) -> Self {
        valid.sort_unstable();
        let train = among.iter().copied().filter(|row| valid.binary_search(row).is_err()).collect();
        Self { train, valid }
    }
}

/// A share of some rows, and what it is for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// Names it in errors.
    pub what: &'static str,
    /// Strictly between 0 and 1.
    pub of_rows: f64,
}

impl Share {
    /// So many of them, at least one on each side.
    fn rows(self, among: usize) -> Result<usize, EvaluationError> {
        let wanted = (self.of_rows * among as f64).round() as usize;
        let is_proper = self.of_rows > 0.0 && self.of_rows < 1.0;
        if is_proper && wanted > 0 && wanted < among { Ok(wanted) } else { Err(self.refused(among)) }
    }

    fn refused(self, rows: usize) -> EvaluationError {
        EvaluationError::Share { what: self.what, share: self.of_rows, rows }
    }
}

/// Divides rows.
pub trait Resample: Send + Sync {
    /// The splits of these rows (sorted row numbers), as often as a loss is averaged over.
    fn splits(&self, rows: &Rows, among: &[usize], rng: &mut Rng) -> Result<Vec<Split>, EvaluationError>;

    /// Sets about this share of the rows apart, for selection or the test: (apart, left).
    fn set_apart(
        &self,
        rows: &Rows,
        among: &[usize],
        share: Share,
        rng: &mut Rng,
    ) -> Result<(Vec<usize>, Vec<usize>), EvaluationError> {
        take_share(rows, among, share, rng)
    }

    /// Leaves at most so many training rows: the surplus, chosen at random, validates.
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

/// A way to divide rows, as data.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum ResampleSpec {
    /// One split.
    HoldOut {
        /// Share of the rows that validate.
        #[serde(default = "fifth")]
        share: f64,
    },
    /// Cross-validation, one partition or several.
    Folds {
        /// Parts of a partition.
        #[serde(default = "five")]
        count: usize,
        /// Partitions.
        #[serde(default = "once")]
        times: usize,
    },
    /// Later rows validate what earlier rows taught.
    Ordered {
        /// Splits.
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
    /// The working thing.
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
