//! Surrogates: a [`Surrogate`] is fitted to observations and returns a [`Model`].
//!
//! Laws: losses and predictions are in original units; the order of observations does not matter;
//! the same data, memory and generator give the same model; shifting and scaling the losses shifts
//! and scales the predictions; a model without data predicts its prior. Capabilities beyond
//! predicting are optional and returned as `Option`.
mod forest;
mod gp;
mod memory;
mod model_average;
mod observations;
mod output_warping;
mod per_branch;
mod scale;
#[cfg(test)]
mod tests;

pub use forest::{Forest, ForestCell, ForestLeaf, ForestModel, ForestSpec, Side, TreeModel, VarianceRule};
pub use gp::{Gp, GpSpec, LengthPrior, Nodes, TreeGpSpec};
pub use memory::Memory;
pub use model_average::{ModelAverage, ModelAverageSpec};
pub use observations::Observations;
pub use output_warping::{Output, OutputWarping, OutputWarpingSpec};
pub use per_branch::{PerBranch, PerBranchSpec};
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

/// A model that has not been fitted yet.
pub trait Surrogate: Send + Sync {
    /// Fits a model to the observations, or to the [subset](Self::training_rows) it uses.
    /// `memory` is from the last model of the same study, if there was one. Once the interrupt is
    /// raised, this soon returns [`FitError::Interrupted`].
    fn fit_until(
        &self,
        data: &Dataset,
        memory: Option<&Memory>,
        rng: &mut Rng,
        interrupt: &Interrupt,
    ) -> Result<Box<dyn Model>, FitError>;

    /// The subset of observations to fit to, ascending, if all of them would take too long; `None`
    /// for all.
    fn training_rows(&self, _data: &Dataset) -> Option<Vec<usize>> {
        None
    }

    /// Fits without an interrupt.
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
    Kind::of::<ModelAverageSpec>(),
    Kind::of::<GpSpec>(),
    Kind::of::<PerBranchSpec>(),
    Kind::of::<OutputWarpingSpec>(),
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

/// What a surrogate is built from.
#[derive(Clone, Copy)]
pub struct SurrogateContext<'a> {
    /// The columns of its points.
    pub layout: &'a Layout,
    /// The threads to use. Results do not depend on them.
    pub workers: &'a Workers,
}

impl<'a> SurrogateContext<'a> {
    /// Points of this layout, and these workers.
    pub fn new(layout: &'a Layout, workers: &'a Workers) -> Self {
        Self { layout, workers }
    }
}

/// A fitted model. Points must come from the space it was fitted in.
pub trait Model: Send + Sync {
    /// Predicts these points. The result is arbitrary once the interrupt of the fit is raised.
    fn predict(&self, at: &Points) -> Prediction;

    /// A cheaper prediction to preselect points for a full one; `None` if it would hardly be
    /// cheaper or too inaccurate.
    fn predict_approximately(&self, _at: &Points) -> Option<Prediction> {
        None
    }

    /// Number of draws of θ in its predictions.
    fn draws(&self) -> usize {
        1
    }

    /// The prediction of one draw, or of all draws if they cannot be separated.
    fn predict_by_draw(&self, _draw: usize, at: &Points) -> Prediction {
        self.predict(at)
    }

    /// What to pass to the next fit; `None` if the fit learnt nothing about θ.
    fn memory(&self) -> Option<&Memory> {
        None
    }

    /// Gradients with respect to the point, if it has them.
    fn gradients(&self) -> Option<&dyn GradientModel> {
        None
    }

    /// Joint distributions of several points, if it has them.
    fn joint(&self) -> Option<&dyn JointModel> {
        None
    }

    /// How well it explains the observations, as a logarithm; comparable between models of the same
    /// losses.
    fn model_score(&self, _by: ModelScore) -> Option<f64> {
        None
    }

    /// Predictions of whole branches, if it has them.
    fn branches(&self) -> Option<&dyn BranchModel> {
        None
    }
}

/// How a model is scored by the observations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelScore {
    /// The marginal likelihood of all losses.
    Evidence,
    /// The predictive density of each loss given the others.
    #[default]
    LeaveOneOut,
}

/// Predictions of whole branches.
pub trait BranchModel: Send + Sync {
    /// The columns that affect these predictions, ascending: parameters of several branches that
    /// act through the tree. Decisions always matter.
    fn columns(&self) -> &[usize];

    /// Predicts the branch of each point, at the point's values of those columns; its other values
    /// are ignored.
    fn predict_branches(&self, at: &Points) -> Prediction;

    /// Predicts the average over these points, which lie in one branch, as a single point.
    fn predict_average(&self, over: &Points) -> Prediction;

    /// Like [`Self::predict_branches`] at one point, with derivatives with respect to these active
    /// numeric columns.
    fn branch_slope(&self, at: Point<'_>, columns: &[usize]) -> PredictionSlope;
}

/// Derivatives of a prediction with respect to the point.
pub trait GradientModel: Send + Sync {
    /// At one point, with respect to these active numeric columns.
    fn slope(&self, at: Point<'_>, columns: &[usize]) -> PredictionSlope;

    /// The same for one of the draws, or for all of them if they cannot be separated.
    fn slope_by_draw(&self, _draw: usize, at: Point<'_>, columns: &[usize]) -> PredictionSlope {
        self.slope(at, columns)
    }
}

/// A prediction at one point and its derivatives, in original units.
#[derive(Clone, Debug, PartialEq)]
pub struct PredictionSlope {
    /// The prediction.
    pub prediction: Prediction,
    /// ∂mean per draw: one row per requested column, one column per scenario.
    pub mean: Vec<Matrix>,
    /// ∂variance per draw: one entry per requested column.
    pub variance: Vec<Vec<f64>>,
}

/// Joint distributions of several points.
pub trait JointModel: Send + Sync {
    /// Covariances of the latent loss among all points, for one draw of θ.
    fn covariance(&self, draw: usize, at: &Points) -> Matrix;

    /// The latent loss at all points, for one function sampled from the model.
    fn sample(&self, at: &Points, rng: &mut Rng) -> Result<Vec<f64>, FitError>;

    /// Conditions the model on fantasies at the pending points. A model that already has several
    /// scenarios keeps their number.
    fn fantasize(
        &self,
        pending: &Points,
        how: &PendingOutcomes,
        rng: &mut Rng,
    ) -> Result<Box<dyn Model>, FitError>;
}

/// What to assume about the outcomes of pending points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PendingOutcomes {
    /// The predictive mean (Kriging believer).
    Believer,
    /// This loss at every point (constant liar).
    Liar(f64),
    /// Samples from the joint predictive distribution, including noise  [Snoek et al. 2012]; at
    /// least one.
    Fantasies {
        /// Number of scenarios.
        count: usize,
    },
    /// One outcome per draw of θ, from the predictive distribution of that draw, noise included. Averaging over the
    /// draws then averages over outcomes too, at the price of a single scenario.
    OnePerDraw,
}
