//! Cholesky factors: L·Lᵀ = A + (ridge + jitter)·I.
//!
//! Factoring costs n³/3, a solve n² per right-hand side, appending k rows k·n² + k³/3. If
//! A + ridge·I is not numerically positive definite, a jitter of 10⁻¹⁰, 10⁻⁹, …, 10⁻⁴ times its
//! mean diagonal is added: the first that works is used and reported. Not for indefinite matrices:
//! correct those first.
use super::loops::{weighted_sum, zip_update};
use super::matrix::{Matrix, transposed_product};
use super::simd::{LaneWork, Lanes, Numbers, dispatch};
use crate::error::FitError;
use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::cholesky::llt::factor::{
    LltParams, LltRegularization, cholesky_in_place, cholesky_in_place_scratch,
};
use faer::linalg::cholesky::llt::inverse::{inverse, inverse_scratch};
use faer::linalg::triangular_solve::{solve_lower_triangular_in_place, solve_upper_triangular_in_place};
use faer::{Par, Spec};

/// Multiples of the mean diagonal, tried in order.
const LADDER: [f64; 8] = [0.0, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4];

/// A new pivot below this fraction of its diagonal is rounding error of a few hundred products.
const LOST_PIVOT: f64 = 1e-12;

/// Working memory of the matrix library, grown on demand and reused.
#[derive(Default)]
pub struct Scratch {
    buffer: Option<MemBuffer>,
    bytes: usize,
}

impl Scratch {
    fn stack(&mut self, need: StackReq) -> &mut MemStack {
        if self.buffer.is_none() || self.bytes < need.size_bytes() {
            self.bytes = need.size_bytes();
            self.buffer = None;
        }
        MemStack::new(self.buffer.get_or_insert_with(|| MemBuffer::new(need)))
    }
}

/// A lower triangle; entries above the diagonal are unspecified.
#[derive(Clone, Debug, Default)]
pub struct Factor {
    lower: Matrix,
    jitter: f64,
}

impl Factor {
    /// Factors the matrix of this size. `fill` writes its lower triangle with diagonal. Memory is
    /// reused; `fill` is called once for each jitter tried.
    pub fn form(
        &mut self,
        size: usize,
        ridge: f64,
        scratch: &mut Scratch,
        fill: &mut dyn FnMut(&mut Matrix),
    ) -> Result<(), FitError> {
        self.lower.reshape(size, size);
        for step in LADDER {
            fill(&mut self.lower);
            let mean = self.raise_diagonal(ridge) / (size.max(1) as f64);
            self.jitter = step * mean;
            if !mean.is_finite() {
                break;
            }
            self.raise_diagonal(self.jitter);
            if self.factor_in_place(scratch) {
                return Ok(());
            }
        }
        Err(FitError::NotPositiveDefinite { size, jitter: self.jitter })
    }

    /// Adds to the diagonal and returns the new trace.
    fn raise_diagonal(&mut self, by: f64) -> f64 {
        (0..self.size())
            .map(|i| {
                let raised = self.lower.at(i, i) + by;
                self.lower.set(i, i, raised);
                raised
            })
            .sum()
    }

    fn factor_in_place(&mut self, scratch: &mut Scratch) -> bool {
        let size = self.size();
        let mut params = Spec::<LltParams, f64>::default();
        // Smaller leaves than the library's default avoid its slow path just below multiples of 64
        // (measured ×2 at 63).
        (params.recursion_threshold, params.block_size) = if size < 128 { (16, 64) } else { (32, 128) };
        let stack = scratch.stack(cholesky_in_place_scratch::<f64>(size, Par::Seq, params));
        let regularization = LltRegularization::default();
        cholesky_in_place(self.lower.view_mut(), regularization, Par::Seq, stack, params).is_ok()
            && (0..size).all(|i| self.lower.at(i, i).is_finite())
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.lower.rows()
    }

    /// The jitter: what was added to the diagonal beyond the ridge.
    pub fn jitter(&self) -> f64 {
        self.jitter
    }

    /// The triangle.
    pub fn lower(&self) -> &Matrix {
        &self.lower
    }

    /// ln det(L·Lᵀ).
    pub fn log_det(&self) -> f64 {
        2.0 * (0..self.size()).map(|i| libm::log(self.lower.at(i, i))).sum::<f64>()
    }

    /// b ← L⁻¹·b.
    pub fn solve_lower(&self, b: &mut [f64]) {
        dispatch(ForwardSolve { lower: &self.lower, b });
    }

    /// b ← L⁻ᵀ·b.
    pub fn solve_upper(&self, b: &mut [f64]) {
        dispatch(BackSolve { lower: &self.lower, b });
    }

    /// B ← L⁻¹·B.
    pub(crate) fn solve_lower_many(&self, b: &mut Matrix) {
        if b.cols() == 1 {
            return self.solve_lower(b.col_mut(0));
        }
        solve_lower_triangular_in_place(self.lower.view(), b.view_mut(), Par::Seq);
    }

