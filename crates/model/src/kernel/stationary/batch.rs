//! Matrices of a stationary kernel, over columns laid out for SIMD.
use super::rows::{StationaryBatch, Used, places};
use super::work::{Contraction, Cross, Gram, MovedGram, SlopesAt, Sums};
use super::{Profile, weight};
use crate::kernel::{KernelBatch, PartialGram, Slopes};
use crate::linalg::{Matrix, dispatch};
use arbora_space::{Point, Points};
use std::marker::PhantomData;

impl<P: Profile> KernelBatch for StationaryBatch<P> {
    fn len(&self) -> usize {
        self.rows.rows()
    }

    fn depends_on(&self, hyper: usize) -> bool {
        self.used.iter().any(|used| used.hyper == hyper)
    }

    fn gram(&self, theta: &[f64], out: &mut Matrix) {
        dispatch(Gram { batch: self, weights: &self.weights(theta), out });
    }

    fn cross(&self, theta: &[f64], at: &Points, out: &mut Matrix) {
        out.reshape(self.len(), at.len());
        dispatch(Cross { batch: self, weights: &self.weights(theta), at: &places(&self.used, at), out });
    }

    fn prepare_hyper(&self, theta: &[f64], hyper: usize, partial: &mut PartialGram) {
        let pairs = self.len() * self.len().saturating_sub(1) / 2;
        partial.hyper = hyper;
        partial.others.resize(pairs, 0.0);
        partial.own.resize(pairs, 0.0);
        if pairs == 0 {
            return;
        }
        // The moving column has its weight set to one in `own` and to zero in `others`.
        let share = |is_own: bool| -> Vec<f64> {
            let weight = |used: &Used| match (used.hyper == hyper, is_own) {
                (true, true) => 1.0,
                (false, false) => weight::<P>(theta[used.hyper]),
                _ => 0.0,
            };
            self.used.iter().map(weight).collect()
        };
        dispatch(Sums { batch: self, weights: &share(false), out: &mut partial.others });
        dispatch(Sums { batch: self, weights: &share(true), out: &mut partial.own });
    }

    fn gram_moved(&self, partial: &mut PartialGram, value: f64, out: &mut Matrix) {
        let weight = weight::<P>(value);
        dispatch(MovedGram { partial, weight, out, profile: PhantomData::<P> });
    }

    fn slopes(&self) -> Option<&dyn Slopes> {
        Some(self)
    }
}

impl<P: Profile> Slopes for StationaryBatch<P> {
    fn by_theta(&self, theta: &[f64], weights: &Matrix, gradient: &mut [f64]) {
        dispatch(Contraction { batch: self, weights: &self.weights(theta), pairs: weights, gradient });
    }

    fn by_place(&self, theta: &[f64], at: Point<'_>, columns: &[usize], out: &mut Matrix) {
        let weights = self.weights(theta);
        let place = Matrix::from_fn(1, self.used.len(), |_, u| at.x()[self.used[u].column]);
        let mut slopes = vec![0.0; self.len()];
        dispatch(SlopesAt { batch: self, weights: &weights, at: &place, out: &mut slopes });
        out.reshape(self.len(), columns.len());
        for (k, &column) in columns.iter().enumerate() {
            let Some(u) = self.used.iter().position(|used| used.column == column) else {
                out.col_mut(k).fill(0.0);
                continue;
            };
            for ((out, row), slope) in out.col_mut(k).iter_mut().zip(self.rows.col(u)).zip(&slopes) {
                *out = slope * weights[u] * self.used[u].gap.slope(place.at(0, u), *row);
            }
        }
    }
}
