//! Corrects an indefinite matrix through its spectrum, with consistent test covariances.
//!
//! K = UΛUᵀ. If λ_min ≥ −10⁻⁸ nothing is done, otherwise K⁺ = U|Λ|Uᵀ = A·K, A = U·sign(Λ)·Uᵀ (sign
//! +1 for
//! λ| ≤ 10⁻⁸, so that no direction is lost)  [Zaefferer & Horn 2018, §4.2; Chen et al. 2009].
//!
//! * **Linear**: a test vector becomes A·k, the linear map that sends columns of K to columns of
//!   K⁺. The residual of the test point's variance is flipped too, κ⁺ = kᵀ|K|⁻¹k + |κ − kᵀK⁻¹k|, so
//!   that the extended matrix is positive semi-definite; with re-interpolation the variance is
//!   σ̂²·|1 − kᵀK⁻¹k|.
//! * **Augmented**: the authors' code. K⁺ is scaled to a unit diagonal, K̃; test vectors come from
//!   flipping and scaling the matrix of the training points and the test point together, which is a
//!   different correction from that of the training matrix.
//! * **Augmented, consistent**: training block and test vector from that same matrix, for each test
//!   point.
//!
//! The augmented modes cost a spectrum, 9n³, per predicted point: for comparison, not for use.
use arbora_model::linalg::{Matrix, Spectrum};
use serde::{Deserialize, Serialize};

/// Eigenvalues of at most this size are rounding errors.
pub(super) const ROUNDING: f64 = 1e-8;

/// How to correct a kernel that is not positive semi-definite. Definite kernels are not changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Correction {
    /// No correction: θ is restricted to where the nugget makes the matrix definite.
    None,
    /// Flips negative eigenvalues and maps test covariances accordingly.
    #[default]
    Linear,
    /// The same with a unit diagonal; test covariances come from a matrix that includes the test
    /// point.
    Augmented,
    /// The same; training covariances come from that matrix too.
    AugmentedConsistent,
}

impl Correction {
    /// Is the diagonal scaled to one?
    fn scales(self) -> bool {
        matches!(self, Correction::Augmented | Correction::AugmentedConsistent)
    }
}

/// λ|, but rounding errors are kept.
pub(super) fn flip(value: f64) -> f64 {
    if value < -ROUNDING { -value } else { value }
}

fn flip_slope(value: f64) -> f64 {
    if value < -ROUNDING { -1.0 } else { 1.0 }
}

/// A corrected matrix, with what is needed to differentiate through the correction.
pub(super) struct Corrected {
    /// Full and symmetric.
    pub(super) matrix: Matrix,
    /// Of the original matrix; `None` if nothing was corrected.
    flipped: Option<Spectrum>,
    /// K⁺ᵢᵢ if the diagonal was scaled.
    diagonal: Option<Vec<f64>>,
}

impl Corrected {
    /// Corrects a symmetric matrix given by its lower triangle; `None` if an entry is NaN.
    pub(super) fn of(matrix: &Matrix, correction: Correction) -> Option<Self> {
        let untouched = || Self { matrix: mirrored(matrix), flipped: None, diagonal: None };
        if correction == Correction::None {
            return Some(untouched());
        }
        let spectrum = Spectrum::of(matrix)?;
        if spectrum.least() >= -ROUNDING {
            return Some(untouched());
        }
        let mut flipped = spectrum.map(flip);
        let mut diagonal = None;
        if correction.scales() {
            let size = flipped.rows();
            let entries: Vec<f64> = (0..size).map(|i| flipped.at(i, i)).collect();
            flipped = Matrix::from_fn(size, size, |i, j| flipped.at(i, j) / (entries[i] * entries[j]).sqrt());
            diagonal = Some(entries);
        }
        Some(Self { matrix: flipped, flipped: Some(spectrum), diagonal })
    }

    /// Turns the derivative W of a function of the corrected matrix into that of the original
    /// matrix. W is full.
    ///
    /// Scaling: K̃ᵢⱼ = K⁺ᵢⱼ/√(K⁺ᵢᵢK⁺ⱼⱼ) gives W⁺ᵢⱼ = W̃ᵢⱼ/√(K⁺ᵢᵢK⁺ⱼⱼ) − 1[i=j]·Σₖ W̃ᵢₖK̃ᵢₖ/K⁺ᵢᵢ.
    /// Flipping: divided differences.
    pub(super) fn pull_back(&self, weights: Matrix) -> Matrix {
        let Some(spectrum) = &self.flipped else { return weights };
        let mut pulled = weights;
        if let Some(diagonal) = &self.diagonal {
            let size = diagonal.len();
            let along = |i: usize| (0..size).map(|k| pulled.at(i, k) * self.matrix.at(i, k)).sum::<f64>();
            let sums: Vec<f64> = (0..size).map(along).collect();
            pulled = Matrix::from_fn(size, size, |i, j| {
                let own = if i == j { sums[i] / diagonal[i] } else { 0.0 };
                pulled.at(i, j) / (diagonal[i] * diagonal[j]).sqrt() - own
            });
        }
        spectrum.pull_back(flip, flip_slope, &pulled)
    }
}

/// The full matrix with this lower triangle.
pub(super) fn mirrored(lower: &Matrix) -> Matrix {
    Matrix::from_fn(lower.rows(), lower.cols(), |i, j| lower.at(i.max(j), i.min(j)))
}
