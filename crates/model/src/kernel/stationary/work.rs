//! The loops behind a stationary kernel's matrices, each compiled once per profile and instruction
//! set.
use super::rows::StationaryBatch;
use super::{Gap, Profile};
use crate::kernel::PartialGram;
use crate::linalg::{
    LaneWork, Lanes, Matrix, Numbers, block_width, combine, load_block, store_block, update, weighted_sum,
    zip_update,
};
use std::marker::PhantomData;

impl<P: Profile> StationaryBatch<P> {
    /// sums ← Σ weight·gap between the last rows, as many as there are sums, and row `j` of `at`.
    ///
    /// Blocks of rows keep their sums in registers over all columns. The last block overlaps the
    /// one before it, which is cheaper than a remainder loop; fewer rows than a block go column by
    /// column.
    #[inline(always)]
    fn sums<L: Lanes>(&self, lanes: L, weights: &[f64], at: (&Matrix, usize), sums: &mut [f64]) {
        let (first, width) = (self.rows.rows() - sums.len(), block_width::<L>());
        let Some(last) = sums.len().checked_sub(width) else {
            sums.fill(0.0);
            for (u, gap) in self.weighed(weights) {
                add_gaps(lanes, gap, &self.rows.col(u)[first..], (at.0.at(at.1, u), weights[u]), sums);
            }
            return;
        };
        for start in (0..last).step_by(width).chain([last]) {
            let mut block = [Numbers::splat(lanes, 0.0); 4];
            for (u, gap) in self.weighed(weights) {
                let rows = load_block(lanes, &self.rows.col(u)[first + start..]);
                add_block(lanes, gap, rows, (at.0.at(at.1, u), weights[u]), &mut block);
            }
            store_block(block, &mut sums[start..]);
        }
    }

    /// The columns with a nonzero weight.
    #[inline(always)]
    fn weighed(&self, weights: &[f64]) -> impl Iterator<Item = (usize, Gap)> {
        let used = self.used.iter().enumerate().map(|(u, used)| (u, used.gap));
        used.filter(move |&(u, _)| weights[u] > 0.0)
    }
}

/// sums += weight·gap(rows, at) for a block of rows.
#[inline(always)]
fn add_block<L: Lanes>(
    lanes: L,
    gap: Gap,
    rows: [Numbers<L>; 4],
    (at, weight): (f64, f64),
    sums: &mut [Numbers<L>; 4],
) {
    let (at, weight) = (Numbers::splat(lanes, at), Numbers::splat(lanes, weight));
    for (sum, x) in sums.iter_mut().zip(rows) {
        *sum = match gap {
            Gap::Square => ((x - at) * weight).times_plus(x - at, *sum),
            Gap::Absolute => (x - at).abs().times_plus(weight, *sum),
            Gap::Differs => x.differs(at).times_plus(weight, *sum),
        };
    }
}

/// sums += weight·gap(rows, at). One loop per gap, so that it is selected once per column, not per
/// entry.
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

pub(super) struct Gram<'a, P> {
    pub(super) batch: &'a StationaryBatch<P>,
    pub(super) weights: &'a [f64],
    pub(super) out: &'a mut Matrix,
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

pub(super) struct Cross<'a, P> {
    pub(super) batch: &'a StationaryBatch<P>,
    pub(super) weights: &'a [f64],
    pub(super) at: &'a Matrix,
    pub(super) out: &'a mut Matrix,
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

/// Sums of the pairs below the diagonal, packed column by column.
pub(super) struct Sums<'a, P> {
    pub(super) batch: &'a StationaryBatch<P>,
    pub(super) weights: &'a [f64],
    pub(super) out: &'a mut [f64],
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

pub(super) struct MovedGram<'a, P> {
    pub(super) partial: &'a PartialGram,
    pub(super) weight: f64,
    pub(super) out: &'a mut Matrix,
    pub(super) profile: PhantomData<P>,
}

impl<P: Profile> LaneWork for MovedGram<'_, P> {
    type Output = ();
    #[inline(always)]
    fn with_simd<L: Lanes>(self, lanes: L) {
        let (size, weight) = (self.out.rows(), Numbers::splat(lanes, self.weight));
        let (mut others, mut own) = (&self.partial.others[..], &self.partial.own[..]);
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

pub(super) struct Contraction<'a, P> {
    pub(super) batch: &'a StationaryBatch<P>,
    pub(super) weights: &'a [f64],
    pub(super) pairs: &'a Matrix,
    pub(super) gradient: &'a mut [f64],
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
                // Twice, for the pair above the diagonal.
                self.gradient[used.hyper] += 2.0 * P::POWER * self.weights[u] * sum;
            }
        }
    }
}

/// profile'(s) between all rows and one point.
pub(super) struct SlopesAt<'a, P> {
    pub(super) batch: &'a StationaryBatch<P>,
    pub(super) weights: &'a [f64],
    pub(super) at: &'a Matrix,
    pub(super) out: &'a mut [f64],
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
