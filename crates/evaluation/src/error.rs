//! Everything that can go wrong between data and verdict.
use arbora_model::{FitError, SpecError};
use arbora_search::SearchError;
use serde::Serialize;
use thiserror::Error;

/// What went wrong, with the thing and the value it is about.
#[derive(Clone, Debug, PartialEq, Error, Serialize)]
#[non_exhaustive]
pub enum EvaluationError {
    /// A list that should speak about every row.
    #[error("{what} has {given} entries for {rows} rows; give one per row")]
    Length {
        /// Classes, groups or predictions.
        what: &'static str,
        /// Its length.
        given: usize,
        /// What was expected.
        rows: usize,
    },
    /// Too little to divide.
    #[error("{parts} parts need at least {parts} {of}, but there are {have}; ask for fewer parts")]
    TooFew {
        /// How many parts.
        parts: usize,
        /// Rows or groups.
        of: &'static str,
        /// How many there are.
        have: usize,
    },
    /// A share that leaves one side empty.
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
    /// A row beyond the last.
    #[error("there is no row {row}: the {rows} rows are counted from 0")]
    NoSuchRow {
        /// As given.
        row: usize,
        /// How many there are.
        rows: usize,
    },
    /// A number that must be larger.
    #[error("{what} must be at least {least}, got {given}")]
    TooSmall {
        /// The setting.
        what: &'static str,
        /// The least that works.
        least: usize,
        /// As given.
        given: usize,
    },
    /// Rows without an order, groups or classes cannot be split that way.
    #[error(
        "splitting in order keeps the order of rows, so it cannot keep groups together; drop the groups or split by groups"
    )]
    OrderedGroups,
    /// A number that is not one.
    #[error("{what} {index} is {value}, not a finite number")]
    NotFinite {
        /// What was given.
        what: &'static str,
        /// Where.
        index: usize,
        /// The value.
        value: f64,
    },
    /// A label outside the classes.
    #[error("label {label} of row {row} is not among the {classes} classes")]
    Label {
        /// Where.
        row: usize,
        /// The label.
        label: u32,
        /// How many classes there are.
        classes: usize,
    },
    /// Members of an ensemble that speak about different rows.
    #[error("nothing to choose from: {why}")]
    Empty {
        /// What is missing.
        why: &'static str,
    },
    /// A search went wrong.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A model could not be fitted.
    #[error(transparent)]
    Fit(
        #[from]
        #[serde(skip_serializing)]
        FitError,
    ),
    /// A recipe of a model that cannot be.
    #[error(transparent)]
    Model(
        #[from]
        #[serde(skip_serializing)]
        SpecError,
    ),
}

impl EvaluationError {
    /// The error of the search or its models that this one only carries, or this one.
    pub fn into_search(self) -> Result<SearchError, Self> {
        match self {
            EvaluationError::Search(error) => Ok(error),
            EvaluationError::Fit(error) => Ok(error.into()),
            EvaluationError::Model(error) => Ok(error.into()),
            own => Err(own),
        }
    }
}
