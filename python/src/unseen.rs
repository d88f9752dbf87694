//! What has not been tried, for strategies written in Python.
use crate::detach::detached;
use crate::exception::Failure;
use crate::value::{dict, named};
use arbora_search::Taken;
use arbora_space::{Configuration, Rng, Space};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A space without the configurations that were tried.
#[pyclass(name = "Unseen", module = "arbora._arbora", frozen)]
pub(crate) struct PyUnseen {
    space: Space,
    tried: Vec<Configuration>,
}

impl PyUnseen {
    pub(crate) fn new(space: Space, tried: Vec<Configuration>) -> Self {
        Self { space, tried }
    }
}

#[pymethods]
impl PyUnseen {
    /// Was this configuration tried? An error if it is none of the space.
    fn contains(&self, py: Python<'_>, mapping: &Bound<'_, PyAny>) -> PyResult<bool> {
        let made = self.space.configuration(named(mapping)?);
        let made = made.map_err(|error| Failure::from(error).raise(py))?;
        Ok(self.tried.contains(&made))
    }

    /// A random one that was not tried.
    fn draw<'py>(&self, py: Python<'py>, seed: u64) -> PyResult<Bound<'py, PyDict>> {
        let drawn =
            detached(py, || Ok(Taken::these(&self.tried).draw_unseen(&self.space, &mut Rng::new(seed))?))?;
        dict(py, &self.space, &drawn)
    }
}
