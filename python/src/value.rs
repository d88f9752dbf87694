//! Values at the border: Python's None, bool, int, float and str are the space's own five kinds.
use arbora_space::{Configuration, Named, Space, Value};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};

/// The value a Python object stands for. Scalars of array libraries, which have `item()`, count as what they hold.
pub(crate) fn value(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    if let Some(value) = plain(object)? {
        return Ok(value);
    }
    if let Ok(item) = object.call_method0("item")
        && let Some(value) = plain(&item)?
    {
        return Ok(value);
    }
    let (kind, shown) = (object.get_type().name()?, object.repr()?);
    Err(PyTypeError::new_err(format!(
        "a value must be None, a bool, an int, a float or a str, not {kind} {shown}; \
         name the alternatives by text and look the objects up in the objective"
    )))
}

fn plain(object: &Bound<'_, PyAny>) -> PyResult<Option<Value>> {
    if object.is_none() {
        return Ok(Some(Value::None));
    }
    if let Ok(truth) = object.cast::<PyBool>() {
        return Ok(Some(truth.is_true().into()));
    }
    if object.is_instance_of::<PyInt>() {
        let whole = object.extract::<i64>();
        return whole.map(|i| Some(Value::Int(i))).map_err(|_| {
            PyOverflowError::new_err(format!("integer {object} does not fit into 64 bits; use a float"))
        });
    }
    if let Ok(number) = object.cast::<PyFloat>() {
        return Ok(Some(number.value().into()));
    }
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(Some(text.to_cow()?.as_ref().into()));
    }
    Ok(None)
}

/// A list of values.
pub(crate) fn values(object: &Bound<'_, PyAny>) -> PyResult<Vec<Value>> {
    if object.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err(format!(
            "expected a list of values, got the text {}; put it in brackets",
            object.repr()?
        )));
    }
    object.try_iter()?.map(|item| value(&item?)).collect()
}

/// The Python object of a value.
pub(crate) fn object<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::None => py.None().into_bound(py),
        Value::Bool(truth) => PyBool::new(py, *truth).to_owned().into_any(),
        Value::Int(whole) => whole.into_pyobject(py)?.into_any(),
        Value::Real(number) => PyFloat::new(py, *number).into_any(),
        Value::Text(text) => PyString::new(py, text).into_any(),
    })
}

/// A configuration as a dict of its active parameters.
pub(crate) fn dict<'py>(
    py: Python<'py>,
    space: &Space,
    configuration: &Configuration,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, value) in space.named(configuration) {
        dict.set_item(name, object(py, &value)?)?;
    }
    Ok(dict)
}

/// A mapping from names to values, not judged yet.
pub(crate) fn named(mapping: &Bound<'_, PyAny>) -> PyResult<Named> {
    let items = mapping.call_method0("items").map_err(|_| {
        let kind = mapping.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
        PyTypeError::new_err(format!("a configuration is a dict from names to values, not {kind}"))
    })?;
    let pair = |item: PyResult<Bound<'_, PyAny>>| {
        let (name, object): (String, Bound<'_, PyAny>) = item?.extract()?;
        Ok((name, value(&object)?))
    };
    items.try_iter()?.map(pair).collect()
}
