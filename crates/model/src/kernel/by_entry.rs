//! Matrices computed entry by entry: one call of [`Kernel::cov`] each.
//!
//! The simplest way to write your own kernel: clone it into a `ByEntry` with the rows. O(n²) calls
//! per matrix, nothing is cached while one hyper moves, and there are no gradients, so maximizers
//! search without them. Implement [`KernelBatch`](super::KernelBatch) once speed matters.
use super::{Kernel, KernelBatch};
use crate::linalg::Matrix;
use arbora_space::Points;

/// Rows and the kernel that compares them.
pub struct ByEntry<K> {
    kernel: K,
    rows: Points,
}

impl<K: Kernel> ByEntry<K> {
    /// These rows, compared by this kernel.
    pub fn new(kernel: K, rows: &Points) -> Self {
        Self { kernel, rows: rows.clone() }
    }
}

impl<K: Kernel> KernelBatch for ByEntry<K> {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn depends_on(&self, _hyper: usize) -> bool {
        true
    }

    fn gram(&self, theta: &[f64], out: &mut Matrix) {
        for column in 0..self.rows.len() {
            for row in column..self.rows.len() {
                out.set(row, column, self.kernel.cov(theta, self.rows.row(row), self.rows.row(column)));
            }
        }
    }

    fn cross(&self, theta: &[f64], at: &Points, out: &mut Matrix) {
        out.reshape(self.rows.len(), at.len());
        for column in 0..at.len() {
            for row in 0..self.rows.len() {
                out.set(row, column, self.kernel.cov(theta, self.rows.row(row), at.row(column)));
            }
        }
    }
}
