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
    /// Matrices that do not fit into memory.
    #[error(
        "a model of {rows} trials needs {} MB of memory, which the system does not give: raise the limit, or take strategy `tpe`, `smac` or `random`", bytes >> 20
    )]
    NoMemory {
        /// How many rows.
        rows: usize,
        /// What they need.
        bytes: usize,
    },
    /// The answer was no longer wanted.
    #[error("interrupted before the model was fitted")]
    Interrupted,
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
    /// A kernel that knows the tree of decisions inside one that splits by it already.
    #[error("kernel `{outer}` knows branches itself: inside it name a plain kernel such as `matern52`")]
    NestedTree {
        /// The kernel around.
        outer: &'static str,
    },
    /// A context that is no number every configuration has.
    #[error(
        "kernel `context`: `{column}` must be a number that every configuration has and no other depends on"
    )]
    NoContext {
        /// As given.
        column: String,
    },
    /// An average of nothing.
    #[error("surrogate `averaged`: `members` is empty, name at least one Gaussian process")]
    NoMembers,
    /// Random waves that are none.
    #[error(
        "nodes `fourier` need at least one wave and a positive length, got {waves} waves of length {length}"
    )]
    NoWaves {
        /// How many.
        waves: usize,
        /// Their length-scale.
        length: f64,
    },
    /// A kernel whose matrices are not always positive semi-definite, where nothing repairs them.
    #[error(
        "surrogate `{surrogate}` needs a positive semi-definite kernel, and rule `ico` is none: use rule `arc`, or surrogate `kriging`"
    )]
    IndefiniteKernel {
        /// Which surrogate.
        surrogate: &'static str,
    },
    /// What a component of another crate says about its settings.
    #[error("{problem}")]
    Refused {
        /// Which component and setting, and what would be possible.
        problem: String,
    },
    /// A setting no forest can be grown with.
    #[error("forest: {setting} = {value} is invalid: {problem}")]
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
}
