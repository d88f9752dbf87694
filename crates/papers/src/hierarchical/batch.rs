//! Matrices of a hierarchical kernel.
use super::features::RowFeatures;
use super::term_derivative::TermDerivative;
use super::{Dimensions, Dual, Places};
use arbora_model::kernel::{KernelBatch, PartialGram, Profile, Slopes};
use arbora_model::linalg::{LaneWork, Lanes, Matrix, dispatch, update, weighted_sum, zip_update};
use arbora_space::{Point, Points};
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

/// Rows as values, column by column.
pub(super) struct HierarchicalBatch<P> {
    dimensions: Arc<Dimensions>,
    places: Places,
    len: usize,
    profile: PhantomData<P>,
}

impl<P: Profile> HierarchicalBatch<P> {
    pub(super) fn new(dimensions: Arc<Dimensions>, rows: &Points) -> Self {
        let places = places(&dimensions, rows);
        Self { dimensions, places, len: rows.len(), profile: PhantomData }
    }

    /// The column that a hyper belongs to.
    fn owner(&self, hyper: usize) -> usize {
        let owns = |dimension: &super::Dimension| dimension.hypers.contains(&hyper);
        self.dimensions.list.iter().position(owns).expect("every hyper belongs to a column")
    }

    fn features(&self, theta: &[f64]) -> RowFeatures {
        RowFeatures::new(&self.dimensions, theta, &self.places, self.len)
    }
}

fn places(dimensions: &Dimensions, rows: &Points) -> Places {
    let of = |dimension: &super::Dimension| rows.iter().map(|row| dimension.place(row)).collect();
    dimensions.list.iter().map(of).collect()
}

impl<P: Profile> KernelBatch for HierarchicalBatch<P> {
    fn len(&self) -> usize {
        self.len
    }

    fn depends_on(&self, hyper: usize) -> bool {
        self.places[self.owner(hyper)].windows(2).any(|pair| pair[0] != pair[1])
    }

    fn gram(&self, theta: &[f64], out: &mut Matrix) {
        let features = self.features(theta);
        let terms = 0..self.dimensions.terms();
        dispatch(Gram { features: &features, terms, others: None, out, profile: self.profile });
    }

    fn cross(&self, theta: &[f64], at: &Points, out: &mut Matrix) {
        out.reshape(self.len, at.len());
        let (features, terms) = (self.features(theta), self.dimensions.terms());
        let at = RowFeatures::new(&self.dimensions, theta, &places(&self.dimensions, at), at.len());
        dispatch(Cross { features: &features, at: &at, terms, out, profile: self.profile });
    }

    fn prepare_hyper(&self, theta: &[f64], hyper: usize, partial: &mut PartialGram) {
        partial.hyper = hyper;
        partial.theta.clear();
        partial.theta.extend_from_slice(theta);
        partial.others.resize(self.len * self.len.saturating_sub(1) / 2, 0.0);
        partial.others.fill(0.0);
        let own = self.dimensions.list[self.owner(hyper)].terms.clone();
        let features = self.features(theta);
        for terms in [0..own.start, own.end..self.dimensions.terms()] {
            dispatch(Sums { features: &features, terms, out: &mut partial.others, size: self.len });
        }
    }

    fn gram_moved(&self, partial: &mut PartialGram, value: f64, out: &mut Matrix) {
        partial.theta[partial.hyper] = value;
        let owner = self.owner(partial.hyper);
        let (owner, places) = (&self.dimensions.list[owner], &self.places[owner]);
        // Only the terms of this column are used.
        let mut features = RowFeatures::zeros(self.len, self.dimensions.terms());
        features.compute(&self.dimensions, owner, &partial.theta, places);
        let (terms, others) = (owner.terms.clone(), Some(&partial.others[..]));
        dispatch(Gram { features: &features, terms, others, out, profile: self.profile });
    }

    fn slopes(&self) -> Option<&dyn Slopes> {
        Some(self)
    }
}

impl<P: Profile> Slopes for HierarchicalBatch<P> {
    fn by_theta(&self, theta: &[f64], weights: &Matrix, gradient: &mut [f64]) {
        let features = self.features(theta);
        let moving = TermDerivative::all(&self.dimensions, theta, &self.places);
        let terms = self.dimensions.terms();
        dispatch(Contraction {
            features: &features,
            moving: &moving,
            terms,
            pairs: weights,
            gradient,
            profile: self.profile,
        });
    }

    fn by_place(&self, theta: &[f64], at: Point<'_>, columns: &[usize], out: &mut Matrix) {
        let features = self.features(theta);
        let mut point = Points::new(at.x().len());
        point.push(at);
        let place = RowFeatures::new(&self.dimensions, theta, &places(&self.dimensions, &point), 1);
        let mut slopes = vec![0.0; self.len];
        let terms = self.dimensions.terms();
        dispatch(SlopesAt {
            features: &features,
            at: &place,
            terms,
            out: &mut slopes,
            profile: self.profile,
        });
        out.reshape(self.len, columns.len());
        for (k, &column) in columns.iter().enumerate() {
            out.col_mut(k).fill(0.0);
            let compared = self.dimensions.list.iter().find(|dimension| dimension.column == column);
            let Some(dimension) = compared else { continue };
            let h = self.dimensions.duals(dimension, theta, None);
            let mut numbers = vec![[Dual::default(); 2]; dimension.terms.len()];
            let moved = dimension.place(at).map(|value| Dual { value, slope: 1.0 });
            dimension.rule.features(&h, moved, &mut numbers);
            for (i, out) in out.col_mut(k).iter_mut().enumerate() {
                *out = slopes[i] * features.slope_at(dimension, i, &numbers);
            }
        }
    }
}

