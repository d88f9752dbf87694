//! How alike are two points? One file per kernel.
//!
//! A kernel is a pure function of θ and two points, of unit size unless it says otherwise: amplitude, noise and
//! mean belong to the process that uses it. [`Kernel::cov`] is the law; a [`KernelBatch`] computes whole matrices of
//! the same numbers. Laws: symmetric; positive semi-definite if it says so; equal points are as alike as a point is to itself;
//! the order of rows does not matter; batch equals law; derivatives equal central differences. A kernel that
//! couples [`Coupling::SameBranch`] is exactly zero across branches and blind to inactive coordinates.
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
pub(crate) use additive::{Crossing, Meeting, OFFSET, is_shared, kept};
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

use crate::belief::Belief;
use crate::component::{Component, Family, Kind, Kinds, Spec};
use crate::error::SpecError;
use crate::hyper::Hyper;
use crate::linalg::Matrix;
use arbora_space::{Layout, Point, Points};
use serde::{Deserialize, Serialize};

/// Which pairs can be alike at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coupling {
    /// Any two points.
    Everywhere,
    /// Only points of one branch: the covariance across branches is exactly zero.
    SameBranch,
}

/// Where a kernel compares points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KernelScope {
    /// Across the whole space: inactive coordinates take part through the stand-ins that points carry.
    Everywhere,
    /// Inside one branch: only active coordinates, and none that a branch holds constant.
    InsideBranch,
}

/// How categories are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Categories {
    /// The same or not: one-hot corners at distance one.
    #[default]
    Label,
    /// By their position, as if they were numbers: what the first papers did.
    Index,
}

/// A covariance function of unit amplitude.
pub trait Kernel: Send + Sync {
    /// What it does not know: the order of θ.
    fn hypers(&self) -> &[Hyper];

    /// k(a, b) at θ.
    fn cov(&self, theta: &[f64], a: Point<'_>, b: Point<'_>) -> f64;

    /// Which pairs can be alike.
    fn coupling(&self) -> Coupling {
        Coupling::Everywhere
    }

    /// Is every matrix of it positive semi-definite? One that is not needs a surrogate that repairs matrices.
    fn is_definite(&self) -> bool {
        true
    }

    /// k(x, x) for every row.
    fn diagonal(&self, theta: &[f64], at: &Points, out: &mut [f64]) {
        for (i, out) in out.iter_mut().enumerate() {
            *out = self.cov(theta, at.row(i), at.row(i));
        }
    }

    /// Prepares rows that can be alike (of one branch, if the coupling says so) for whole-matrix work.
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

/// The kernel inside another one that names none.
pub(crate) fn plain() -> KernelSpec {
    Spec::new(Matern52::default())
}

/// What a kernel is built for.
#[derive(Clone, Copy, Debug)]
pub struct KernelContext<'a> {
    /// The columns that are compared.
    pub layout: &'a Layout,
    /// What is believed of each of its scales.
    pub scale: &'a Belief,
    /// Where points are compared.
    pub scope: KernelScope,
    /// What it is a part of, if that knows branches itself.
    pub outer: Option<&'static str>,
}

impl<'a> KernelContext<'a> {
    /// For a kernel that stands alone.
    pub fn new(layout: &'a Layout, scale: &'a Belief) -> Self {
        Self { layout, scale, scope: KernelScope::Everywhere, outer: None }
    }

    /// For a kernel that compares some columns for another one, or for a surrogate, that knows branches.
    #[must_use]
    pub fn inside<'b>(&self, outer: &'static str, layout: &'b Layout, scope: KernelScope) -> KernelContext<'b>
    where
        'a: 'b,
    {
        KernelContext { layout, scale: self.scale, scope, outer: Some(outer) }
    }

    /// Asked by a kernel that knows branches itself: it cannot be part of something that does.
    pub fn expect_alone(&self) -> Result<(), SpecError> {
        self.outer.map_or(Ok(()), |outer| Err(SpecError::NestedTree { outer }))
    }
}

/// Rows prepared for whole-matrix work: one call per matrix, never one per entry.
pub trait KernelBatch: Send + Sync {
    /// Number of rows.
    fn len(&self) -> usize;

    /// True if there is no row.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Can this hyper change an entry? An answer of true may be too careful, false must be right.
    fn touches(&self, hyper: usize) -> bool;

    /// The matrix among the rows, on and below the diagonal. `out` has the shape n×n already.
    fn gram(&self, theta: &[f64], out: &mut Matrix);

    /// The n×m matrix against other points that can be alike with the rows.
    fn cross(&self, theta: &[f64], at: &Points, out: &mut Matrix);

    /// Prepares for changing one hyper while the others stay at θ.
    fn hold(&self, theta: &[f64], hyper: usize, held: &mut Held) {
        held.theta.clear();
        held.theta.extend_from_slice(theta);
        held.hyper = hyper;
    }

    /// The matrix among the rows with the held hyper at another value, on and below the diagonal.
    fn gram_held(&self, held: &mut Held, value: f64, out: &mut Matrix) {
        held.theta[held.hyper] = value;
        self.gram(&held.theta, out);
    }

    /// Derivatives, if the kernel has them.
    fn slopes(&self) -> Option<&dyn Slopes> {
        None
    }
}

/// Derivatives of whole matrices.
pub trait Slopes {
    /// `gradient[h]` += Σᵢⱼ Wᵢⱼ·∂kᵢⱼ/∂θₕ over all pairs; W is symmetric and given on and below its diagonal.
    fn by_theta(&self, theta: &[f64], weights: &Matrix, gradient: &mut [f64]);

    /// ∂k(rowᵢ, x)/∂x_c for some columns c, as an n×c matrix. Zero in columns without a slope.
    fn by_place(&self, theta: &[f64], at: Point<'_>, columns: &[usize], out: &mut Matrix);

    /// ∂k(x, x)/∂x_c: zero unless the kernel's size changes from place to place.
    fn diagonal_by_place(&self, _theta: &[f64], _at: Point<'_>, _columns: &[usize], out: &mut [f64]) {
        out.fill(0.0);
    }
}

/// What a batch keeps while one hyper moves; its memory is used again.
#[derive(Clone, Debug, Default)]
pub struct Held {
    /// θ, whose held coordinate may have moved.
    pub theta: Vec<f64>,
    /// The hyper that moves.
    pub hyper: usize,
    /// Free for the kernel: what the other hypers contribute, pair by pair.
    pub others: Vec<f64>,
    /// Free for the kernel: what the held hyper multiplies, pair by pair.
    pub own: Vec<f64>,
}
