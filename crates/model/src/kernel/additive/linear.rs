//! Linear kernel of one column: a linear effect with an unknown slope.
//!
//! k(a, b) = aⱼ·bⱼ for a number, 1[aⱼ = bⱼ] for a category: the inner product of what a linear
//! model sees, the number or the one-hot vector. Zero unless both points have the column. O(n²) per
//! matrix. On its own it models a straight line; it is meant as a term of a sum.
use crate::hyper::Hyper;
use crate::kernel::{Kernel, KernelBatch, Slopes};
use crate::linalg::Matrix;
use arbora_space::{ColumnKind, Layout, Point, Points};

#[derive(Clone, Copy)]
pub(crate) struct Linear {
    column: usize,
    is_label: bool,
}

impl Linear {
    pub(crate) fn new(layout: &Layout, column: usize) -> Self {
        let is_label = matches!(layout.columns[column].kind, ColumnKind::Categories(_));
        Self { column, is_label }
    }

    fn product(self, a: f64, b: f64) -> f64 {
        if self.is_label { f64::from(a == b) } else { a * b }
    }
}

impl Kernel for Linear {
    fn hypers(&self) -> &[Hyper] {
        &[]
    }

    fn cov(&self, _theta: &[f64], a: Point<'_>, b: Point<'_>) -> f64 {
        self.product(a.x()[self.column], b.x()[self.column])
    }

    fn batch(&self, rows: &Points) -> Box<dyn KernelBatch> {
        Box::new(LinearBatch { law: *self, x: rows.iter().map(|row| row.x()[self.column]).collect() })
    }
}

struct LinearBatch {
    law: Linear,
    x: Vec<f64>,
}

impl KernelBatch for LinearBatch {
    fn len(&self) -> usize {
        self.x.len()
    }

    fn depends_on(&self, _hyper: usize) -> bool {
        false
    }

    fn gram(&self, _theta: &[f64], out: &mut Matrix) {
        for (j, &b) in self.x.iter().enumerate() {
            let column = out.col_mut(j)[j..].iter_mut().zip(&self.x[j..]);
            column.for_each(|(out, &a)| *out = self.law.product(a, b));
        }
    }

    fn cross(&self, _theta: &[f64], at: &Points, out: &mut Matrix) {
        out.reshape(self.x.len(), at.len());
        for j in 0..at.len() {
            let b = at.row(j).x()[self.law.column];
            out.col_mut(j).iter_mut().zip(&self.x).for_each(|(out, &a)| *out = self.law.product(a, b));
        }
    }

    fn slopes(&self) -> Option<&dyn Slopes> {
        Some(self)
    }
}

impl Slopes for LinearBatch {
    fn by_theta(&self, _theta: &[f64], _weights: &Matrix, _gradient: &mut [f64]) {}

    fn by_place(&self, _theta: &[f64], _at: Point<'_>, columns: &[usize], out: &mut Matrix) {
        out.reshape(self.x.len(), columns.len());
        for (k, &column) in columns.iter().enumerate() {
            let is_mine = column == self.law.column && !self.law.is_label;
            let slopes = self.x.iter().map(|&x| if is_mine { x } else { 0.0 });
            out.col_mut(k).iter_mut().zip(slopes).for_each(|(out, slope)| *out = slope);
        }
    }

    fn diagonal_by_place(&self, _theta: &[f64], at: Point<'_>, columns: &[usize], out: &mut [f64]) {
        for (out, &column) in out.iter_mut().zip(columns) {
            let is_mine = column == self.law.column && !self.law.is_label;
            *out = if is_mine { 2.0 * at.x()[column] } else { 0.0 };
        }
    }
}
