//! Invalid settings of an inference.
use thiserror::Error;

/// An invalid setting of an inference.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum InferenceError {
    /// A count of zero.
    #[error("inference `{kind}`: `{field}` must be at least 1, got {value}")]
    NotPositive {
        /// The inference.
        kind: &'static str,
        /// The setting.
        field: &'static str,
        /// Its value.
        value: usize,
    },
    /// A width that is not a positive number.
    #[error("inference `slice`: `width` must be a positive number (1 suits log-scaled hypers), got {value}")]
    Width {
        /// Its value.
        value: f64,
    },
    /// A setting that must be a positive number.
    #[error("inference `{kind}`: `{field}` must be a positive number, got {value}")]
    NotPositiveNumber {
        /// The inference.
        kind: &'static str,
        /// The setting.
        field: &'static str,
        /// Its value.
        value: f64,
    },
}

pub(super) fn at_least_one(
    kind: &'static str,
    field: &'static str,
    value: usize,
) -> Result<(), InferenceError> {
    if value == 0 { Err(InferenceError::NotPositive { kind, field, value }) } else { Ok(()) }
}