    /// B ← L⁻ᵀ·B.
    pub(crate) fn solve_upper_many(&self, b: &mut Matrix) {
        if b.cols() == 1 {
            return self.solve_upper(b.col_mut(0));
        }
        solve_upper_triangular_in_place(self.lower.view().transpose(), b.view_mut(), Par::Seq);
    }

    /// L·B.
    pub fn lower_product(&self, b: &Matrix) -> Matrix {
        Matrix::from_fn(self.size(), b.cols(), |i, k| (0..=i).map(|j| self.lower.at(i, j) * b.at(j, k)).sum())
    }

    /// B ← L₁₁⁻¹·B, where L₁₁ is the leading triangle with as many rows as B.
    pub(crate) fn solve_leading(&self, b: &mut Matrix) {
        let leading = self.lower.view().submatrix(0, 0, b.rows(), b.rows());
        solve_lower_triangular_in_place(leading, b.view_mut(), Par::Seq);
    }

    /// (L·Lᵀ)⁻¹: the lower triangle with diagonal.
    pub fn inverse(&self, out: &mut Matrix, scratch: &mut Scratch) {
        out.reshape(self.size(), self.size());
        let stack = scratch.stack(inverse_scratch::<f64>(self.size(), Par::Seq));
        inverse(out.view_mut(), self.lower.view(), Par::Seq, stack);
    }

    /// The factor of the matrix with k more rows: `cross` (n×k) between old and new rows, `corner`
    /// (k×k, lower triangle) among the new ones. The jitter stays the same. `None` if a new pivot
    /// is only rounding error: then factor the whole matrix again.
    ///
    /// L₂₁ = (L⁻¹·cross)ᵀ, L₂₂·L₂₂ᵀ = corner + (ridge + jitter)·I − L₂₁·L₂₁ᵀ.
    pub(crate) fn extended(&self, cross: &Matrix, corner: &Matrix, ridge: f64) -> Option<Factor> {
        let (old, new) = (self.size(), corner.rows());
        let mut whitened = cross.clone();
        self.solve_lower_many(&mut whitened);
        let explained = transposed_product(&whitened, &whitened);
        let mut lower = Matrix::zeros(old + new, old + new);
        for j in 0..old {
            let column = lower.col_mut(j);
            column[j..old].copy_from_slice(&self.lower.col(j)[j..]);
            for k in 0..new {
                column[old + k] = whitened.at(j, k);
            }
        }
        for j in 0..new {
            let diagonal = corner.at(j, j);
            for i in j..new {
                let seen: f64 = (0..j).map(|k| lower.at(old + i, old + k) * lower.at(old + j, old + k)).sum();
                let raised = if i == j { diagonal + ridge + self.jitter } else { corner.at(i, j) };
                lower.set(old + i, old + j, raised - explained.at(i, j) - seen);
            }
            let pivot = lower.at(old + j, old + j);
            if pivot.is_nan() || pivot <= LOST_PIVOT * diagonal {
                return None;
            }
            let root = pivot.sqrt();
            lower.col_mut(old + j)[old + j..].iter_mut().for_each(|entry| *entry /= root);
        }
        Some(Factor { lower, jitter: self.jitter })
    }
}

struct ForwardSolve<'a> {
    lower: &'a Matrix,
    b: &'a mut [f64],
}

impl LaneWork for ForwardSolve<'_> {
    type Output = ();
    #[inline(always)]
    fn with_simd<L: Lanes>(self, lanes: L) {
        for j in 0..self.lower.rows() {
            let column = &self.lower.col(j)[j..];
            let x = self.b[j] / column[0];
            self.b[j] = x;
            let minus_x = Numbers::splat(lanes, -x);
            zip_update(
                lanes,
                &mut self.b[j + 1..],
                &column[1..],
                #[inline(always)]
                |b, l| l.times_plus(minus_x, b),
            );
        }
    }
}

struct BackSolve<'a> {
    lower: &'a Matrix,
    b: &'a mut [f64],
}

