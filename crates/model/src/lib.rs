//! What do we believe? Kernels, Gaussian processes and the inference of what they do not know about themselves.
#![allow(clippy::doc_markdown, reason = "formulas in comments have subscripts")]
#![allow(
    clippy::inline_always,
    reason = "lane code must melt into the function that enables its instructions"
)]
mod belief;
mod dataset;
pub mod descent;
mod error;
mod gram;
pub mod hyper;
pub mod infer;
pub mod kernel;
mod linalg;
mod prediction;
pub mod prior;
mod spec;
pub mod special;
mod surrogate;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod workers;

pub use belief::Belief;
pub use dataset::Dataset;
pub use error::{FitError, SpecError};
pub use linalg::Matrix;
pub use prediction::Prediction;
pub use spec::{GpSpec, KernelSpec, SurrogateSpec};
pub use surrogate::{Gp, GradientModel, Imagination, JointModel, Memory, Model, PredictionSlope, Surrogate};
pub use workers::Workers;
