//! What can go wrong between observations and a model.
use crate::infer::InferenceError;
use thiserror::Error;

/// Why there is no model.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum FitError {
    /// Points and losses do not pair up.
    #[error("{points} points came with {losses} losses: give one loss per point")]
    UnpairedLosses {
        /// Number of points.
        points: usize,
        /// Number of losses.
        losses: usize,
    },
    /// A loss that is not a number one can learn from.
    #[error("loss {row} is {value}: report a failed evaluation as failed, not as a number")]
    LossNotFinite {
        /// Which one.
        row: usize,
        /// What it was.
        value: f64,
    },
    /// A loss without logarithm for a model of logarithms.
    #[error(
        "loss {row} is {value}: `log_losses` needs positive losses; switch it off or shift the objective"
    )]
    LossNotPositive {
        /// Which one.
        row: usize,
        /// What it was.
        value: f64,
    },
    /// Points of another space than the recipe was built for.
    #[error("points have {found} columns, the model was built for {expected}: build it for this space")]
    WrongWidth {
        /// Columns the recipe knows.
        expected: usize,
        /// Columns of the points.
        found: usize,
    },
    /// Numerically singular even with the largest jitter.
    #[error(
        "a covariance matrix of {size} rows is not positive definite with a jitter of {jitter:e}: raise the noise"
    )]
    NotPositiveDefinite {
        /// Rows of the matrix.
        size: usize,
        /// The largest jitter that was tried.
        jitter: f64,
    },
}

/// Why a recipe cannot be built.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum SpecError {
    /// A range that holds no positive value.
    #[error("hyper `{hyper}`: the range needs 0 < low < high, got {low} and {high}")]
    EmptyRange {
        /// Whose range.
        hyper: &'static str,
        /// Its lower end.
        low: f64,
        /// Its upper end.
        high: f64,
    },
    /// A start that the range does not hold.
    #[error("hyper `{hyper}`: start {start} lies outside [{low}, {high}]")]
    StartOutside {
        /// Whose start.
        hyper: &'static str,
        /// Where it is.
        start: f64,
        /// Lower end of the range.
        low: f64,
        /// Upper end of the range.
        high: f64,
    },
    /// A prior that is no distribution.
    #[error("hyper `{hyper}`: no prior has {setting} = {value}")]
    NotAPrior {
        /// Whose prior.
        hyper: &'static str,
        /// Which of its settings.
        setting: &'static str,
        /// What it was.
        value: f64,
    },
    /// A conditional kernel inside another one splits nothing that is not split already.
    #[error("kernel `conditional` inside kernel `conditional`: name the kernel to use inside a branch")]
    NestedConditional,
    /// A setting no forest can be grown with.
    #[error("forest: {setting} = {value} is not possible: {problem}")]
    BadForest {
        /// The setting.
        setting: &'static str,
        /// What it was.
        value: f64,
        /// What would be.
        problem: &'static str,
    },
    /// A setting no inference can be built from.
    #[error(transparent)]
    Inference(#[from] InferenceError),
    /// No pool of that many threads could be started.
    #[error("cannot start {threads} threads: {reason}")]
    NoThreads {
        /// How many.
        threads: usize,
        /// What the system said.
        reason: String,
    },
}
