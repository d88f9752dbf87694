//! Recipes and what they make: a [`Surrogate`] is fitted to observations and becomes a [`Model`].
//!
//! Laws: losses go in and predictions come out in raw units; the order of observations does not matter; the same
//! data, memory and generator give the same model; losses shifted and scaled move predictions the same way; a
//! model without data predicts its prior; what a model can do beyond predicting is asked for, not assumed.
mod averaged;
mod forest;
mod gp;
mod memory;
mod observations;
mod per_branch;
mod reshaped;
mod scale;
#[cfg(test)]
mod tests;

pub use averaged::{Averaged, AveragedSpec};
pub use forest::{Forest, ForestCell, ForestLeaf, ForestModel, ForestSpec, Side, TreeModel, VarianceRule};
pub use gp::{Gp, GpSpec, LengthPrior, Nodes, TreeGpSpec};
pub use memory::Memory;
pub use observations::Observations;
pub use per_branch::{PerBranch, PerBranchSpec};
pub use reshaped::{Output, Reshaped, ReshapedSpec};
pub use scale::{Scale, saturate};

use crate::component::{Family, Kind, Kinds, Spec};
use crate::dataset::Dataset;
use crate::error::{FitError, SpecError};
use crate::interrupt::Interrupt;
use crate::linalg::Matrix;
use crate::prediction::Prediction;
use crate::workers::Workers;
use arbora_space::{Layout, Point, Points, Rng};
use serde::{Deserialize, Serialize};

/// A recipe.
pub trait Surrogate: Send + Sync {
    /// A model of the observations, or of those [that matter](Self::rows_that_matter). `memory` is that of the last model of the same study, if there was one. Once the
    /// interrupt is raised there is no model but [`FitError::Interrupted`], soon.
    fn fit_until(
        &self,
        data: &Dataset,
        memory: Option<&Memory>,
        rng: &mut Rng,
        interrupt: &Interrupt,
    ) -> Result<Box<dyn Model>, FitError>;

    /// The observations a model is made of, ascending, where all of them would take too long; `None` if it is all.
    fn rows_that_matter(&self, _data: &Dataset) -> Option<Vec<usize>> {
        None
    }

    /// The same to its end.
    fn fit(
        &self,
        data: &Dataset,
        memory: Option<&Memory>,
        rng: &mut Rng,
    ) -> Result<Box<dyn Model>, FitError> {
        self.fit_until(data, memory, rng, Interrupt::never())
    }
}

/// A surrogate as data: `{ kind = "gp", kernel = "matern52" }`.
pub type SurrogateSpec = Spec<dyn Surrogate>;

static KINDS: Kinds<dyn Surrogate> = Kinds::new(BUILT_IN);
const BUILT_IN: &[Kind<dyn Surrogate>] = &[
    Kind::of::<AveragedSpec>(),
    Kind::of::<GpSpec>(),
    Kind::of::<PerBranchSpec>(),
    Kind::of::<ReshapedSpec>(),
    Kind::of::<TreeGpSpec>(),
    Kind::of::<ForestSpec>(),
];

impl Family for dyn Surrogate {
    const NAME: &'static str = "surrogate";
    type Context<'a> = SurrogateContext<'a>;
    type Error = SpecError;
    type Facts<'a> = ();

    fn kinds() -> &'static Kinds<Self> {
        &KINDS
    }

    fn standard() -> Spec<Self> {
        Spec::new(GpSpec::default())
    }
}

/// What a surrogate is built for.
#[derive(Clone, Copy)]
pub struct SurrogateContext<'a> {
    /// The columns of its points.
    pub layout: &'a Layout,
    /// Who may help. What comes out does not depend on them.
    pub workers: &'a Workers,
}

impl<'a> SurrogateContext<'a> {
    /// Points of this layout, and these workers.
    pub fn new(layout: &'a Layout, workers: &'a Workers) -> Self {
        Self { layout, workers }
    }
}

/// A fitted model. Points asked about must be of the space it was fitted in.
pub trait Model: Send + Sync {
    /// What it says about these points; anything, once the interrupt it was fitted with is raised.
    fn predict(&self, at: &Points) -> Prediction;

