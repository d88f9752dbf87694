//! A parameter as the façade declares it: a dict with the fields of the file format, read by the reader of files.
//!
//! Here Python objects become plain data, and what the reader refuses becomes a `TypeError` that shows the object.
use crate::exception::Failure;
use crate::value::{value, values};
use arbora_space::format::DocumentNode;
use arbora_space::{ExpressionSource, Mismatch, Param, SpaceError, Value};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyString};

/// The parameter that a name and some fields declare.
pub(crate) fn param(name: &str, fields: &Bound<'_, PyDict>) -> PyResult<Param> {
    let kind = fields.get_item("type")?.map(|kind| kind.to_string()).unwrap_or_default();
    let (mut entries, mut when) = (Vec::new(), Vec::new());
    for (field, object) in fields {
        let field: String = field.extract()?;
        match field.as_str() {
            // Conditions are read where the space is put together, which knows the other parameters.
            "when" => when = object.extract::<Vec<String>>()?,
            "weights" if !object.is_instance_of::<PyString>() => {
                let weights = object.try_iter()?.map(|weight| Ok(DocumentNode::scalar(real(&weight?)?)));
                entries.push((field, DocumentNode::list(weights.collect::<PyResult<Vec<_>>>()?)));
            }
            "choices" | "values" | "retired" | "weights" => {
                entries.push((
                    field,
                    DocumentNode::list(values(&object)?.into_iter().map(DocumentNode::scalar)),
                ));
            }
            "prior" => entries.push((field, prior(&object)?)),
            "low" | "high" | "step" if kind == "integer" => {
                entries.push((field.clone(), DocumentNode::scalar(whole(name, &field, &object)?)));
            }
            "low" | "high" | "step" => entries.push((field, DocumentNode::scalar(real(&object)?))),
            _ => entries.push((field, DocumentNode::scalar(value(&object)?))),
        }
    }
    let read = Param::from_fields(name, &DocumentNode::table(entries));
    let mut param = read.map_err(|error| refused(name, fields, error))?;
    param.when = when.into_iter().map(ExpressionSource::from).collect();
    Ok(param)
}

/// A number that Python can turn into a float, however large, or else the value as it is.
fn real(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    match object.extract::<f64>() {
        Ok(number) if !object.is_instance_of::<PyBool>() => Ok(number.into()),
        _ => shown_or_value(object),
    }
}

fn whole(name: &str, field: &str, object: &Bound<'_, PyAny>) -> PyResult<Value> {
    if object.is_instance_of::<PyInt>() && object.extract::<i64>().is_err() {
        let problem = "is too big: whole numbers have 64 bits; declare it by real, or search its logarithm";
        return Err(PyValueError::new_err(format!("parameter `{name}`: {field} = {object} {problem}")));
    }
    shown_or_value(object)
}

/// The value, or the text of an object that is none: the reader refuses it, and the object is shown.
fn shown_or_value(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    value(object).or_else(|_| Ok(object.repr()?.to_cow()?.as_ref().into()))
}

/// A name, or a dict with a name and numbers.
fn prior(object: &Bound<'_, PyAny>) -> PyResult<DocumentNode> {
    let Ok(parts) = object.cast::<PyDict>() else {
        return match object.cast::<PyString>() {
            Ok(_) => Ok(DocumentNode::scalar(value(object)?)),
            Err(_) => Ok(DocumentNode::list([])),
        };
    };
    let part = |(field, object): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let field: String = field.extract()?;
        let node = if field == "kind" { value(&object)? } else { real(&object)? };
        Ok((field, DocumentNode::scalar(node)))
    };
    Ok(DocumentNode::table(parts.iter().map(part).collect::<PyResult<Vec<_>>>()?))
}

fn refused(name: &str, fields: &Bound<'_, PyDict>, error: SpaceError) -> PyErr {
    let SpaceError::Format { mismatch: Some(mismatch), .. } = &error else {
        return Failure::from(error).raise(fields.py());
    };
    let Mismatch { path, expected, found } = &**mismatch;
    let shown = given(fields, path).and_then(|object| Ok(object.repr()?.to_string()));
    let shown = shown.unwrap_or_else(|_| found.clone());
    // A prior is a table to the reader; Python's users write a dict.
    let expected = if path == "prior" { "text or a dict" } else { expected };
    PyTypeError::new_err(format!("parameter `{name}`: {path} must be {expected}, got {shown}"))
}

/// The object at a path such as `prior.mean`.
fn given<'py>(fields: &Bound<'py, PyDict>, path: &str) -> PyResult<Bound<'py, PyAny>> {
    path.split('.').try_fold(fields.clone().into_any(), |object, step| {
        let (step, index) = step.split_once('[').map_or((step, None), |(step, index)| (step, Some(index)));
        let object = object.get_item(step)?;
        match index.and_then(|index| index.trim_end_matches(']').parse::<usize>().ok()) {
            Some(index) => object.get_item(index),
            None => Ok(object),
        }
    })
}
