//! Plain data at the border: dicts, lists and scalars as JSON and back, numbers to the last bit.
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde_json::{Map, Number, Value as Json};

/// Deeper than any document anybody writes, shallow enough for the stack.
const DEEPEST: usize = 100;

/// Characters of one text. It is copied several times on its way into a store, and again by everybody who reads the
/// study: what is larger belongs into a file.
const LONGEST: usize = 32 << 20;

/// Copies of a text that exist at a time on its way into a store, rounded up: the value, its event, the event as a
/// line, what is read back of that, the page it is written to.
const COPIES: usize = 8;

/// Bytes that are had without asking.
const LITTLE: usize = 1 << 20;

/// The JSON of a Python object.
pub(crate) fn json(object: &Bound<'_, PyAny>) -> PyResult<Json> {
    let json = at_depth(object, 0)?;
    check_memory(weight(&json))?;
    Ok(json)
}

/// Bytes of its text and its values.
fn weight(json: &Json) -> usize {
    size_of::<Json>()
        + match json {
            Json::String(text) => text.len(),
            Json::Array(items) => items.iter().map(weight).sum(),
            Json::Object(map) => map.iter().map(|(name, item)| name.len() + weight(item)).sum(),
            _ => 0,
        }
}

/// Is there memory for what becomes of so many bytes? Asked before it is needed, for to run out of it ends the process.
fn check_memory(bytes: usize) -> PyResult<()> {
    if bytes <= LITTLE {
        return Ok(());
    }
    let needed = bytes.saturating_mul(COPIES);
    let mut probe: Vec<u8> = Vec::new();
    let reserved = probe.try_reserve_exact(needed);
    // Looked at, so that it is not left out.
    std::hint::black_box(&probe);
    reserved.map_err(|_| {
        PyMemoryError::new_err(format!(
            "to store {} MB takes {} MB of memory, which the system does not give: raise the limit, or write it to a \
             file and store its path",
            bytes >> 20,
            needed >> 20
        ))
    })
}

/// The JSON object of a mapping from names.
pub(crate) fn map(object: &Bound<'_, PyAny>) -> PyResult<Map<String, Json>> {
    match json(object)? {
        Json::Object(map) => Ok(map),
        _ => Err(PyTypeError::new_err(format!("expected a dict, got {}", object.get_type().name()?))),
    }
}

fn at_depth(object: &Bound<'_, PyAny>, depth: usize) -> PyResult<Json> {
    if depth > DEEPEST {
        return Err(PyValueError::new_err("data nested more than 100 levels deep, or holding itself"));
    }
    if let Some(scalar) = scalar(object)? {
        return Ok(scalar);
    }
    if let Ok(dict) = object.cast::<PyDict>() {
        let entry = |(key, item): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            let name = key
                .cast::<PyString>()
                .map_err(|_| PyTypeError::new_err(format!("keys are text, not {}", shown(&key))))?;
            Ok((name.to_cow()?.into_owned(), at_depth(&item, depth + 1)?))
        };
        return dict.iter().map(entry).collect::<PyResult<Map<_, _>>>().map(Json::Object);
    }
    if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
        let items = object.try_iter()?.map(|item| at_depth(&item?, depth + 1));
        return items.collect::<PyResult<Vec<_>>>().map(Json::Array);
    }
    // Arrays and scalars of array libraries turn into lists and numbers by themselves.
    if let Ok(listed) = object.call_method0("tolist") {
        return at_depth(&listed, depth + 1);
    }
    Err(PyTypeError::new_err(format!(
        "cannot be stored: {}; use None, bool, int, float, str, lists and dicts of them",
        shown(object)
    )))
}

fn scalar(object: &Bound<'_, PyAny>) -> PyResult<Option<Json>> {
    if object.is_none() {
        return Ok(Some(Json::Null));
    }
    if let Ok(truth) = object.cast::<PyBool>() {
        return Ok(Some(Json::Bool(truth.is_true())));
    }
    if object.is_instance_of::<PyInt>() {
        let whole =
            object.extract::<i64>().map(Json::from).or_else(|_| object.extract::<u64>().map(Json::from));
        return whole.map(Some).map_err(|_| {
            PyValueError::new_err(format!("integer {object} does not fit into 64 bits; write it as text"))
        });
    }
    if let Ok(number) = object.cast::<PyFloat>() {
        return Number::from_f64(number.value()).map(|n| Some(Json::Number(n))).ok_or_else(|| {
            PyValueError::new_err(format!(
                "{object} cannot be stored: only finite numbers can; use None or text"
            ))
        });
    }
    let Ok(text) = object.cast::<PyString>() else { return Ok(None) };
    let length = object.len()?;
    if length > LONGEST {
        return Err(PyValueError::new_err(format!(
            "a text of {length} characters is too long to be stored, {LONGEST} are the most: write it to a file and \
             store its path"
        )));
    }
    let text = text.to_cow()?;
    check_memory(text.len())?;
    Ok(Some(Json::from(text.into_owned())))
}

fn shown(object: &Bound<'_, PyAny>) -> String {
    let kind = object.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
    object.repr().map_or_else(|_| kind.clone(), |text| format!("{kind} {text}"))
}

/// The Python object of some JSON.
pub(crate) fn object<'py>(py: Python<'py>, json: &Json) -> PyResult<Bound<'py, PyAny>> {
    Ok(match json {
        Json::Null => py.None().into_bound(py),
        Json::Bool(truth) => PyBool::new(py, *truth).to_owned().into_any(),
        Json::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(whole), _) => whole.into_pyobject(py)?.into_any(),
            (None, Some(whole)) => whole.into_pyobject(py)?.into_any(),
            (None, None) => PyFloat::new(py, number.as_f64().unwrap_or(f64::NAN)).into_any(),
        },
        Json::String(text) => PyString::new(py, text).into_any(),
        Json::Array(items) => {
            let items = items.iter().map(|item| object(py, item)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, items)?.into_any()
        }
        Json::Object(map) => dict(py, map)?.into_any(),
    })
}

/// The dict of a JSON object.
pub(crate) fn dict<'py>(py: Python<'py>, map: &Map<String, Json>) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, item) in map {
        dict.set_item(name, object(py, item)?)?;
    }
    Ok(dict)
}
