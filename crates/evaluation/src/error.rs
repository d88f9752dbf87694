//! Errors of splits, selection, verdicts and ensembles.
use arbora_model::{FitError, SpecError};
use arbora_search::SearchError;
use serde::Serialize;
use thiserror::Error;

/// What went wrong, with the name and the value concerned.
#[derive(Clone, Debug, PartialEq, Error, Serialize)]
#[non_exhaustive]
pub enum EvaluationError {
    /// A list that needs one entry per row has another length.
    #[error("{what} has {given} entries for {rows} rows; give one per row")]
    Length {
        /// Classes, groups or predictions.
        what: &'static str,
        /// Its length.
        given: usize,
        /// The expected length.
        rows: usize,
    },
    /// Too few rows or groups to split.
    #[error("{parts} parts need at least {parts} {of}, but there are {have}; ask for fewer parts")]
    TooFew {
        /// How many parts.
        parts: usize,
        /// Rows or groups.
        of: &'static str,
        /// How many there are.
        have: usize,
    },
    /// A share that leaves one side of a split empty.
    #[error(
        "{what} = {share} of {rows} rows leaves nothing on one side; choose a share strictly between 0 and 1"
    )]
    Share {
        /// Which share.
        what: &'static str,
        /// As given.
        share: f64,
        /// How many rows.
        rows: usize,
    },
    /// A row index out of range.
    #[error("there is no row {row}: the {rows} rows are counted from 0")]
    NoSuchRow {
        /// As given.
        row: usize,
        /// How many there are.
        rows: usize,
    },
    /// A setting below its minimum.
    #[error("{what} must be at least {least}, got {given}")]
    TooSmall {
        /// The setting.
        what: &'static str,
        /// The minimum.
        least: usize,
        /// As given.
        given: usize,
    },
    /// Ordered splits cannot keep groups together.
    #[error("ordered splits cannot keep groups together; drop the groups or use another resampling")]
    OrderedGroups,
    /// NaN or an infinity where a finite number is needed.
    #[error("{what} {index} is {value}, not a finite number")]
    NotFinite {
        /// What was given.
        what: &'static str,
        /// Its index.
        index: usize,
        /// The value.
        value: f64,
    },
    /// A label that is not one of the classes.
    #[error("label {label} of row {row} is not among the {classes} classes")]
    Label {
        /// The row.
        row: usize,
        /// The label.
        label: u32,
        /// How many classes there are.
        classes: usize,
    },
    /// Nothing to select from.
    #[error("nothing to choose from: {why}")]
    Empty {
        /// What is missing.
        why: &'static str,
    },
    /// The search failed.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A model could not be fitted.
    #[error(transparent)]
    Fit(
        #[from]
        #[serde(skip_serializing)]
        FitError,
    ),
    /// An invalid model spec.
    #[error(transparent)]
    Model(
        #[from]
        #[serde(skip_serializing)]
        SpecError,
    ),
}

impl EvaluationError {
    /// The wrapped error of the search or its models, or `self` if it wraps none.
    pub fn into_search(self) -> Result<SearchError, Self> {
        match self {
            EvaluationError::Search(error) => Ok(error),
            EvaluationError::Fit(error) => Ok(error.into()),
            EvaluationError::Model(error) => Ok(error.into()),
            own => Err(own),
        }
    }
}
