//! How things read for people, decided in Rust for both halves.
use arbora_space::words;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The known name that is nearest to a given one, if any is near.
#[pyfunction]
pub(crate) fn similar(name: &str, known: Vec<String>) -> Option<String> {
    let meant = words::similar(name, known.iter().map(String::as_str))?.to_owned();
    known.into_iter().find(|known| *known == meant)
}

/// Text without anything that steers a terminal; several lines stay several.
#[pyfunction]
pub(crate) fn visible(text: &str) -> String {
    words::visible_lines(text).into_owned()
}

/// Text as a cell of a table that a spreadsheet does not run.
#[pyfunction]
pub(crate) fn guarded(text: &str) -> String {
    words::guarded(text).into_owned()
}

/// The text behind such a cell.
#[pyfunction]
pub(crate) fn unguarded(cell: &str) -> String {
    words::unguarded(cell).to_owned()
}

/// Seconds of a duration as people write it, such as `1h30m`.
#[pyfunction]
pub(crate) fn parse_duration(text: &str) -> PyResult<f64> {
    arbora_app::parse_duration(text).map(|length| length.as_secs_f64()).map_err(PyValueError::new_err)
}
