//! Hold-out: one part teaches, one validates. Cheapest, and the noisiest: reshuffle it.
use super::{Resample, Split, take_share};
use crate::error::EvaluationError;
use crate::rows::Rows;
use arbora_space::Rng;

/// One split.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HoldOut {
    /// Share of the rows that validate.
    pub share: f64,
}

impl Resample for HoldOut {
    fn splits(&self, rows: &Rows, among: &[usize], rng: &mut Rng) -> Result<Vec<Split>, EvaluationError> {
        let (valid, train) = take_share(rows, among, "the validation share", self.share, rng)?;
        Ok(vec![Split { train, valid }])
    }
}
