//! Hold-out: one training and one validation set. The cheapest and the noisiest scheme: reshuffle
//! it.
use super::{Resample, Share, Split};
use crate::error::EvaluationError;
use crate::rows::Rows;
use arbora_space::Rng;

/// One split.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HoldOut {
    /// Share of the rows used for validation.
    pub share: f64,
}

impl Resample for HoldOut {
    fn splits(&self, rows: &Rows, among: &[usize], rng: &mut Rng) -> Result<Vec<Split>, EvaluationError> {
        let share = Share { what: "the validation share", of_rows: self.share };
        let (valid, train) = self.set_apart(rows, among, share, rng)?;
        Ok(vec![Split { train, valid }])
    }
}
