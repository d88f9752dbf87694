//! Kernels: how similar are two points? One file per kernel.
//!
//! A kernel is a pure function of θ and two points, with unit variance unless documented otherwise:
//! amplitude, noise and mean belong to the process that uses it. [`Kernel::cov`] defines the
//! kernel; a [`KernelBatch`] computes whole matrices with the same entries. Laws: symmetric;
//! positive semi-definite if `is_definite`; k(a, b) = k(a, a) for equal points; the order of rows
//! does not matter; batch equals `cov`; derivatives equal central differences. A kernel that
//! couples [`Coupling::SameBranch`] is exactly zero across branches and ignores inactive
//! coordinates.
mod additive;
mod by_entry;
mod conditional;
mod context;
mod hamming;
mod laplace;
mod matern52;
mod se;
mod stationary;
#[cfg(test)]
mod tests;
mod warped;

pub use additive::{AddTreeSpec, AdditiveSpec, MarginalSpec, Shared};
pub(crate) use additive::{DecisionNode, OFFSET, SharedPath, is_shared, kept};
pub use by_entry::ByEntry;
pub(crate) use conditional::Conditional;
pub use conditional::ConditionalSpec;
pub use context::{Basis, ContextSpec};
pub use hamming::Hamming;
pub use laplace::Laplace;
pub use matern52::Matern52;
pub use se::SquaredExponential;
pub use stationary::{Gap, Profile, Stationary};
pub use warped::WarpedSpec;

use crate::component::{Component, Family, Kind, Kinds, Spec};
use crate::error::SpecError;
use crate::hyper::Hyper;
use crate::hyper_spec::HyperSpec;
use crate::linalg::Matrix;
use arbora_space::{Layout, Point, Points};
use serde::{Deserialize, Serialize};

/// Which pairs of points can be correlated at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coupling {
    /// Any two points.
    Everywhere,
    /// Only points of one branch: the covariance across branches is exactly zero.
    SameBranch,
}

/// Which points a kernel compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KernelScope {
    /// All points: inactive coordinates take part with their imputed values.
    Everywhere,
    /// Points of one branch: only active coordinates, without those that are constant in a branch.
    InsideBranch,
}

/// How categories are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Categories {
    /// Equal or not: one-hot vectors at distance one.
    #[default]
    Label,
    /// By their position, as if they were numbers, as in the first papers.
    Index,
}

/// A covariance function of unit amplitude.
pub trait Kernel: Send + Sync {
    /// Its hyperparameters, in the order of θ.
    fn hypers(&self) -> &[Hyper];

    /// k(a, b) at θ.
    fn cov(&self, theta: &[f64], a: Point<'_>, b: Point<'_>) -> f64;

    /// Which pairs can be correlated.
    fn coupling(&self) -> Coupling {
        Coupling::Everywhere
    }

    /// Is every matrix positive semi-definite? If not, the surrogate must correct them.
    fn is_definite(&self) -> bool {
        true
    }

    /// k(x, x) for every row.
    fn diagonal(&self, theta: &[f64], at: &Points, out: &mut [f64]) {
        for (i, out) in out.iter_mut().enumerate() {
            *out = self.cov(theta, at.row(i), at.row(i));
        }
    }

    /// Prepares rows for matrix computations. All rows can be correlated: they share a branch if
    /// the coupling requires it.
    fn batch(&self, rows: &Points) -> Box<dyn KernelBatch>;
}

/// A kernel as data: `"matern52"`, or `{ kind = "conditional", inner = "laplace" }`.
pub type KernelSpec = Spec<dyn Kernel>;

static KINDS: Kinds<dyn Kernel> = Kinds::new(BUILT_IN);
const BUILT_IN: &[Kind<dyn Kernel>] = &[
    Kind::of::<SquaredExponential>(),
    Kind::of::<Matern52>(),
    Kind::of::<Laplace>(),
    Kind::of::<Hamming>(),
    Kind::of::<ConditionalSpec>(),
    Kind::of::<AddTreeSpec>(),
    Kind::of::<AdditiveSpec>(),
    Kind::of::<ContextSpec>(),
    Kind::of::<WarpedSpec>(),
    Kind::of::<MarginalSpec>(),
];

impl Family for dyn Kernel {
    const NAME: &'static str = "kernel";
    type Context<'a> = KernelContext<'a>;
    type Error = SpecError;
    type Facts<'a> = ();

