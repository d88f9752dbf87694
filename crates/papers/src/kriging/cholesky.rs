//! Predictions with a definite kernel, by two Cholesky factors: R_η for the mean, R for
//! re-interpolated variances.
//!
//! R without a nugget is nearly singular, and solving with it amplifies the last bits of every sum.
//! So sums run column by column in a fixed order, independent of what else is predicted and of
//! memory alignment.
use super::level::Predicted;
use arbora_model::FitError;
use arbora_model::linalg::{Factor, Matrix, Scratch, dot};

pub(super) struct Cholesky {
    /// e, one column per scenario.
    pub(super) residuals: Matrix,
    /// R_η⁻¹e.
    pub(super) solved: Matrix,
    /// The factor for the variance: of R plus machine epsilon, or of R_η.
    pub(super) spread: Factor,
}

impl Cholesky {
    /// From the lower triangle of the kernel matrix.
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
        for s in 0..solved.cols() {
            level.solve_lower(solved.col_mut(s));
            level.solve_upper(solved.col_mut(s));
        }
        if reinterpolate {
            spread.form(gram.rows(), f64::EPSILON, &mut scratch, &mut |out| out.copy_lower(gram))?;
        } else {
            spread = level;
        }
        Ok(Self { residuals, solved, spread })
    }

    /// Predictions without μ̂.
    pub(super) fn predict(&self, mut cross: Matrix) -> Predicted {
        let (count, scenarios) = (cross.cols(), self.solved.cols());
        let mean = Matrix::from_fn(count, scenarios, |j, s| dot(cross.col(j), self.solved.col(s)));
        self.whiten(&mut cross);
        let share = (0..count).map(|j| 1.0 - dot(cross.col(j), cross.col(j))).collect();
        Predicted { mean, share }
    }

    /// k(x, x') − kᵀ·R⁻¹·k', given the matrix of the points and that between rows and points.
    pub(super) fn relative_covariance(&self, among: &Matrix, mut cross: Matrix) -> Matrix {
        self.whiten(&mut cross);
        let explained = |i: usize, j: usize| dot(cross.col(i), cross.col(j));
        Matrix::from_fn(among.rows(), among.cols(), |i, j| among.at(i.max(j), i.min(j)) - explained(i, j))
    }

    /// Applies L⁻¹ to every column.
    fn whiten(&self, cross: &mut Matrix) {
        for j in 0..cross.cols() {
            self.spread.solve_lower(cross.col_mut(j));
        }
    }
}
