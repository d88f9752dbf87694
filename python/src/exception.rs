//! Errors as exceptions, variant by variant. The classes are declared in the façade, `arbora.errors`.
use crate::details::{Parts, parts};
use arbora_bench::BenchError;
use arbora_evaluation::EvaluationError;
use arbora_model::FitError;
use arbora_search::SearchError;
use arbora_space::SpaceError;
use arbora_space::words::visible_lines;
use arbora_store::StoreError;
use pyo3::exceptions::{PyKeyboardInterrupt, PyMemoryError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::Path;

/// Everything that can go wrong below the border.
pub(crate) enum Failure {
    Space(SpaceError),
    Search(SearchError),
    Store(StoreError),
    Evaluation(EvaluationError),
    Stats(BenchError),
    /// A strategy used the study that waits for its suggestion.
    Reentered,
    /// A panic, with its message.
    Panic(String),
}

impl From<SpaceError> for Failure {
    fn from(error: SpaceError) -> Self {
        Failure::Space(error)
    }
}

impl From<SearchError> for Failure {
    fn from(error: SearchError) -> Self {
        error.into_space().map_or_else(Failure::Search, Failure::Space)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        error.into_search().map_or_else(Failure::Store, Self::from)
    }
}

impl From<EvaluationError> for Failure {
    fn from(error: EvaluationError) -> Self {
        error.into_search().map_or_else(Failure::Evaluation, Self::from)
    }
}

impl From<BenchError> for Failure {
    fn from(error: BenchError) -> Self {
        Failure::Stats(error)
    }
}

impl Failure {
    /// The exception: its class, its message, the name of the variant and its data.
    pub(crate) fn raise(&self, py: Python<'_>) -> PyErr {
        if let Failure::Store(StoreError::Interrupted { .. }) = self {
            return PyKeyboardInterrupt::new_err(());
        }
        self.exception(py).unwrap_or_else(|trouble| trouble)
    }

    fn exception(&self, py: Python<'_>) -> PyResult<PyErr> {
        if let Failure::Search(error @ SearchError::Fit(FitError::NoMemory { .. })) = self {
            return Ok(PyMemoryError::new_err(error.to_string()));
        }
        let (class, message, (kind, details)) = match self {
            Failure::Space(error) => ("SpaceError", error.to_string(), parts(py, error)?),
            Failure::Search(error) => (search_class(error), error.to_string(), parts(py, error)?),
            Failure::Store(error) => ("StoreError", error.to_string(), with_path(error, parts(py, error)?)?),
            Failure::Evaluation(error) => ("EvaluationError", error.to_string(), parts(py, error)?),
            Failure::Stats(error) => ("StatsError", error.to_string(), parts(py, error)?),
            Failure::Reentered => {
                let message = "the study is waiting for this suggestion and cannot be used meanwhile; a strategy \
                               finds space and trials in its argument";
                ("ArboraError", message.to_owned(), ("Reentered".into(), PyDict::new(py)))
            }
            Failure::Panic(text) => {
                let message = format!("{text}; this is a mistake in arbora, please report it");
                ("InternalError", message, ("Panic".into(), PyDict::new(py)))
            }
        };
        let class = py.import("arbora.errors")?.getattr(class)?;
        // A traceback ends up in a terminal; what a name or a file holds must not steer it.
        let message = visible_lines(&message);
        Ok(PyErr::from_value(class.call1((message.as_ref(), kind, details))?))
    }
}

fn search_class(error: &SearchError) -> &'static str {
    match error {
        SearchError::Exhausted { .. } | SearchError::NothingNew { .. } => "ExhaustedError",
        SearchError::UnknownTrial { .. } | SearchError::AlreadyTold { .. } | SearchError::StepBack { .. } => {
            "TrialError"
        }
        _ => "SearchError",
    }
}

/// Every place was the path of a file once, and programs ask for that.
fn with_path<'py>(error: &StoreError, parts: Parts<'py>) -> PyResult<Parts<'py>> {
    if let Some(place) = error.place() {
        parts.1.set_item("path", Path::new(place.as_str()))?;
    }
    if let StoreError::NoFolder { folder, .. } = error {
        parts.1.set_item("folder", Path::new(folder.as_str()))?;
    }
    Ok(parts)
}
