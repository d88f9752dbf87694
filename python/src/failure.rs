//! Errors as exceptions, variant by variant. The classes are declared in the façade, `arbora.errors`.
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
        match error {
            SearchError::Space(error) => Failure::Space(error),
            other => Failure::Search(other),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Search(error) => error.into(),
            other => Failure::Store(other),
        }
    }
}

impl From<EvaluationError> for Failure {
    fn from(error: EvaluationError) -> Self {
        match error {
            EvaluationError::Search(error) => error.into(),
            EvaluationError::Fit(error) => Failure::Search(error.into()),
            EvaluationError::Model(error) => Failure::Search(error.into()),
            other => Failure::Evaluation(other),
        }
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
            Failure::Space(error) => ("SpaceError", error.to_string(), space(py, error)?),
            Failure::Search(error) => (search_class(error), error.to_string(), search(py, error)?),
            Failure::Store(error) => ("StoreError", error.to_string(), store(py, error)?),
            Failure::Evaluation(error) => ("EvaluationError", error.to_string(), evaluation(py, error)?),
            Failure::Stats(error) => ("StatsError", error.to_string(), stats(py, error)?),
            Failure::Panic(text) => {
                let message = format!("{text}; this is a mistake in arbora, please report it");
                ("InternalError", message, ("Panic", PyDict::new(py)))
            }
        };
        let class = py.import("arbora.errors")?.getattr(class)?;
        // A traceback ends up in a terminal; what a name or a file holds must not steer it.
        let message = visible_lines(&message);
        Ok(PyErr::from_value(class.call1((message.as_ref(), kind, details))?))
    }
}

/// The name of a variant and its fields as a dict.
macro_rules! taken_apart {
    ($py:ident, $error:ident, $family:ident { $($variant:ident { $($field:ident),* }),* $(,)? }) => {{
        let details = PyDict::new($py);
        let kind = match $error {
            $($family::$variant { $($field,)* .. } => {
                $(details.set_item(stringify!($field), $field)?;)*
                stringify!($variant)
            })*
            _ => "Other",
        };
        Ok((kind, details))
    }};
}

type Parts<'py> = (&'static str, Bound<'py, PyDict>);

fn space<'py>(py: Python<'py>, error: &SpaceError) -> PyResult<Parts<'py>> {
    taken_apart!(py, error, SpaceError {
        NoParameters {},
        EmptyName { position },
        DuplicateName { name },
        BoundNotFinite { name, value },
        EmptyRange { name, low, high },
        RangeTooWide { name, low, high },
        LogNeedsPositive { name, low },
        BadStep { name, step },
        StepMissesHigh { name, low, high, step, steps, last },
        GridTooFine { name, low, high, step },
        NoChoices { name },
        DuplicateChoice { name, value },
        ValueOutsideDomain { name, value, domain },
        BadPrior { name, problem },
        UnknownParameter { place, name, hint },
        CyclicCondition { path },
        TestOutsideDomain { place, decider, value, domain },
        BadExpression { place, problem },
        Syntax { text, column, problem },
        TooManyClauses { place, limit },
        NeverActive { name, condition },
        Unsatisfiable { culprit },
        NoConfigurationFound { tried, constraints },
        NoCompletion { given },
        MissingValue { name },
        InactiveValue { name, value, condition },
        ForbiddenConfiguration { constraint },
        NotFinite { name },
        TooManyBranches { limit },
        IncompatibleChange { problem },
        Format { format, place, problem },
    })
}

fn search_class(error: &SearchError) -> &'static str {
    match error {
        SearchError::Exhausted { .. } | SearchError::NothingNew { .. } => "ExhaustedError",
        SearchError::UnknownTrial { .. } | SearchError::AlreadyTold { .. } => "TrialError",
        _ => "SearchError",
    }
}

fn search<'py>(py: Python<'py>, error: &SearchError) -> PyResult<Parts<'py>> {
    if let SearchError::Fit(_) | SearchError::Model(_) = error {
        let kind = if matches!(error, SearchError::Fit(_)) { "Fit" } else { "Model" };
        return Ok((kind, PyDict::new(py)));
    }
    taken_apart!(py, error, SearchError {
        Exhausted { count },
        Interrupted {},
        NothingNew { draws },
        UnknownStrategy { name, known },
        BadSetting { setting, value, problem },
        Incompatible { first, second, problem },
        UnknownTrial { number, count },
        AlreadyTold { number, outcome },
        OutOfOrder { number, next },
        BadCost { number, cost },
        BadSpec { what, problem },
    })
}

fn evaluation<'py>(py: Python<'py>, error: &EvaluationError) -> PyResult<Parts<'py>> {
    taken_apart!(py, error, EvaluationError {
        Length { what, given, rows },
        TooFew { parts, of, have },
        Share { what, share, rows },
        TooSmall { what, least, given },
        NoSuchRow { row, rows },
        OrderedGroups {},
        NotFinite { what, index, value },
        Label { row, label, classes },
        Empty { why },
    })
}

fn stats<'py>(py: Python<'py>, error: &BenchError) -> PyResult<Parts<'py>> {
    taken_apart!(py, error, BenchError {
        Ragged { row, given, expected },
        NotANumber { row, column, value },
        BadEntry { sample, index, value },
        BadRanks { methods, problem },
        BadPValue { index, value },
        TooFew { what, least, given },
        Unpaired { first, second },
        UnknownZeros { name },
        NoCriticalValue { contenders, level },
    })
}

fn store<'py>(py: Python<'py>, error: &StoreError) -> PyResult<Parts<'py>> {
    let parts: PyResult<Parts<'py>> = taken_apart!(py, error, StoreError {
        NoStudy { name, known },
        StudyExists { name },
        StudyGone { name },
        BadName { name, problem },
        Disagrees { study, what, stored, given },
        LeaseLost { trial, worker, problem },
        BadEvent { study, sequence, problem },
        BadSettings { study, problem },
        Unwritable { what, problem },
        Replaced { problem },
        LogMissing {},
        BadAddress { problem },
        NoFolder {},
        NoFile {},
        NotAStore { problem },
        TooNew { found, known },
        ReadOnly { problem },
        Full {},
        Damaged { problem },
        Busy { seconds },
        Forked {},
        Unusable { problem },
    });
    let (kind, details) = parts?;
    if let Some(place) = error.place() {
        details.set_item("place", place.as_str())?;
        // Every place was the path of a file once, and programs ask for that.
        details.set_item("path", Path::new(place.as_str()))?;
    }
    match error {
        StoreError::NoFolder { folder, .. } => details.set_item("folder", Path::new(folder.as_str()))?,
        StoreError::BadAddress { address, .. } => details.set_item("address", address.as_str())?,
        _ => {}
    }
    Ok((kind, details))
}
