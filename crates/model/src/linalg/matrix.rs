//! A dense matrix in column-major order.
use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};

/// A dense matrix of reals, column-major and contiguous.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix {
    rows: usize,
    cols: usize,
    data: Vec<f64>,
}

impl Matrix {
    /// All zero.
    pub fn zeros(rows: usize, cols: usize) -> Self {
        Self { rows, cols, data: vec![0.0; rows * cols] }
    }

    /// Calls a function for each entry.
    pub fn from_fn(rows: usize, cols: usize, mut entry: impl FnMut(usize, usize) -> f64) -> Self {
        let mut matrix = Self::zeros(rows, cols);
        for j in 0..cols {
            for i in 0..rows {
                matrix.set(i, j, entry(i, j));
            }
        }
        matrix
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// One entry.
    pub fn at(&self, row: usize, col: usize) -> f64 {
        self.data[col * self.rows + row]
    }

    /// Overwrites one entry.
    pub fn set(&mut self, row: usize, col: usize, value: f64) {
        self.data[col * self.rows + row] = value;
    }

    /// One column.
    pub fn col(&self, col: usize) -> &[f64] {
        &self.data[col * self.rows..(col + 1) * self.rows]
    }

    /// One column, mutable.
    pub fn col_mut(&mut self, col: usize) -> &mut [f64] {
        &mut self.data[col * self.rows..(col + 1) * self.rows]
    }

    /// Changes the shape and keeps the memory; the entries are then unspecified.
    pub fn reshape(&mut self, rows: usize, cols: usize) {
        (self.rows, self.cols) = (rows, cols);
        self.data.resize(rows * cols, 0.0);
    }

    /// Copies the shape and the lower triangle with diagonal of a square matrix.
    pub fn copy_lower(&mut self, from: &Matrix) {
        self.reshape(from.rows, from.cols);
        for j in 0..from.cols {
            self.col_mut(j)[j..].copy_from_slice(&from.col(j)[j..]);
        }
    }

    pub(super) fn view(&self) -> MatRef<'_, f64> {
        MatRef::from_column_major_slice(&self.data, self.rows, self.cols)
    }

    pub(super) fn view_mut(&mut self) -> MatMut<'_, f64> {
        MatMut::from_column_major_slice_mut(&mut self.data, self.rows, self.cols)
    }
}

/// aᵀ·b.
pub(crate) fn transposed_product(a: &Matrix, b: &Matrix) -> Matrix {
    let mut product = Matrix::zeros(a.cols, b.cols);
    matmul(product.view_mut(), Accum::Replace, a.view().transpose(), b.view(), 1.0, Par::Seq);
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_sums_over_rows() {
        let a = Matrix::from_fn(3, 2, |i, j| (i + 2 * j) as f64);
        let b = Matrix::from_fn(3, 4, |i, j| (i as f64) - (j as f64));
        let product = transposed_product(&a, &b);
        for j in 0..4 {
            for i in 0..2 {
                let by_hand: f64 = (0..3).map(|k| a.at(k, i) * b.at(k, j)).sum();
                assert!((product.at(i, j) - by_hand).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn an_empty_inner_dimension_gives_zero() {
        let product = transposed_product(&Matrix::zeros(0, 2), &Matrix::zeros(0, 3));
        assert_eq!(product, Matrix::zeros(2, 3));
    }
}
