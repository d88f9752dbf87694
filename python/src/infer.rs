//! Conditions of define by run, learnt in Rust for both halves.
use crate::detach::detached;
use crate::json;
use crate::value::named;
use arbora_space::{Inferred, Observation, SpaceSpec, infer_conditions as infer};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// The condition of each parameter, given what trials asked for and whether each came to its end; None where it is
/// unconditional or nothing explains it.
#[pyfunction]
pub(crate) fn infer_conditions<'py>(
    py: Python<'py>,
    parameters: &Bound<'py, PyDict>,
    trials: &Bound<'py, PyList>,
) -> PyResult<Bound<'py, PyDict>> {
    let document = serde_json::json!({ "parameters": json::map(parameters)? });
    let observation = |trial: Bound<'py, PyAny>| -> PyResult<Observation> {
        let (values, is_complete): (Bound<'_, PyAny>, bool) = trial.extract()?;
        Ok(Observation { values: named(&values)?, is_complete })
    };
    let observations = trials.iter().map(observation).collect::<PyResult<Vec<_>>>()?;
    let (declared, inferred) = detached(py, || {
        let declared = SpaceSpec::from_json_value(&document)?.parameters;
        let inferred = infer(&declared, &observations);
        Ok((declared, inferred))
    })?;
    let found = PyDict::new(py);
    for (param, inferred) in declared.iter().zip(inferred) {
        let text = match inferred {
            Inferred::When(condition) => Some(condition.to_string()),
            Inferred::Always | Inferred::Unexplained => None,
        };
        found.set_item(&param.name, text)?;
    }
    Ok(found)
}
