//! The common part of four stationary kernels: a function of a weighted sum of distances.
//!
//! k(a, b) = profile(s),  s = Σⱼ wⱼ·gapⱼ(aⱼ, bⱼ),  wⱼ = e^{p·θⱼ}
//!
//! The gap of a number is Δ² or |Δ|, that of a category is 1[a ≠ b]: one-hot vectors at distance
//! one, so every such kernel stays positive semi-definite. Derivatives:
//! ∂k/∂θⱼ = profile'(s)·p·wⱼ·gapⱼ, ∂k/∂xⱼ = profile'(s)·wⱼ·∂gapⱼ. A matrix costs O(n²·d); moving
//! one θⱼ with the other gaps cached costs O(n²). Distances are computed from differences, so equal
//! points give exactly one.
mod batch;
mod rows;
mod work;

use super::{Categories, Kernel, KernelBatch, KernelContext, KernelScope};
use crate::hyper::{Hyper, Update};
use crate::linalg::{Lanes, Numbers};
use arbora_space::{Column, ColumnKind, Point, Points};
use rows::{StationaryBatch, Used};
use std::marker::PhantomData;

/// The distance between two coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// Δ².
    Square,
    /// |Δ|.
    Absolute,
    /// 1[a ≠ b].
    Differs,
}

impl Gap {
    fn between(self, a: f64, b: f64) -> f64 {
        match self {
            Gap::Square => (a - b) * (a - b),
            Gap::Absolute => (a - b).abs(),
            Gap::Differs => f64::from(a != b),
        }
    }

    /// ∂gap/∂a; zero where it is not differentiable.
    fn slope(self, a: f64, b: f64) -> f64 {
        match self {
            Gap::Square => 2.0 * (a - b),
            Gap::Absolute if a == b => 0.0,
            Gap::Absolute => (a - b).signum(),
            Gap::Differs => 0.0,
        }
    }
}

/// What distinguishes one stationary kernel from another. To add your own, implement this for a
/// struct of settings and build it as a [`Stationary`], which provides matrices, gradients and
/// moving a single hyper.
///
/// ```
/// use arbora_model::kernel::{Categories, Gap, Kernel, KernelContext, Profile, Stationary};
/// use arbora_model::linalg::{Lanes, Numbers};
/// use arbora_model::HyperSpec;
///
/// /// Matérn of smoothness 3/2: (1 + √3·r)·exp(−√3·r), r² = s.
/// struct Matern32;
///
/// impl Profile for Matern32 {
///     const GAP: Gap = Gap::Square;
///     const POWER: f64 = -2.0;
///     const HYPER: &'static str = "length";
///
///     fn at(sum: f64) -> f64 {
///         let root = (3.0 * sum).sqrt();
///         (1.0 + root) * (-root).exp()
///     }
///
///     fn lanes<L: Lanes>(sum: Numbers<L>) -> Numbers<L> {
///         let root = (sum * 3.0).sqrt();
///         (root + 1.0) * (-root).exp()
///     }
///
///     fn slope<L: Lanes>(sum: Numbers<L>) -> Numbers<L> {
///         (-(sum * 3.0).sqrt()).exp() * -1.5
///     }
/// }
///
/// # let layout = arbora_space::Layout { columns: vec![] };
/// let kernel = Stationary::<Matern32>::new(&KernelContext::new(&layout, &HyperSpec::length()), Categories::Label);
/// assert!(kernel.is_definite());
/// ```
pub trait Profile: Send + Sync + 'static {
    /// The distance between numbers.
    const GAP: Gap;
    /// p of wⱼ = e^{p·θⱼ}.
    const POWER: f64;
    /// The name of θⱼ.
    const HYPER: &'static str;
    /// Ignore numbers: the kernel compares categories only.
    const CATEGORIES_ONLY: bool = false;

    /// profile(s) for one value; defines the kernel.
    fn at(sum: f64) -> f64;
    /// profile(s) for many values.
    fn lanes<L: Lanes>(sum: Numbers<L>) -> Numbers<L>;
    /// profile'(s) for many values.
    fn slope<L: Lanes>(sum: Numbers<L>) -> Numbers<L>;
}

