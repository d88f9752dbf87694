//! Sums over the columns of a matrix.
use super::loops::weighted_sum;
use super::matrix::Matrix;
use super::simd::{LaneWork, Lanes, dispatch};

/// For every column v: v·v and v·with.
pub(crate) fn column_products(matrix: &Matrix, with: &[f64], squares: &mut [f64], products: &mut [f64]) {
    dispatch(ColumnProducts { matrix, with, squares, products });
}

struct ColumnProducts<'a> {
    matrix: &'a Matrix,
    with: &'a [f64],
    squares: &'a mut [f64],
    products: &'a mut [f64],
}

impl LaneWork for ColumnProducts<'_> {
    type Output = ();
    #[inline(always)]
    fn with_simd<L: Lanes>(self, lanes: L) {
        for j in 0..self.matrix.cols() {
            let column = self.matrix.col(j);
            self.squares[j] = weighted_sum(
                lanes,
                column,
                column,
                #[inline(always)]
                |v| v,
            );
            self.products[j] = weighted_sum(
                lanes,
                column,
                self.with,
                #[inline(always)]
                |v| v,
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_every_column() {
        let matrix = Matrix::from_fn(7, 3, |i, j| (i * 3 + j) as f64);
        let with: Vec<f64> = (0..7).map(|i| f64::from(i) - 2.0).collect();
        let (mut squares, mut products) = (vec![0.0; 3], vec![0.0; 3]);
        column_products(&matrix, &with, &mut squares, &mut products);
        for j in 0..3 {
            assert_eq!(squares[j], matrix.col(j).iter().map(|v| v * v).sum::<f64>());
            assert_eq!(products[j], matrix.col(j).iter().zip(&with).map(|(v, w)| v * w).sum::<f64>());
        }
    }
}
