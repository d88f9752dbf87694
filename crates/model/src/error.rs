//! Errors of building and fitting models.
use crate::infer::InferenceError;
use thiserror::Error;

/// Why a model cannot be fitted.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum FitError {
    /// The numbers of points and losses differ.
    #[error("got {points} points and {losses} losses: give one loss per point")]
    UnpairedLosses {
        /// Number of points.
        points: usize,
        /// Number of losses.
        losses: usize,
    },
    /// A loss that is NaN or infinite.
    #[error("loss {row} is {value}: report a failed evaluation as failed, not as a number")]
    LossNotFinite {
        /// Index of the loss.
        row: usize,
        /// The loss.
        value: f64,
    },
    /// A loss that is not positive, where the model needs logarithms.
    #[error(
        "loss {row} is {value}: `log_losses` needs positive losses; switch it off or shift the objective"
    )]
    LossNotPositive {
        /// Index of the loss.
        row: usize,
        /// The loss.
        value: f64,
    },
    /// Points of a different space than the surrogate was built for.
    #[error("points have {found} columns, the model was built for {expected}: build it for this space")]
    WrongWidth {
        /// Columns the surrogate expects.
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
        /// The largest jitter tried.
        jitter: f64,
    },
    /// The matrices do not fit into memory.
    #[error(
        "a model of {rows} trials needs {} MB of memory, more than is available: raise the limit, or use strategy `tpe`, `smac` or `random`", bytes >> 20
    )]
    NoMemory {
        /// Number of rows.
        rows: usize,
        /// Memory needed.
        bytes: usize,
    },
    /// The fit was interrupted.
    #[error("interrupted before the model was fitted")]
    Interrupted,
}

/// Why a spec cannot be built.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum SpecError {
    /// A range without positive values.
    #[error("hyper `{hyper}`: the range needs 0 < low < high, got {low} and {high}")]
    EmptyRange {
        /// Name of the hyper.
        hyper: &'static str,
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
    },
    /// A start outside its range.
    #[error("hyper `{hyper}`: start {start} lies outside [{low}, {high}]")]
    StartOutside {
        /// Name of the hyper.
        hyper: &'static str,
        /// The start.
        start: f64,
        /// Lower end of the range.
        low: f64,
        /// Upper end of the range.
        high: f64,
    },
    /// A prior with invalid settings.
    #[error("hyper `{hyper}`: a prior cannot have {setting} = {value}")]
    NotAPrior {
        /// Name of the hyper.
        hyper: &'static str,
        /// The invalid setting.
        setting: &'static str,
        /// Its value.
        value: f64,
    },
    /// A conditional kernel inside a conditional kernel, which has nothing left to split.
    #[error("kernel `conditional` inside kernel `conditional`: name the kernel to use inside a branch")]
    NestedConditional,
    /// A kernel that uses the tree of decisions, inside one that already splits by it.
    #[error("kernel `{outer}` already handles branches: use a plain kernel such as `matern52` inside it")]
    NestedTree {
        /// The outer kernel.
        outer: &'static str,
    },
    /// A context column that is not a number present in every configuration.
    #[error(
        "kernel `context`: `{column}` must be a number that is always active and that no parameter depends on"
    )]
    NoContext {
        /// The column, as given.
        column: String,
    },
    /// An average without members.
    #[error("surrogate `averaged`: `members` is empty, name at least one Gaussian process")]
    NoMembers,
    /// Invalid settings of random Fourier features.
    #[error(
        "nodes `fourier` need at least one wave and a positive length, got {waves} waves of length {length}"
    )]
    NoWaves {
        /// Number of waves.
        waves: usize,
        /// Their length-scale.
        length: f64,
    },
    /// An indefinite kernel, where the surrogate has no correction for it.
    #[error(
        "surrogate `{surrogate}` needs a positive semi-definite kernel, but rule `ico` is not: use rule `arc`, or surrogate `kriging`"
    )]
    IndefiniteKernel {
        /// The surrogate.
        surrogate: &'static str,
    },
    /// A component of another crate rejects its settings.
    #[error("{problem}")]
    Refused {
        /// The component, the setting, and what is allowed.
        problem: String,
    },
    /// An invalid setting of a forest.
    #[error("forest: {setting} = {value} is invalid: {problem}")]
    BadForest {
        /// The setting.
        setting: &'static str,
        /// Its value.
        value: f64,
        /// What is allowed.
        problem: &'static str,
    },
    /// An invalid setting of an inference.
    #[error(transparent)]
    Inference(#[from] InferenceError),
}
