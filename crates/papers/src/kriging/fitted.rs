//! A fitted process at one θ: the estimates and one of three ways to predict, on standardised
//! losses.
use super::Recipe;
use super::augmented::Augmented;
use super::cholesky::Cholesky;
use super::correction::{Corrected, Correction};
use super::eigen::Eigen;
use super::level::{LEAST_VARIANCE, Level, Predicted};
use super::target::{Estimates, split};
use arbora_model::FitError;
use arbora_model::kernel::KernelBatch;
use arbora_model::linalg::{Matrix, Scratch};
use arbora_space::Points;

/// How predictions are computed: by Cholesky factors if the kernel is definite, otherwise by
/// eigenvalues.
pub(super) enum Predictor {
    Cholesky(Cholesky),
    Eigen(Eigen),
    Augmented(Box<Augmented>),
}

/// Rows, θ and the estimates at θ.
pub(super) struct Fitted {
    pub(super) recipe: Recipe,
    pub(super) rows: Points,
    pub(super) batch: Box<dyn KernelBatch>,
    /// θ of the kernel.
    pub(super) theta: Vec<f64>,
    pub(super) level: Level,
    pub(super) predictor: Predictor,
}

impl Fitted {
    pub(super) fn new(
        recipe: Recipe,
        rows: &Points,
        losses: &[f64],
        theta: &[f64],
    ) -> Result<Self, FitError> {
        let (kernel, nugget) = split(theta);
        let batch = recipe.kernel.batch(rows);
        let mut gram = Matrix::zeros(rows.len(), rows.len());
        batch.gram(kernel, &mut gram);
        let is_definite = recipe.kernel.is_definite();
        let correction = if is_definite { Correction::None } else { recipe.correction };
        let trouble = FitError::NotPositiveDefinite { size: rows.len(), jitter: nugget };
        let corrected = Corrected::of(&gram, correction).ok_or_else(|| trouble.clone())?;
        let estimates = if losses.iter().all(|loss| *loss == losses[0]) {
            None
        } else {
            let estimated = Estimates::new(&corrected.matrix, nugget, losses, &mut Scratch::default());
            Some(estimated.ok_or(trouble)?)
        };
        let level = Level::new(nugget, losses, estimates.as_ref());
        let residual: Vec<f64> = losses.iter().map(|loss| loss - level.mean).collect();
        let predictor = match correction {
            _ if is_definite => Predictor::Cholesky(Cholesky::new(
                &gram,
                nugget,
                recipe.reinterpolate,
                residual_matrix(&residual),
            )?),
            Correction::None | Correction::Linear => {
                Predictor::Eigen(Eigen::new(&gram, nugget, correction, &residual)?)
            }
            _ => {
                let solved = estimates.map_or_else(|| vec![0.0; losses.len()], |estimates| estimates.solved);
                Predictor::Augmented(Box::new(Augmented::new(
                    (gram, corrected.matrix),
                    correction,
                    losses,
                    (solved, level),
                )?))
            }
        };
        Ok(Self { recipe, rows: rows.clone(), batch, theta: kernel.to_vec(), level, predictor })
    }

    /// The variance that predicted fractions refer to.
    pub(super) fn variance(&self) -> f64 {
        if self.recipe.reinterpolate { self.level.reinterpolated } else { self.level.variance }
    }

    pub(super) fn predict(&self, at: &Points) -> Predicted {
        let mut cross = Matrix::default();
        self.batch.cross(&self.theta, at, &mut cross);
        let mut said = match &self.predictor {
            Predictor::Cholesky(definite) => definite.predict(cross),
            Predictor::Eigen(spectral) => {
                spectral.predict(&cross, self.level.nugget, self.recipe.reinterpolate)
            }
            Predictor::Augmented(augmented) => augmented.predict(&cross, self.recipe.reinterpolate),
        };
        for s in 0..said.mean.cols() {
            said.mean.col_mut(s).iter_mut().for_each(|mean| *mean += self.level.mean);
        }
        said.share.iter_mut().for_each(|share| *share = share.max(LEAST_VARIANCE));
        said
    }
}

fn residual_matrix(residual: &[f64]) -> Matrix {
    Matrix::from_fn(residual.len(), 1, |i, _| residual[i])
}
