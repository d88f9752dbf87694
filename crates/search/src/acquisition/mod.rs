//! Acquisitions turn a prediction into a wish; a wish bound to a fitted model is a utility.
//!
//! Laws: scores are batched, pure, and higher is always better; what cannot be computed is −∞, never NaN; the
//! slope is the derivative of the score.
mod bound;
mod ei;
mod entropy;
mod improvement;
mod integrated;
mod lcb;
mod log_normal;
mod per_cost;
mod pi;
mod prior;
mod thompson;

pub use bound::ConfidenceBound;
pub use ei::ExpectedImprovement;
pub use entropy::{MaxValueEntropy, MaxValueEntropySpec};
pub use improvement::Improvement;
pub use integrated::Integrated;
pub use lcb::LowerConfidenceBound;
pub use log_normal::LogNormalImprovement;
pub use per_cost::{ExpectedCost, PerCost};
pub use pi::ProbabilityOfImprovement;
pub use prior::PriorWeighted;
pub use thompson::Thompson;

use crate::component::{Component, Family, Kind, Kinds, PartContext, Spec};
use crate::error::SearchError;
use arbora_model::Model;
use arbora_space::{Point, Points, Rng};

/// What improvements are measured against.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reference {
    /// The loss to beat.
    pub best: f64,
    /// The standard deviation of the losses; one where they do not differ.
    pub spread: f64,
    /// How many losses are known.
    pub observed: usize,
}

/// How much each point is wished for.
pub trait Utility: Sync {
    /// One score per point; higher is better.
    fn score(&self, at: &Points) -> Vec<f64>;

    /// A cheaper score that tells which points deserve a full one; `None` if there is none.
    fn rough_score(&self, _at: &Points) -> Option<Vec<f64>> {
        None
    }

    /// How many opinions a score is the average of: draws of θ. One where they cannot be taken apart.
    fn opinions(&self) -> usize {
        1
    }

    /// The scores by one of the opinions.
    fn score_by(&self, _opinion: usize, at: &Points) -> Vec<f64> {
        self.score(at)
    }

    /// The derivative, if there is one.
    fn slope(&self) -> Option<&dyn UtilitySlope> {
        None
    }

    /// How much whole branches are wished for; `None` if the model says nothing of branches.
    fn branches(&self) -> Option<&dyn BranchUtility> {
        None
    }
}

/// How much a branch is wished for before looking inside it.
pub trait BranchUtility: Sync {
    /// The columns whose values matter to these scores, besides the decisions.
    fn columns(&self) -> &[usize];

    /// One score per point, of its branch at its values of those columns.
    fn score(&self, at: &Points) -> Vec<f64>;

    /// The score of the average over these points, which lie in one branch.
    fn score_average(&self, over: &Points) -> f64;

    /// The score of a point's branch, and its derivative in the given active numeric columns.
    fn score_with_slope(&self, at: Point<'_>, columns: &[usize], slope: &mut [f64]) -> f64;
}

/// The derivative of a utility.
pub trait UtilitySlope {
    /// The score of a point, and its derivative in the given active numeric columns.
    fn score_with_slope(&self, at: Point<'_>, columns: &[usize], slope: &mut [f64]) -> f64;

    /// The same by one of the opinions.
    fn score_with_slope_by(
        &self,
        _opinion: usize,
        at: Point<'_>,
        columns: &[usize],
        slope: &mut [f64],
    ) -> f64 {
        self.score_with_slope(at, columns, slope)
    }
}

/// A rule that turns predictions into wishes.
pub trait Acquisition: Send + Sync {
    /// The rule bound to a fitted model. `rng` feeds rules that draw.
    fn over<'m>(
        &self,
        model: &'m dyn Model,
        reference: &Reference,
        rng: &mut Rng,
    ) -> Result<Box<dyn Utility + 'm>, SearchError>;

    /// Is the score the logarithm of something positive, that can be divided and weighted?
    fn is_logarithm(&self) -> bool {
        false
    }

    /// Is a score joint over one set of candidates? Then it serves only a maximizer that scores one.
    fn is_joint(&self) -> bool {
        false
    }
}

/// An acquisition as data: `{ kind = "lower_confidence_bound", kappa = 2.0 }`.
pub type AcquisitionSpec = Spec<dyn Acquisition>;

static KINDS: Kinds<dyn Acquisition> = Kinds::new(BUILT_IN);
const BUILT_IN: &[Kind<dyn Acquisition>] = &[
    Kind::of::<ExpectedImprovement>(),
    Kind::of::<ProbabilityOfImprovement>(),
    Kind::of::<ConfidenceBound>(),
    Kind::of::<Thompson>(),
    Kind::of::<LogNormalImprovement>(),
    Kind::of::<MaxValueEntropySpec>(),
];

impl Family for dyn Acquisition {
    const NAME: &'static str = "acquisition";
    type Context<'a> = PartContext<'a>;
    type Error = SearchError;
    type Facts<'a> = ();

    fn kinds() -> &'static Kinds<Self> {
        &KINDS
    }

    fn standard() -> Spec<Self> {
        Spec::new(ExpectedImprovement::default())
    }
}
