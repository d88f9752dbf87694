//! Turning a prediction into a wish.
mod ei;
mod improvement;
mod lcb;
mod pi;

pub use ei::ExpectedImprovement;
pub use improvement::Improvement;
pub use lcb::LowerConfidenceBound;
pub use pi::ProbabilityOfImprovement;
