//! Whole matrices of a stationary kernel, over columns laid out for the lanes.
use super::{Gap, Profile, weight};
use crate::kernel::{Batch, Held, Slopes};
use crate::linalg::{LaneWork, Lanes, Matrix, Numbers, combine, dispatch, update, weighted_sum, zip_update};
use arbora_space::{Point, Points};
use std::marker::PhantomData;

/// A column that can vary among these rows: which, compared how, and its place in θ.
#[derive(Clone, Copy, Debug)]
pub(super) struct Used {
    pub(super) hyper: usize,
    pub(super) column: usize,
    pub(super) gap: Gap,
}

/// Rows, one matrix column per used column.
pub(super) struct StationaryBatch<P> {
    used: Vec<Used>,
    rows: Matrix,
    profile: PhantomData<P>,
}

impl<P: Profile> StationaryBatch<P> {
    pub(super) fn new(used: Vec<Used>, rows: &Points) -> Self {
        let rows = places(&used, rows);
        Self { used, rows, profile: PhantomData }
    }

    fn weights(&self, theta: &[f64]) -> Vec<f64> {
        self.used.iter().map(|used| weight::<P>(theta[used.hyper])).collect()
    }

    /// sums ← Σ weight·gap between the last rows, as many as there are sums, and row `j` of `at`.
    #[inline(always)]
    fn sums<L: Lanes>(&self, lanes: L, weights: &[f64], at: (&Matrix, usize), sums: &mut [f64]) {
        sums.fill(0.0);
        let first = self.rows.rows() - sums.len();
        for (u, used) in self.used.iter().enumerate() {
            add_gaps(lanes, used.gap, &self.rows.col(u)[first..], (at.0.at(at.1, u), weights[u]), sums);
        }
    }
}

/// The coordinates that matter, one matrix column per used column.
fn places(used: &[Used], rows: &Points) -> Matrix {
    Matrix::from_fn(rows.len(), used.len(), |i, u| rows.row(i).x()[used[u].column])
}

/// sums += weight·gap(rows, at). One loop per gap: the choice is made once per column, not once per entry.
#[inline(always)]
fn add_gaps<L: Lanes>(lanes: L, gap: Gap, rows: &[f64], (at, weight): (f64, f64), sums: &mut [f64]) {
    let (at, weight) = (Numbers::splat(lanes, at), Numbers::splat(lanes, weight));
    match gap {
        Gap::Square => zip_update(
            lanes,
            sums,
            rows,
            #[inline(always)]
            |s, x| ((x - at) * weight).times_plus(x - at, s),
        ),
        Gap::Absolute => zip_update(
            lanes,
            sums,
            rows,
            #[inline(always)]
            |s, x| (x - at).abs().times_plus(weight, s),
        ),
        Gap::Differs => zip_update(
            lanes,
            sums,
            rows,
            #[inline(always)]
            |s, x| x.differs(at).times_plus(weight, s),
        ),
    }
}

/// Σ tᵢ·gap(rowsᵢ, at).
#[inline(always)]
fn sum_gaps<L: Lanes>(lanes: L, gap: Gap, rows: &[f64], at: f64, t: &[f64]) -> f64 {
    let at = Numbers::splat(lanes, at);
    match gap {
        Gap::Square => weighted_sum(
            lanes,
            t,
            rows,
            #[inline(always)]
            |x| (x - at) * (x - at),
        ),
        Gap::Absolute => weighted_sum(
            lanes,
            t,
            rows,
            #[inline(always)]
            |x| (x - at).abs(),
        ),
        Gap::Differs => weighted_sum(
            lanes,
            t,
            rows,
            #[inline(always)]
            |x| x.differs(at),
        ),
    }
}

impl<P: Profile> Batch for StationaryBatch<P> {
    fn len(&self) -> usize {
        self.rows.rows()
    }

    fn touches(&self, hyper: usize) -> bool {
        self.used.iter().any(|used| used.hyper == hyper)
    }

    fn gram(&self, theta: &[f64], out: &mut Matrix) {
        dispatch(Gram { batch: self, weights: &self.weights(theta), out });
    }

    fn cross(&self, theta: &[f64], at: &Points, out: &mut Matrix) {
        out.reshape(self.len(), at.len());
        dispatch(Cross { batch: self, weights: &self.weights(theta), at: &places(&self.used, at), out });
    }

    fn hold(&self, theta: &[f64], hyper: usize, held: &mut Held) {
        let pairs = self.len() * self.len().saturating_sub(1) / 2;
        held.hyper = hyper;
        held.others.resize(pairs, 0.0);
        held.own.resize(pairs, 0.0);
        // The held column keeps a weight of one in `own` and of zero in `others`.
        let share = |is_own: bool| -> Vec<f64> {
            let weight = |used: &Used| match (used.hyper == hyper, is_own) {
                (true, true) => 1.0,
                (false, false) => weight::<P>(theta[used.hyper]),
                _ => 0.0,
            };
            self.used.iter().map(weight).collect()
        };
        dispatch(Sums { batch: self, weights: &share(false), out: &mut held.others });
        dispatch(Sums { batch: self, weights: &share(true), out: &mut held.own });
    }