/// The matrix of the rows from some terms, added to what the others contribute.
struct Gram<'a, P> {
    features: &'a RowFeatures,
    terms: Range<usize>,
    others: Option<&'a [f64]>,
    out: &'a mut Matrix,
    profile: PhantomData<P>,
}

impl<P: Profile> LaneWork for Gram<'_, P> {
    type Output = ();
    #[inline(always)]
    fn with_simd<L: Lanes>(self, lanes: L) {
        let size = self.out.rows();
        let mut others = self.others;
        for j in 0..size {
            let column = &mut self.out.col_mut(j)[j..];
            column.fill(0.0);
            if let Some(sums) = others {
                let (own, after) = sums.split_at(size - j - 1);
                column[1..].copy_from_slice(own);
                others = Some(after);
            }
            self.features.add(self.terms.clone(), (self.features, j), column);
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
    features: &'a RowFeatures,
    at: &'a RowFeatures,
    terms: usize,
    out: &'a mut Matrix,
    profile: PhantomData<P>,
}

impl<P: Profile> LaneWork for Cross<'_, P> {
    type Output = ();
    #[inline(always)]
    fn with_simd<L: Lanes>(self, lanes: L) {
        for j in 0..self.out.cols() {
            let column = self.out.col_mut(j);
            column.fill(0.0);
            self.features.add(0..self.terms, (self.at, j), column);
            update(
                lanes,
                column,
                #[inline(always)]
                |sum| P::lanes(sum),
            );
        }
    }
}

/// Adds the sums of some terms over the pairs below the diagonal, packed column by column.
struct Sums<'a> {
    features: &'a RowFeatures,
    terms: Range<usize>,
    out: &'a mut [f64],
    size: usize,
}

impl LaneWork for Sums<'_> {
    type Output = ();
    #[inline(always)]
    fn with_simd<L: Lanes>(self, _lanes: L) {
        let mut rest = self.out;
        for j in 0..self.size {
            let (column, after) = rest.split_at_mut(self.size - j - 1);
            self.features.add(self.terms.clone(), (self.features, j), column);
            rest = after;
        }
    }
}

/// gradient += Σ W∘∂k/∂θ: with t = W·profile'(s), Σ t·(w'·gap + w·gap').
struct Contraction<'a, P> {
    features: &'a RowFeatures,
    moving: &'a [TermDerivative],
    terms: usize,
    pairs: &'a Matrix,
    gradient: &'a mut [f64],
    profile: PhantomData<P>,
}

impl<P: Profile> LaneWork for Contraction<'_, P> {
    type Output = ();
    #[inline(always)]
    fn with_simd<L: Lanes>(self, lanes: L) {
        let size = self.pairs.rows();
        let (mut all, mut work) = (vec![0.0; size], vec![0.0; size]);
        let mut gaps = vec![0.0; self.terms];
        // Gaps matter only if a weight depends on the hyper.
        let is_weighed =
            |term: usize| self.moving.iter().any(|moving| moving.term == term && moving.weight != 0.0);
        let weighed: Vec<usize> = (0..self.terms).filter(|&term| is_weighed(term)).collect();
        for j in 0..size {
            let (t, work) = (&mut all[j + 1..], &mut work[j + 1..]);
            t.fill(0.0);
            self.features.add(0..self.terms, (self.features, j), t);
            zip_update(
                lanes,
                t,
                &self.pairs.col(j)[j + 1..],
                #[inline(always)]
                |sum, pair| P::slope(sum) * pair,
            );
            for &term in &weighed {
                self.features.gaps(term, j, work);
                gaps[term] = weighted_sum(
                    lanes,
                    t,
                    work,
                    #[inline(always)]
                    |x| x,
                );
            }
            for moving in self.moving {
                let mut sum = moving.weight * gaps[moving.term];
                if self.features.slopes(moving, j, work) {
                    sum += weighted_sum(
                        lanes,
                        t,
                        work,
                        #[inline(always)]
                        |x| x,
                    );
                }
                // Twice, for the pair above the diagonal.
                self.gradient[moving.hyper] += 2.0 * sum;
            }
        }
    }
}

/// profile'(s) between all rows and one point.
struct SlopesAt<'a, P> {
    features: &'a RowFeatures,
    at: &'a RowFeatures,
    terms: usize,
    out: &'a mut [f64],
    profile: PhantomData<P>,
}

impl<P: Profile> LaneWork for SlopesAt<'_, P> {
    type Output = ();
    #[inline(always)]
    fn with_simd<L: Lanes>(self, lanes: L) {
        self.features.add(0..self.terms, (self.at, 0), self.out);
        update(
            lanes,
            self.out,
            #[inline(always)]
            |sum| P::slope(sum),
        );
    }
}