    fn kinds() -> &'static Kinds<Self> {
        &KINDS
    }

    fn standard() -> Spec<Self> {
        Spec::new(ConditionalSpec { inner: plain() })
    }
}

/// The default kernel inside another one.
pub(crate) fn plain() -> KernelSpec {
    Spec::new(Matern52::default())
}

/// What a kernel is built from.
#[derive(Clone, Copy, Debug)]
pub struct KernelContext<'a> {
    /// The columns to compare.
    pub layout: &'a Layout,
    /// Prior, range and start of its length-scales.
    pub scale: &'a HyperSpec,
    /// Which points it compares.
    pub scope: KernelScope,
    /// The kernel or surrogate around it, if that one already handles branches.
    pub outer: Option<&'static str>,
}

impl<'a> KernelContext<'a> {
    /// For a kernel on its own.
    pub fn new(layout: &'a Layout, scale: &'a HyperSpec) -> Self {
        Self { layout, scale, scope: KernelScope::Everywhere, outer: None }
    }

    /// For a kernel that compares some columns on behalf of a kernel or surrogate that handles
    /// branches.
    #[must_use]
    pub fn inside<'b>(&self, outer: &'static str, layout: &'b Layout, scope: KernelScope) -> KernelContext<'b>
    where
        'a: 'b,
    {
        KernelContext { layout, scale: self.scale, scope, outer: Some(outer) }
    }

    /// Fails if this kernel is part of one that handles branches. Called by kernels that handle
    /// branches themselves.
    pub fn expect_alone(&self) -> Result<(), SpecError> {
        self.outer.map_or(Ok(()), |outer| Err(SpecError::NestedTree { outer }))
    }
}

/// Rows prepared for matrix computations: one call per matrix instead of one per entry.
pub trait KernelBatch: Send + Sync {
    /// Number of rows.
    fn len(&self) -> usize;

    /// True if there are no rows.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Can this hyper change an entry? `true` may be conservative; `false` must be correct.
    fn depends_on(&self, hyper: usize) -> bool;

    /// The matrix of the rows: the lower triangle with diagonal. `out` already has the shape n×n.
    fn gram(&self, theta: &[f64], out: &mut Matrix);

    /// The n×m matrix between the rows and other points that can be correlated with them.
    fn cross(&self, theta: &[f64], at: &Points, out: &mut Matrix);

    /// Prepares for moving one hyper while the others stay at θ.
    fn prepare_hyper(&self, theta: &[f64], hyper: usize, partial: &mut PartialGram) {
        partial.theta.clear();
        partial.theta.extend_from_slice(theta);
        partial.hyper = hyper;
    }

    /// The matrix of the rows with the prepared hyper at a new value: the lower triangle with
    /// diagonal.
    fn gram_moved(&self, partial: &mut PartialGram, value: f64, out: &mut Matrix) {
        partial.theta[partial.hyper] = value;
        self.gram(&partial.theta, out);
    }

    /// Its gradients, if the kernel has them.
    fn slopes(&self) -> Option<&dyn Slopes> {
        None
    }
}

/// Gradients of whole matrices.
pub trait Slopes {
    /// `gradient[h]` += Σᵢⱼ Wᵢⱼ·∂kᵢⱼ/∂θₕ over all pairs; W is symmetric and given as its lower
    /// triangle with diagonal.
    fn by_theta(&self, theta: &[f64], weights: &Matrix, gradient: &mut [f64]);

    /// ∂k(rowᵢ, x)/∂x_c for some columns c, as an n×c matrix. Zero in columns without a derivative.
    fn by_place(&self, theta: &[f64], at: Point<'_>, columns: &[usize], out: &mut Matrix);

    /// ∂k(x, x)/∂x_c: zero unless the kernel's variance depends on x.
    fn diagonal_by_place(&self, _theta: &[f64], _at: Point<'_>, _columns: &[usize], out: &mut [f64]) {
        out.fill(0.0);
    }
}

/// What a batch caches while one hyper moves; its memory is reused.
#[derive(Clone, Debug, Default)]
pub struct PartialGram {
    /// θ; the coordinate of the moving hyper may have changed since.
    pub theta: Vec<f64>,
    /// The hyper that moves.
    pub hyper: usize,
    /// For the kernel to use: the contribution of the other hypers, pair by pair.
    pub others: Vec<f64>,
    /// For the kernel to use: the factor of the moving hyper, pair by pair.
    pub own: Vec<f64>,
}
