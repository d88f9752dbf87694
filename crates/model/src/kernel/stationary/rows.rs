//! The rows of a batch, laid out for SIMD: one matrix column per column that can vary among them.
use super::{Gap, Profile, weight};
use crate::linalg::Matrix;
use arbora_space::Points;
use std::marker::PhantomData;

/// A column that can vary among these rows, how it is compared, and its index in θ.
#[derive(Clone, Copy, Debug)]
pub(super) struct Used {
    pub(super) hyper: usize,
    pub(super) column: usize,
    pub(super) gap: Gap,
}

/// Rows, one matrix column per used column.
pub(super) struct StationaryBatch<P> {
    pub(super) used: Vec<Used>,
    pub(super) rows: Matrix,
    profile: PhantomData<P>,
}

impl<P: Profile> StationaryBatch<P> {
    pub(super) fn new(used: Vec<Used>, rows: &Points) -> Self {
        let rows = places(&used, rows);
        Self { used, rows, profile: PhantomData }
    }

    pub(super) fn weights(&self, theta: &[f64]) -> Vec<f64> {
        self.used.iter().map(|used| weight::<P>(theta[used.hyper])).collect()
    }
}

/// The coordinates that are compared, one matrix column per used column.
pub(super) fn places(used: &[Used], rows: &Points) -> Matrix {
    Matrix::from_fn(rows.len(), used.len(), |i, u| rows.row(i).x()[used[u].column])
}
