//! Features of rows: what every term compares, column by column, and the loops over it.
//!
//! The loops are deliberately plain: inside a SIMD dispatch the compiler vectorises them, with one
//! choice of shape per term and row instead of one per pair.
use super::term_derivative::TermDerivative;
use super::{Dimension, Dimensions, Places};
use crate::rule::{Dual, Shape};
use arbora_model::linalg::Matrix;

/// Two numbers per row and term, and the weights of the terms.
pub(super) struct RowFeatures {
    /// Rows × twice the terms.
    features: Matrix,
    shapes: Vec<Shape>,
    weights: Vec<f64>,
}

impl RowFeatures {
    /// All zeros, to be filled.
    pub(super) fn zeros(rows: usize, terms: usize) -> Self {
        let (shapes, weights) = (vec![Shape::Square; terms], vec![0.0; terms]);
        Self { features: Matrix::zeros(rows, 2 * terms), shapes, weights }
    }

    pub(super) fn new(dimensions: &Dimensions, theta: &[f64], places: &Places, rows: usize) -> Self {
        let mut features = Self::zeros(rows, dimensions.terms());
        for (dimension, places) in dimensions.list.iter().zip(places) {
            features.compute(dimensions, dimension, theta, places);
        }
        features
    }

    /// Recomputes one column.
    pub(super) fn compute(
        &mut self,
        dimensions: &Dimensions,
        dimension: &Dimension,
        theta: &[f64],
        places: &[Option<f64>],
    ) {
        let h = dimensions.duals(dimension, theta, None);
        let terms = dimension.terms.clone();
        let mut weights = vec![Dual::default(); terms.len()];
        dimension.rule.weights(&h, &mut weights);
        for ((term, weight), &shape) in terms.clone().zip(weights).zip(dimension.rule.terms()) {
            (self.weights[term], self.shapes[term]) = (weight.value, shape);
        }
        let mut numbers = vec![[Dual::default(); 2]; terms.len()];
        for (i, place) in places.iter().enumerate() {
            dimension.rule.features(&h, place.map(Dual::constant), &mut numbers);
            for (term, [first, second]) in terms.clone().zip(&numbers) {
                self.features.set(i, 2 * term, first.value);
                self.features.set(i, 2 * term + 1, second.value);
            }
        }
    }

    fn of(&self, term: usize, row: usize) -> [f64; 2] {
        [self.features.at(row, 2 * term), self.features.at(row, 2 * term + 1)]
    }

    /// sums += Σ weight·gap over some terms, between the last rows, as many as there are sums, and
    /// row `j` of `at`.
    #[inline(always)]
    pub(super) fn add(
        &self,
        terms: std::ops::Range<usize>,
        (at, j): (&RowFeatures, usize),
        sums: &mut [f64],
    ) {
        let first = self.features.rows() - sums.len();
        for term in terms {
            let (weight, b) = (self.weights[term], at.of(term, j));
            let rows = self.rows(term, first);
            match self.shapes[term] {
                Shape::Square => each(
                    rows,
                    sums,
                    #[inline(always)]
                    |a| weight * Shape::Square.between(a, b),
                ),
                Shape::Root => each(
                    rows,
                    sums,
                    #[inline(always)]
                    |a| weight * Shape::Root.between(a, b),
                ),
                Shape::Gate => each(
                    rows,
                    sums,
                    #[inline(always)]
                    |a| weight * Shape::Gate.between(a, b),
                ),
                Shape::Differs => each(
                    rows,
                    sums,
                    #[inline(always)]
                    |a| weight * Shape::Differs.between(a, b),
                ),
            }
        }
    }

    #[inline(always)]
    fn rows(&self, term: usize, first: usize) -> [&[f64]; 2] {
        [&self.features.col(2 * term)[first..], &self.features.col(2 * term + 1)[first..]]
    }

    /// gaps ← the unweighted gaps of one term between the last rows and row `j`.
    #[inline(always)]
    pub(super) fn gaps(&self, term: usize, j: usize, gaps: &mut [f64]) {
        let (rows, b) = (self.rows(term, self.features.rows() - gaps.len()), self.of(term, j));
        gaps.fill(0.0);
        match self.shapes[term] {
            Shape::Square => each(
                rows,
                gaps,
                #[inline(always)]
                |a| Shape::Square.between(a, b),
            ),
            Shape::Root => each(
                rows,
                gaps,
                #[inline(always)]
                |a| Shape::Root.between(a, b),
            ),
            Shape::Gate => each(
                rows,
                gaps,
                #[inline(always)]
                |a| Shape::Gate.between(a, b),
            ),
            Shape::Differs => each(
                rows,
                gaps,
                #[inline(always)]
                |a| Shape::Differs.between(a, b),
            ),
        }
    }

    /// slopes ← the derivatives of the weighted gaps of a term, with its weight fixed, between the
    /// last rows and row `j`; false if its features do not depend on the hyper.
    #[inline(always)]
    pub(super) fn slopes(&self, moving: &TermDerivative, j: usize, slopes: &mut [f64]) -> bool {
        let Some(moved) = &moving.features else { return false };
        let (term, first) = (moving.term, self.features.rows() - slopes.len());
        let (weight, b) = (self.weights[term], self.of(term, j));
        let db = [moved.at(j, 0), moved.at(j, 1)];
        let [a0, a1] = self.rows(term, first);
        let (d0, d1) = (&moved.col(0)[first..], &moved.col(1)[first..]);
        match self.shapes[term] {
            Shape::Square => {
                for ((slope, &a), &da) in slopes.iter_mut().zip(a0).zip(d0) {
                    *slope = 2.0 * weight * (a - b[0]) * (da - db[0]);
                }
            }
            shape => {
                for (i, slope) in slopes.iter_mut().enumerate() {
                    *slope = weight * shape.slope(([a0[i], a1[i]], [d0[i], d1[i]]), (b, db));
                }
            }
        }
        true
    }

    /// ∂/∂x of the distance in one column, between row `i` and a point given by its features.
    pub(super) fn slope_at(&self, dimension: &Dimension, i: usize, at: &[[Dual; 2]]) -> f64 {
        let term = |(term, [first, second]): (usize, &[Dual; 2])| {
            let (b, db) = ([first.value, second.value], [first.slope, second.slope]);
            self.weights[term] * self.shapes[term].slope((self.of(term, i), [0.0; 2]), (b, db))
        };
        dimension.terms.clone().zip(at).map(term).sum()
    }
}

/// out += f(row), row by row.
#[inline(always)]
fn each(rows: [&[f64]; 2], out: &mut [f64], f: impl Fn([f64; 2]) -> f64) {
    let [first, second] = rows;
    for ((out, &first), &second) in out.iter_mut().zip(first).zip(second) {
        *out += f([first, second]);
    }
}