/// e^{p·θ}.
fn weight<P: Profile>(theta: f64) -> f64 {
    libm::exp(P::POWER * theta)
}

/// A column that is compared, and how. Its index in the list is its index in θ.
#[derive(Clone, Copy, Debug)]
struct ComparedColumn {
    column: usize,
    gap: Gap,
}

/// The kernel with this profile over the columns of a layout.
pub struct Stationary<P> {
    compared: Vec<ComparedColumn>,
    hypers: Vec<Hyper>,
    scope: KernelScope,
    profile: PhantomData<P>,
}

impl<P: Profile> Stationary<P> {
    /// Over the columns that vary, each with its own length-scale.
    pub fn new(context: &KernelContext<'_>, categories: Categories) -> Self {
        let &KernelContext { layout, scale, scope, .. } = context;
        let gap = |column: usize| Self::gap(&layout.columns[column], scope, categories);
        let compared: Vec<ComparedColumn> = layout
            .varying()
            .filter_map(|column| gap(column).map(|gap| ComparedColumn { column, gap }))
            .collect();
        let all = compared.len();
        let hyper = |compared: &ComparedColumn| {
            let column = &layout.columns[compared.column];
            let scale = scale.for_dimensions(Self::crowd(column, scope, all));
            scale.hyper(format!("{}:{}", P::HYPER, column.name), Update::Single)
        };
        let hypers = compared.iter().map(hyper).collect();
        Self { compared, hypers, scope, profile: PhantomData }
    }

    /// How many columns are compared together with this one: all, or those of its widest branch.
    fn crowd(column: &Column, scope: KernelScope, all: usize) -> usize {
        match (scope, column.place.beside) {
            (KernelScope::Everywhere, _) | (_, 0) => all,
            (KernelScope::InsideBranch, beside) => beside.min(all),
        }
    }

    /// How this column is compared; `None` if it is ignored.
    fn gap(column: &Column, scope: KernelScope, categories: Categories) -> Option<Gap> {
        let is_label = matches!(column.kind, ColumnKind::Categories(_));
        let is_constant_in_branch = scope == KernelScope::InsideBranch && column.is_decider && is_label;
        if is_constant_in_branch || (P::CATEGORIES_ONLY && !is_label) {
            return None;
        }
        Some(if is_label && categories == Categories::Label { Gap::Differs } else { P::GAP })
    }

    fn takes_part(&self, column: usize, rows: &Points) -> bool {
        self.scope == KernelScope::Everywhere || (!rows.is_empty() && rows.row(0).active().is_active(column))
    }
}

impl<P: Profile> Kernel for Stationary<P> {
    fn hypers(&self) -> &[Hyper] {
        &self.hypers
    }

    fn cov(&self, theta: &[f64], a: Point<'_>, b: Point<'_>) -> f64 {
        let shares = self.compared.iter().zip(theta).map(|(compared, theta)| {
            let column = compared.column;
            let is_compared = self.scope == KernelScope::Everywhere || a.active().is_active(column);
            let gap = compared.gap.between(a.x()[column], b.x()[column]);
            if is_compared { weight::<P>(*theta) * gap } else { 0.0 }
        });
        P::at(shares.sum())
    }

    fn diagonal(&self, _theta: &[f64], _at: &Points, out: &mut [f64]) {
        out.fill(P::at(0.0));
    }

    fn batch(&self, rows: &Points) -> Box<dyn KernelBatch> {
        let used =
            self.compared.iter().enumerate().filter(|(_, compared)| self.takes_part(compared.column, rows));
        let used: Vec<Used> = used
            .map(|(hyper, compared)| Used { hyper, column: compared.column, gap: compared.gap })
            .collect();
        Box::new(StationaryBatch::<P>::new(used, rows))
    }
}
