//! What do we believe about the loss? Kernels, Gaussian processes, and inference of their
//! hyperparameters.
//!
//! ```
//! use arbora_model::{Dataset, SurrogateContext, SurrogateSpec, Workers};
//! use arbora_space::{Encoding, Param, Rng, Space};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let space = Space::new([
//!     Param::choice("model", ["svm", "forest"]),
//!     Param::real("C", 1e-5, 1e5).log().when("model == 'svm'"),
//! ])?;
//! let mut rng = Rng::new(7);
//! let tried: Vec<_> = (0..8).map(|_| space.sample(&mut rng)).collect::<Result<_, _>>()?;
//! let points = space.encode(&tried, &Encoding::default());
//! let losses = (0..8).map(|i| points.row(i).x()[1]).collect();
//! let workers = Workers::serial();
//! let surrogate = SurrogateSpec::default().build(SurrogateContext::new(space.layout(), &workers))?;
//! let model = surrogate.fit(&Dataset::new(points.clone(), losses)?, None, &mut rng)?;
//! assert_eq!(model.predict(&points).mixture_mean().len(), 8);
//! # Ok(()) }
//! ```
//!
//! **Words.** A *hyper* is a hyperparameter of a model; θ is all of them. A *surrogate* is an
//! unfitted model, a *model* a fitted one. A *kernel* says how similar two points are, its
//! *coupling* which pairs can be similar at all. A *prediction* is a normal distribution per draw
//! of θ and per *scenario* of fantasies at pending points. Losses are in their original units;
//! lower is better.
#![allow(clippy::doc_markdown, reason = "formulas in comments have subscripts")]
#![allow(
    clippy::inline_always,
    reason = "SIMD code must be inlined into the function that enables its instructions"
)]
pub mod component;
mod dataset;
pub mod descent;
mod error;
mod gram;
pub mod hyper;
mod hyper_spec;
pub mod infer;
mod interrupt;
pub mod kernel;
pub mod linalg;
pub mod parzen;
mod prediction;
pub mod prior;
pub mod special;
pub mod subsample;
mod surrogate;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod workers;

pub use dataset::Dataset;
pub use error::{FitError, SpecError};
pub use hyper_spec::HyperSpec;
pub use interrupt::Interrupt;
pub use kernel::{KernelContext, KernelSpec};
pub use linalg::Matrix;
pub use prediction::Prediction;
pub use surrogate::{
    BranchModel, Forest, ForestCell, ForestLeaf, ForestModel, ForestSpec, Gp, GpSpec, GradientModel,
    JointModel, LengthPrior, Memory, Model, ModelAverage, ModelAverageSpec, ModelScore, Nodes, Observations,
    Output, OutputWarping, OutputWarpingSpec, PendingOutcomes, PerBranch, PerBranchSpec, PredictionSlope,
    Scale, Side, Surrogate, SurrogateContext, SurrogateSpec, TreeGpSpec, TreeModel, VarianceRule, saturate,
};
pub use workers::Workers;