    /// A cheaper prediction that tells which points deserve a full one; `None` if it would hardly be cheaper or
    /// could hardly tell.
    fn predict_roughly(&self, _at: &Points) -> Option<Prediction> {
        None
    }

    /// How many draws of θ its predictions are made of.
    fn draws(&self) -> usize {
        1
    }

    /// What one of the draws says about these points: a prediction of one draw, or all of them where they cannot be
    /// taken apart.
    fn predict_by_draw(&self, _draw: usize, at: &Points) -> Prediction {
        self.predict(at)
    }

    /// What the next fit should know; `None` if nothing was learnt about θ.
    fn memory(&self) -> Option<&Memory> {
        None
    }

    /// Derivatives by place.
    fn gradients(&self) -> Option<&dyn GradientModel> {
        None
    }

    /// Joint distributions of several points.
    fn joint(&self) -> Option<&dyn JointModel> {
        None
    }

    /// How well the observations speak for it, as a logarithm; models of the same losses can be compared.
    fn support(&self, _by: Support) -> Option<f64> {
        None
    }

    /// What is believed of whole branches.
    fn branches(&self) -> Option<&dyn BranchModel> {
        None
    }
}

/// What speaks for a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Support {
    /// The likelihood of all losses.
    Evidence,
    /// How well every loss is predicted by the others.
    #[default]
    LeaveOneOut,
}

/// What is believed of a branch before looking inside it.
pub trait BranchModel: Send + Sync {
    /// The columns whose values matter to these predictions, ascending: parameters of several branches
    /// that act through the tree. Decisions matter anyway.
    fn columns(&self) -> &[usize];

    /// What is believed of the branch of each point, at the point's values of those columns; the rest of
    /// the point does not matter.
    fn predict_branches(&self, at: &Points) -> Prediction;

    /// What is believed of the average over these points, which lie in one branch: a prediction of one point.
    fn predict_average(&self, over: &Points) -> Prediction;

    /// What [`Self::predict_branches`] says at one point, with derivatives by these active numeric columns.
    fn branch_slope(&self, at: Point<'_>, columns: &[usize]) -> PredictionSlope;
}

/// Derivatives of a prediction by place.
pub trait GradientModel: Send + Sync {
    /// At one point, by these active numeric columns.
    fn slope(&self, at: Point<'_>, columns: &[usize]) -> PredictionSlope;

    /// The same by one of the draws, or by all of them where they cannot be taken apart.
    fn slope_by_draw(&self, _draw: usize, at: Point<'_>, columns: &[usize]) -> PredictionSlope {
        self.slope(at, columns)
    }
}

/// A prediction at one point and its derivatives, in raw units.
#[derive(Clone, Debug, PartialEq)]
pub struct PredictionSlope {
    /// What is predicted there.
    pub prediction: Prediction,
    /// ∂mean per draw: one row per column asked for, one column per scenario.
    pub mean: Vec<Matrix>,
    /// ∂variance per draw: one entry per column asked for.
    pub variance: Vec<Vec<f64>>,
}

/// Joint distributions of several points.
pub trait JointModel: Send + Sync {
    /// Covariances of the latent loss among all points under one draw of θ.
    fn covariance(&self, draw: usize, at: &Points) -> Matrix;

    /// The latent loss at all points under one function drawn from the model.
    fn sample(&self, at: &Points, rng: &mut Rng) -> Result<Vec<f64>, FitError>;

    /// The model there would be if the pending points had been evaluated. A model that imagines several scenarios
    /// already keeps their number.
    fn imagine(&self, pending: &Points, how: &Imagination, rng: &mut Rng)
    -> Result<Box<dyn Model>, FitError>;
}

/// What the outcomes of pending evaluations are taken to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Imagination {
    /// What the model expects (Kriging believer).
    Believer,
    /// This loss everywhere (constant liar).
    Liar(f64),
    /// Draws from their joint predictive distribution, noise included  [Snoek et al. 2012]; at least one.
    Fantasies {
        /// Number of scenarios.
        count: usize,
    },
    /// One outcome per draw of θ, from the predictive distribution of that draw, noise included. Averaging over the
    /// draws then averages over outcomes too, at the price of a single scenario.
    OnePerDraw,
}
