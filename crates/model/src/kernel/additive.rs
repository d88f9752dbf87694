//! Sums of kernels, where each term compares points that share some part of the tree of decisions.
//!
//! k(a, b) = Σₜ wₜ·1[a and b share t]·kₜ(a, b)
//!
//! Sharing t is an equivalence among the points that reach t, so every term is positive
//! semi-definite (a kernel times the indicator of a partition, zero elsewhere) and so is the sum.
//! k(x, x) is the sum of the weights on the path of x. A matrix costs O(Σₜ mₜ²·dₜ), where mₜ is the
//! number of rows that reach t; moving one hyper costs its own term only. The kernels of this
//! family differ only in their terms: `hierarchical`, `add_tree`, `marginal`.
mod add_tree;
mod batch;
mod hierarchical;
mod linear;
mod marginal;
mod shared_path;

use super::{Kernel, KernelBatch, KernelScope};
use crate::hyper::{Hyper, Update};
use crate::hyper_spec::HyperSpec;
use crate::prior::HyperPrior;
pub use add_tree::AddTreeSpec;
use arbora_space::{Layout, Point, Points};
use batch::{AdditiveBatch, Part};
pub use hierarchical::AdditiveSpec;
pub use marginal::{MarginalSpec, Shared};
pub(crate) use marginal::{OFFSET, is_shared};
pub(crate) use shared_path::{DecisionNode, SharedPath};

/// Builds the kernel over the varying columns of a layout.
pub(crate) type Inner<'a, E> = &'a dyn Fn(&Layout, KernelScope) -> Result<Box<dyn Kernel>, E>;

/// One term.
pub(crate) struct Term {
    pub(crate) shared: SharedPath,
    /// The name of its weight; a term without one has weight one.
    pub(crate) weight: Option<String>,
    pub(crate) kernel: Box<dyn Kernel>,
}

/// A term and its indices in θ.
struct Placed {
    shared: SharedPath,
    weight: Option<usize>,
    first: usize,
    kernel: Box<dyn Kernel>,
}

/// A sum of terms.
pub(crate) struct Additive {
    terms: Vec<Placed>,
    hypers: Vec<Hyper>,
    has_slopes: bool,
}

/// Prior of a weight, the variance of a term as a fraction of the whole: ln w ~ N(−ln 2, 1), since
/// two terms on a path are the common case.
pub(crate) fn share() -> HyperSpec {
    let prior = HyperPrior::LogNormal { mu: -std::f64::consts::LN_2, sigma: 1.0 };
    HyperSpec { prior, low: 1e-4, high: 1e2, start: 0.5 }
}

impl Additive {
    pub(crate) fn new(terms: Vec<Term>) -> Self {
        let mut hypers = Vec::new();
        let place = |term: Term| {
            let weight = term.weight.map(|name| {
                hypers.push(share().hyper(name, Update::Single));
                hypers.len() - 1
            });
            let first = hypers.len();
            hypers.extend_from_slice(term.kernel.hypers());
            Placed { shared: term.shared, weight, first, kernel: term.kernel }
        };
        let terms: Vec<Placed> = terms.into_iter().map(place).collect();
        let nothing = Points::new(0);
        let has_slopes = terms.iter().all(|term| term.kernel.batch(&nothing).slopes().is_some());
        Self { terms, hypers, has_slopes }
    }
}

impl Placed {
    fn weight(&self, theta: &[f64]) -> f64 {
        self.weight.map_or(1.0, |at| libm::exp(theta[at]))
    }

    fn theta<'t>(&self, theta: &'t [f64]) -> &'t [f64] {
        &theta[self.first..self.first + self.kernel.hypers().len()]
    }
}

impl Kernel for Additive {
    fn hypers(&self) -> &[Hyper] {
        &self.hypers
    }

    fn cov(&self, theta: &[f64], a: Point<'_>, b: Point<'_>) -> f64 {
        let term = |term: &Placed| match (term.shared.key(a), term.shared.key(b)) {
            (Some(here), Some(there)) if here == there => {
                term.weight(theta) * term.kernel.cov(term.theta(theta), a, b)
            }
            _ => 0.0,
        };
        self.terms.iter().map(term).sum()
    }

    fn diagonal(&self, theta: &[f64], at: &Points, out: &mut [f64]) {
        out.fill(0.0);
        for term in &self.terms {
            let rows: Vec<usize> = (0..at.len()).filter(|&i| term.shared.key(at.row(i)).is_some()).collect();
            let mut own = vec![0.0; rows.len()];
            term.kernel.diagonal(term.theta(theta), &at.select(&rows), &mut own);
            let weight = term.weight(theta);
            rows.iter().zip(own).for_each(|(&row, own)| out[row] += weight * own);
        }
    }

    fn batch(&self, rows: &Points) -> Box<dyn KernelBatch> {
        let part = |term: &Placed| Part {
            weight: term.weight,
            hypers: term.first..term.first + term.kernel.hypers().len(),
            blocks: term.shared.blocks(rows, |points| term.kernel.batch(points)),
            shared: term.shared.clone(),
        };
        let parts = self.terms.iter().map(part).collect();
        Box::new(AdditiveBatch { size: rows.len(), parts, has_slopes: self.has_slopes })
    }
}

/// The same columns with all but some of them fixed, so that a kernel compares only those.
pub(crate) fn kept(layout: &Layout, is_kept: impl Fn(usize) -> bool) -> Layout {
    let mut kept = layout.clone();
    for (i, column) in kept.columns.iter_mut().enumerate() {
        column.is_fixed |= !is_kept(i);
    }
    kept
}