    fn gram_held(&self, held: &mut Held, value: f64, out: &mut Matrix) {
        let weight = weight::<P>(value);
        dispatch(HeldGram { held, weight, out, profile: PhantomData::<P> });
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

struct Gram<'a, P> {
    batch: &'a StationaryBatch<P>,
    weights: &'a [f64],
    out: &'a mut Matrix,
}

impl<P: Profile> LaneWork for Gram<'_, P> {
    type Output = ();
    #[inline(always)]
    fn with_simd<L: Lanes>(self, lanes: L) {
        for j in 0..self.batch.rows.rows() {
            let column = &mut self.out.col_mut(j)[j..];
            self.batch.sums(lanes, self.weights, (&self.batch.rows, j), column);
            update(
                lanes,
                column,
                #[inline(always)]
                |sum| P::lanes(sum),
            );
        }
    }
}

struct Cross<'a, P> {
    batch: &'a StationaryBatch<P>,
    weights: &'a [f64],
    at: &'a Matrix,
    out: &'a mut Matrix,
}

impl<P: Profile> LaneWork for Cross<'_, P> {
    type Output = ();
    #[inline(always)]
    fn with_simd<L: Lanes>(self, lanes: L) {
        for j in 0..self.at.rows() {
            let column = self.out.col_mut(j);
            self.batch.sums(lanes, self.weights, (self.at, j), column);
            update(
                lanes,
                column,
                #[inline(always)]
                |sum| P::lanes(sum),
            );
        }
    }
}

/// Sums of the pairs below the diagonal, column after column without gaps.
struct Sums<'a, P> {
    batch: &'a StationaryBatch<P>,
    weights: &'a [f64],
    out: &'a mut [f64],
}

impl<P: Profile> LaneWork for Sums<'_, P> {
    type Output = ();
    #[inline(always)]
    fn with_simd<L: Lanes>(self, lanes: L) {
        let size = self.batch.rows.rows();
        let mut rest = self.out;
        for j in 0..size {
            let (column, after) = rest.split_at_mut(size - j - 1);
            self.batch.sums(lanes, self.weights, (&self.batch.rows, j), column);
            rest = after;
        }
    }
}

struct HeldGram<'a, P> {
    held: &'a Held,
    weight: f64,
    out: &'a mut Matrix,
    profile: PhantomData<P>,
}

impl<P: Profile> LaneWork for HeldGram<'_, P> {
    type Output = ();
    #[inline(always)]
    fn with_simd<L: Lanes>(self, lanes: L) {
        let (size, weight) = (self.out.rows(), Numbers::splat(lanes, self.weight));
        let (mut others, mut own) = (&self.held.others[..], &self.held.own[..]);
        for j in 0..size {
            let column = &mut self.out.col_mut(j)[j..];
            column[0] = P::at(0.0);
            let below = size - j - 1;
            combine(
                lanes,
                &mut column[1..],
                (&others[..below], &own[..below]),
                #[inline(always)]
                |others, own| P::lanes(own.times_plus(weight, others)),
            );
            (others, own) = (&others[below..], &own[below..]);
        }
    }
}

struct Contraction<'a, P> {
    batch: &'a StationaryBatch<P>,
    weights: &'a [f64],
    pairs: &'a Matrix,
    gradient: &'a mut [f64],
}

impl<P: Profile> LaneWork for Contraction<'_, P> {
    type Output = ();
    #[inline(always)]
    fn with_simd<L: Lanes>(self, lanes: L) {
        let (batch, size) = (self.batch, self.batch.rows.rows());
        let mut buffer = vec![0.0; size];
        for j in 0..size {
            let t = &mut buffer[j + 1..];
            batch.sums(lanes, self.weights, (&batch.rows, j), t);
            zip_update(
                lanes,
                t,
                &self.pairs.col(j)[j + 1..],
                #[inline(always)]
                |sum, pair| P::slope(sum) * pair,
            );
            for (u, used) in batch.used.iter().enumerate() {
                let sum = sum_gaps(lanes, used.gap, &batch.rows.col(u)[j + 1..], batch.rows.at(j, u), t);
                // Twice: the pair above the diagonal counts as well.
                self.gradient[used.hyper] += 2.0 * P::POWER * self.weights[u] * sum;
            }
        }
    }
}

/// profile'(s) between all rows and one place.
struct SlopesAt<'a, P> {
    batch: &'a StationaryBatch<P>,
    weights: &'a [f64],
    at: &'a Matrix,
    out: &'a mut [f64],
}

impl<P: Profile> LaneWork for SlopesAt<'_, P> {
    type Output = ();
    #[inline(always)]
    fn with_simd<L: Lanes>(self, lanes: L) {
        self.batch.sums(lanes, self.weights, (self.at, 0), self.out);
        update(
            lanes,
            self.out,
            #[inline(always)]
            |sum| P::slope(sum),
        );
    }
}
