//! Predictions with an indefinite kernel, in the eigenvectors of its matrix: z = Uᵀk.
//!
//! With λ⁺ the corrected eigenvalues and s the changed signs (all +1 without a correction):
//! mean = μ̂ + Σ sᵢ·zᵢ·(Uᵀe)ᵢ/(λ⁺ᵢ + η). Variance relative to σ̂²:
//!
//! * re-interpolated: |1 − Σ zᵢ²/λᵢ| over |λᵢ| > 10⁻⁸;
//! * corrected, without re-interpolation: Σ zᵢ²/λ⁺ᵢ + |1 − Σ zᵢ²/λᵢ| − Σ zᵢ²/(λ⁺ᵢ + η);
//! * uncorrected, without re-interpolation: |1 − Σ zᵢ²/(λᵢ + η)|.
//!
//! O(n²) per point.
use super::correction::{Correction, ROUNDING, flip};
use super::level::Predicted;
use arbora_model::FitError;
use arbora_model::linalg::{Matrix, Spectrum};

pub(super) struct Eigen {
    spectrum: Spectrum,
    /// λ⁺.
    corrected: Vec<f64>,
    /// The factor of each coordinate of k in the mean.
    solved: Vec<f64>,
    is_flipped: bool,
}

impl Eigen {
    pub(super) fn new(
        gram: &Matrix,
        nugget: f64,
        correction: Correction,
        residual: &[f64],
    ) -> Result<Self, FitError> {
        let trouble = FitError::NotPositiveDefinite { size: gram.rows(), jitter: nugget };
        let spectrum = Spectrum::of(gram).ok_or(trouble)?;
        let is_flipped = correction != Correction::None && spectrum.least() < -ROUNDING;
        let values = spectrum.values();
        let corrected: Vec<f64> =
            values.iter().map(|&value| if is_flipped { flip(value) } else { value }).collect();
        let rotated = spectrum.coordinates(&Matrix::from_fn(residual.len(), 1, |i, _| residual[i]));
        let solve = |i: usize| {
            let sign = if is_flipped && values[i] < -ROUNDING { -1.0 } else { 1.0 };
            sign * rotated.at(i, 0) / (corrected[i] + nugget)
        };
        let solved = (0..residual.len()).map(solve).collect();
        Ok(Self { spectrum, corrected, solved, is_flipped })
    }

    /// Predictions without μ̂.
    pub(super) fn predict(&self, cross: &Matrix, nugget: f64, reinterpolate: bool) -> Predicted {
        let coordinates = self.spectrum.coordinates(cross);
        let mean = |j: usize| coordinates.col(j).iter().zip(&self.solved).map(|(z, c)| z * c).sum();
        let share = |j: usize| self.share(coordinates.col(j), nugget, reinterpolate);
        let count = cross.cols();
        Predicted { mean: Matrix::from_fn(count, 1, |j, _| mean(j)), share: (0..count).map(share).collect() }
    }

    fn share(&self, z: &[f64], nugget: f64, reinterpolate: bool) -> f64 {
        let over = |values: &[f64], raised: f64| -> f64 {
            let terms = z.iter().zip(values).filter(|(_, value)| value.abs() > ROUNDING);
            terms.map(|(z, value)| z * z / (value + raised)).sum()
        };
        let left = (1.0 - over(self.spectrum.values(), 0.0)).abs();
        match (reinterpolate, self.is_flipped) {
            (true, _) => left,
            (false, true) => over(&self.corrected, 0.0) + left - over(&self.corrected, nugget),
            (false, false) => (1.0 - over(&self.corrected, nugget)).abs(),
        }
    }
}