impl LaneWork for BackSolve<'_> {
    type Output = ();
    #[inline(always)]
    fn with_simd<L: Lanes>(self, lanes: L) {
        for j in (0..self.lower.rows()).rev() {
            let column = &self.lower.col(j)[j..];
            let below = weighted_sum(
                lanes,
                &self.b[j + 1..],
                &column[1..],
                #[inline(always)]
                |l| l,
            );
            self.b[j] = (self.b[j] - below) / column[0];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::dot;
    use arbora_space::Rng;

    /// exp(−|xᵢ − xⱼ|) at random points: positive definite, and better conditioned with fewer
    /// points.
    fn laplace(size: usize, seed: u64) -> Matrix {
        let mut rng = Rng::new(seed);
        let x: Vec<f64> = (0..size).map(|_| 5.0 * rng.unit()).collect();
        Matrix::from_fn(size, size, |i, j| libm::exp(-(x[i] - x[j]).abs()))
    }

    fn factor(of: &Matrix, ridge: f64) -> Result<Factor, FitError> {
        let mut factor = Factor::default();
        factor.form(of.rows(), ridge, &mut Scratch::default(), &mut |out| out.copy_lower(of)).map(|()| factor)
    }

    fn rebuilt(factor: &Factor, i: usize, j: usize) -> f64 {
        (0..=i.min(j)).map(|k| factor.lower().at(i, k) * factor.lower().at(j, k)).sum()
    }

    #[test]
    fn the_factor_rebuilds_its_matrix() {
        for size in [0, 1, 2, 7, 16, 33, 63, 64, 127, 130] {
            let matrix = laplace(size, size as u64);
            let factor = factor(&matrix, 0.1).unwrap();
            assert_eq!(factor.jitter(), 0.0);
            for j in 0..size {
                for i in j..size {
                    let ridge = if i == j { 0.1 } else { 0.0 };
                    assert!((rebuilt(&factor, i, j) - matrix.at(i, j) - ridge).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn solves_undo_products() {
        let (size, mut rng) = (37, Rng::new(5));
        let factor = factor(&laplace(size, 1), 0.3).unwrap();
        let x: Vec<f64> = (0..size).map(|_| rng.normal()).collect();
        let forward: Vec<f64> = (0..size)
            .map(|i| dot(&x, &(0..=i).map(|k| factor.lower().at(i, k)).collect::<Vec<_>>()))
            .collect();
        let backward: Vec<f64> = (0..size).map(|j| dot(&factor.lower().col(j)[j..], &x[j..])).collect();
        let mut many = Matrix::from_fn(size, 9, |i, k| forward[i] * (k + 1) as f64);
        let mut many_back = Matrix::from_fn(size, 9, |i, k| backward[i] * (k + 1) as f64);
        let (mut one, mut one_back) = (forward.clone(), backward.clone());
        factor.solve_lower(&mut one);
        factor.solve_upper(&mut one_back);
        factor.solve_lower_many(&mut many);
        factor.solve_upper_many(&mut many_back);
        for i in 0..size {
            assert!((one[i] - x[i]).abs() < 1e-11 && (one_back[i] - x[i]).abs() < 1e-11);
            for k in 0..9 {
                let expected = x[i] * (k + 1) as f64;
                assert!(
                    (many.at(i, k) - expected).abs() < 1e-10 && (many_back.at(i, k) - expected).abs() < 1e-10
                );
            }
        }
    }

    #[test]
    fn the_inverse_is_one() {
        let size = 20;
        let matrix = laplace(size, 3);
        let mut found = Matrix::default();
        factor(&matrix, 0.0).unwrap().inverse(&mut found, &mut Scratch::default());
        for i in 0..size {
            for j in 0..size {
                let product: f64 = (0..size).map(|k| found.at(i.max(k), i.min(k)) * matrix.at(k, j)).sum();
                assert!((product - f64::from(i == j)).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn log_determinant_of_two_rows() {
        let matrix = Matrix::from_fn(2, 2, |i, j| if i == j { 2.0 } else { 0.5 });
        assert!((factor(&matrix, 0.0).unwrap().log_det() - 3.75_f64.ln()).abs() < 1e-14);
    }

    #[test]
    fn appending_equals_refactoring() {
        let (old, new, ridge) = (40, 5, 1e-3);
        let matrix = laplace(old + new, 9);
        let whole = factor(&matrix, ridge).unwrap();
        let start = factor(&Matrix::from_fn(old, old, |i, j| matrix.at(i, j)), ridge).unwrap();
        let cross = Matrix::from_fn(old, new, |i, j| matrix.at(i, old + j));
        let corner = Matrix::from_fn(new, new, |i, j| matrix.at(old + i, old + j));
        let grown = start.extended(&cross, &corner, ridge).unwrap();
        for j in 0..old + new {
            for i in j..old + new {
                let (a, b) = (grown.lower().at(i, j), whole.lower().at(i, j));
                assert!((a - b).abs() <= 1e-9 * b.abs().max(1.0), "{i} {j}: {a} {b}");
            }
        }
    }

    #[test]
    fn a_lost_pivot_asks_for_a_new_factor() {
        let one = Matrix::from_fn(1, 1, |_, _| 1.0);
        let start = factor(&one, 0.0).unwrap();
        assert!(start.extended(&one, &one, 0.0).is_none());
        assert!(start.extended(&one, &one, 1e-3).is_some());
    }

    #[test]
    fn duplicates_take_the_least_jitter_that_works() {
        let same = Matrix::from_fn(12, 12, |_, _| 1.0);
        let factor = factor(&same, 0.0).unwrap();
        assert!((1e-10..=1e-8).contains(&factor.jitter()), "{}", factor.jitter());
    }

    #[test]
    fn an_indefinite_matrix_is_an_error_with_its_data() {
        let indefinite = Matrix::from_fn(3, 3, |i, j| if i == j { 1.0 } else { -0.9 });
        let error = factor(&indefinite, 0.0).unwrap_err();
        assert!(
            matches!(error, FitError::NotPositiveDefinite { size: 3, jitter } if (jitter - 1e-4).abs() < 1e-12)
        );
        let unknown = Matrix::from_fn(3, 3, |i, j| if i + j == 3 { f64::NAN } else { f64::from(i == j) });
        assert!(factor(&unknown, 0.0).is_err());
    }
}
