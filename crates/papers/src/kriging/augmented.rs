//! Predictions that correct the matrix of the training points and one test point together.
use super::correction::{Corrected, Correction};
use super::level::{Level, Predicted};
use super::target::Estimates;
use arbora_model::FitError;
use arbora_model::linalg::{Factor, Matrix, Scratch, dot};

pub(super) struct Augmented {
    /// Before any correction: the lower triangle with diagonal.
    gram: Matrix,
    losses: Vec<f64>,
    level: Level,
    correction: Correction,
    training: Training,
}

/// The corrected training matrix: R_η⁻¹e, μ̂, and the factors of R and R_η.
struct Training {
    mean: f64,
    solved: Vec<f64>,
    plain: Factor,
    nuggeted: Factor,
}

impl Training {
    fn new(matrix: &Matrix, level: Level, solved: Vec<f64>) -> Result<Self, FitError> {
        let (mut plain, mut nuggeted) = (Factor::default(), Factor::default());
        let mut scratch = Scratch::default();
        plain.form(matrix.rows(), f64::EPSILON, &mut scratch, &mut |out| out.copy_lower(matrix))?;
        nuggeted.form(matrix.rows(), level.nugget, &mut scratch, &mut |out| out.copy_lower(matrix))?;
        Ok(Self { mean: level.mean, solved, plain, nuggeted })
    }

    /// The mean minus that of the level, and the variance relative to σ̂².
    fn predict(&self, test: &[f64], level: Level, reinterpolate: bool) -> (f64, f64) {
        let mut whitened = test.to_vec();
        if reinterpolate { &self.plain } else { &self.nuggeted }.solve_lower(&mut whitened);
        let mean = self.mean - level.mean + dot(test, &self.solved);
        (mean, (1.0 - dot(&whitened, &whitened)).abs())
    }
}

impl Augmented {
    /// From the kernel matrix and its correction.
    pub(super) fn new(
        (gram, corrected): (Matrix, Matrix),
        correction: Correction,
        losses: &[f64],
        (solved, level): (Vec<f64>, Level),
    ) -> Result<Self, FitError> {
        let training = Training::new(&corrected, level, solved)?;
        Ok(Self { gram, losses: losses.to_vec(), level, correction, training })
    }

    /// Predictions without μ̂.
    pub(super) fn predict(&self, cross: &Matrix, reinterpolate: bool) -> Predicted {
        let said: Vec<(f64, f64)> =
            (0..cross.cols()).map(|j| self.say_one(cross.col(j), reinterpolate)).collect();
        Predicted {
            mean: Matrix::from_fn(said.len(), 1, |j, _| said[j].0),
            share: said.iter().map(|(_, share)| *share).collect(),
        }
    }

    fn say_one(&self, test: &[f64], reinterpolate: bool) -> (f64, f64) {
        let size = test.len();
        let entry = |i: usize, j: usize| match (i == size, j == size) {
            (true, true) => 1.0,
            (true, false) => test[j],
            (false, true) => test[i],
            _ => self.gram.at(i.max(j), i.min(j)),
        };
        let together = Matrix::from_fn(size + 1, size + 1, entry);
        // Kernel entries are finite, so the spectrum exists.
        let Some(corrected) = Corrected::of(&together, self.correction) else { return (0.0, 1.0) };
        let test: Vec<f64> = (0..size).map(|i| corrected.matrix.at(size, i)).collect();
        let own = match self.correction {
            Correction::AugmentedConsistent => self.retrained(&corrected.matrix),
            _ => None,
        };
        own.as_ref().unwrap_or(&self.training).predict(&test, self.level, reinterpolate)
    }

    /// The training block of a matrix that also contains a test point.
    fn retrained(&self, together: &Matrix) -> Option<Training> {
        let size = self.losses.len();
        let block = Matrix::from_fn(size, size, |i, j| together.at(i, j));
        let estimates = Estimates::new(&block, self.level.nugget, &self.losses, &mut Scratch::default());
        let (mean, solved) = match estimates {
            Some(estimates) => (estimates.mean, estimates.solved),
            None if self.training.solved.iter().all(|a| *a == 0.0) => (self.level.mean, vec![0.0; size]),
            None => return None,
        };
        Training::new(&block, Level { mean, ..self.level }, solved).ok()
    }
}
