//! Names and values as the language of conditions writes them.
use crate::value::value;
use arbora_space::expression::Term;
use pyo3::prelude::*;

/// A name, quoted where need be.
#[pyfunction]
pub(crate) fn write_name(name: String) -> String {
    Term::Parameter(name).to_string()
}

/// A constant that reads back as the same value.
#[pyfunction]
pub(crate) fn write_value(object: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(Term::Value(value(object)?).to_string())
}
