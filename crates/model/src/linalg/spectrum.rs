//! Eigenvalues and eigenvectors of a symmetric matrix: A = U·Λ·Uᵀ.
//!
//! About 9n³ operations; functions of A cost 2n³ more. For matrices that have no Cholesky factor.
//!
//! Dividing by small eigenvalues amplifies the last bits of sums. In the library these depend on
//! the memory alignment of a matrix, so we pass aligned copies and compute products ourselves: the
//! same matrix has the same spectrum, bit by bit.
use super::loops::dot;
use super::matrix::Matrix;
use faer::{Mat, Side};

/// Eigenvalues whose difference is below this fraction of the larger count as equal in divided
/// differences.
const SAME: f64 = 1e-9;

/// A = U·Λ·Uᵀ, eigenvalues ascending.
pub struct Spectrum {
    values: Vec<f64>,
    vectors: Matrix,
}

impl Spectrum {
    /// The spectrum of the symmetric matrix with this lower triangle; `None` if an entry is NaN.
    pub fn of(matrix: &Matrix) -> Option<Self> {
        let size = matrix.rows();
        if (0..size).any(|j| matrix.col(j)[j..].iter().any(|entry| !entry.is_finite())) {
            return None;
        }
        if size == 0 {
            return Some(Self { values: Vec::new(), vectors: Matrix::zeros(0, 0) });
        }
        let aligned = Mat::from_fn(size, size, |i, j| matrix.at(i.max(j), i.min(j)));
        let eigen = aligned.self_adjoint_eigen(Side::Lower).ok()?;
        let (vectors, values) = (eigen.U(), eigen.S().column_vector());
        Some(Self {
            values: (0..size).map(|i| values[i]).collect(),
            vectors: Matrix::from_fn(size, size, |i, j| vectors[(i, j)]),
        })
    }

    /// Λ, ascending.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The smallest eigenvalue; +∞ for an empty matrix.
    pub fn least(&self) -> f64 {
        self.values.first().copied().unwrap_or(f64::INFINITY)
    }

    /// Uᵀ·B.
    pub fn coordinates(&self, b: &Matrix) -> Matrix {
        across(&self.vectors, b)
    }

    /// U·f(Λ)·Uᵀ.
    pub fn map(&self, f: impl Fn(f64) -> f64) -> Matrix {
        let size = self.values.len();
        let scaled = Matrix::from_fn(size, size, |i, j| self.vectors.at(i, j) * f(self.values[j]));
        across(&transposed(&scaled), &transposed(&self.vectors))
    }

    /// The derivative of tr(W·f(A)) with respect to A: U·(F∘(Uᵀ·W·U))·Uᵀ, where F are the divided
    /// differences of f  [Daleckii & Krein 1965]. W is symmetric and given in full.
    pub fn pull_back(&self, f: impl Fn(f64) -> f64, slope: impl Fn(f64) -> f64, weights: &Matrix) -> Matrix {
        let size = self.values.len();
        let inner = across(&self.vectors, &across(weights, &self.vectors));
        let divided = |a: f64, b: f64| {
            let is_one = (a - b).abs() <= SAME * a.abs().max(b.abs());
            if is_one { slope(a) } else { (f(a) - f(b)) / (a - b) }
        };
        let weighted =
            Matrix::from_fn(size, size, |i, j| inner.at(i, j) * divided(self.values[i], self.values[j]));
        let rows = transposed(&self.vectors);
        across(&rows, &across(&weighted, &rows))
    }
}

fn transposed(matrix: &Matrix) -> Matrix {
    Matrix::from_fn(matrix.cols(), matrix.rows(), |i, j| matrix.at(j, i))
}

/// aᵀ·b.
fn across(a: &Matrix, b: &Matrix) -> Matrix {
    Matrix::from_fn(a.cols(), b.cols(), |i, j| dot(a.col(i), b.col(j)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symmetric(size: usize, bend: f64) -> Matrix {
        let entry = |i: usize, j: usize| ((1 + i * j + i + j) as f64 * (0.7 + bend)).sin();
        Matrix::from_fn(size, size, entry)
    }

    #[test]
    fn functions_of_a_matrix() {
        let matrix = symmetric(9, 0.0);
        let spectrum = Spectrum::of(&matrix).unwrap();
        let (same, square) = (spectrum.map(|x| x), spectrum.map(|x| x * x));
        let by_hand = across(&matrix, &matrix);
        for i in 0..9 {
            for j in 0..9 {
                assert!((same.at(i, j) - matrix.at(i, j)).abs() < 1e-12);
                assert!((square.at(i, j) - by_hand.at(i, j)).abs() < 1e-12);
            }
        }
        assert!(spectrum.values().windows(2).all(|pair| pair[0] <= pair[1]));
        assert!(spectrum.least() < 0.0);
    }

    /// d tr(W·|A|)/dt along a path of matrices, compared with a central difference.
    #[test]
    fn derivatives_of_a_flipped_matrix() {
        let weights = symmetric(7, 1.3);
        let flipped = |bend: f64| {
            let whole = Spectrum::of(&symmetric(7, bend)).unwrap().map(f64::abs);
            (0..49).map(|k| whole.at(k / 7, k % 7) * weights.at(k / 7, k % 7)).sum::<f64>()
        };
        let pulled = Spectrum::of(&symmetric(7, 0.2)).unwrap().pull_back(f64::abs, f64::signum, &weights);
        let step = 1e-6;
        let (ahead, behind) = (symmetric(7, 0.2 + step), symmetric(7, 0.2 - step));
        let slope: f64 = (0..49)
            .map(|k| pulled.at(k / 7, k % 7) * (ahead.at(k / 7, k % 7) - behind.at(k / 7, k % 7)))
            .sum::<f64>()
            / (2.0 * step);
        let difference = (flipped(0.2 + step) - flipped(0.2 - step)) / (2.0 * step);
        assert!((slope - difference).abs() < 1e-5 * difference.abs(), "{slope} {difference}");
    }

    #[test]
    fn what_is_no_number_has_no_spectrum() {
        assert!(Spectrum::of(&Matrix::from_fn(2, 2, |_, _| f64::NAN)).is_none());
        assert_eq!(Spectrum::of(&Matrix::zeros(0, 0)).unwrap().least(), f64::INFINITY);
    }
}
