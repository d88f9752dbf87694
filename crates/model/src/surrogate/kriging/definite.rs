//! Predictions of a definite kernel, by two factors: R_η for the mean, R for re-interpolated variances.
use super::known::Said;
use crate::error::FitError;
use crate::linalg::{Factor, Matrix, Scratch, transposed_product};

pub(super) struct Definite {
    /// e, one column per scenario.
    pub(super) residuals: Matrix,
    /// R_η⁻¹e.
    pub(super) solved: Matrix,
    /// Of the matrix whose inverse is in the variance: R, raised by the rounding unit, or R_η.
    pub(super) spread: Factor,
}

impl Definite {
    /// From the kernel's matrix, on and below its diagonal.
    pub(super) fn new(
        gram: &Matrix,
        nugget: f64,
        reinterpolate: bool,
        residuals: Matrix,
    ) -> Result<Self, FitError> {
        let (mut level, mut spread) = (Factor::default(), Factor::default());
        let mut scratch = Scratch::default();
        level.form(gram.rows(), nugget, &mut scratch, &mut |out| out.copy_lower(gram))?;
        let mut solved = residuals.clone();
        level.solve_lower_many(&mut solved);
        level.solve_upper_many(&mut solved);
        if reinterpolate {
            spread.form(gram.rows(), f64::EPSILON, &mut scratch, &mut |out| out.copy_lower(gram))?;
        } else {
            spread = level;
        }
        Ok(Self { residuals, solved, spread })
    }

    /// Without μ̂.
    pub(super) fn say(&self, mut cross: Matrix) -> Said {
        let mean = transposed_product(&cross, &self.solved);
        self.spread.solve_lower_many(&mut cross);
        let explained = |j: usize| cross.col(j).iter().map(|v| v * v).sum::<f64>();
        let share = (0..cross.cols()).map(|j| 1.0 - explained(j)).collect();
        Said { mean, share }
    }

    /// k(x, x') − kᵀ·R⁻¹·k', given the matrix among the points and that against the rows.
    pub(super) fn share_among(&self, among: &Matrix, mut cross: Matrix) -> Matrix {
        self.spread.solve_lower_many(&mut cross);
        let explained = transposed_product(&cross, &cross);
        Matrix::from_fn(among.rows(), among.cols(), |i, j| among.at(i.max(j), i.min(j)) - explained.at(i, j))
    }
}
