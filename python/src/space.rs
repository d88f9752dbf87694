//! Spaces as the façade holds them: a builder whose space is made at first use.
use crate::declaration;
use crate::detach::detached;
use crate::exception::Failure;
use crate::space_builder::{Rule, SpaceBuilder};
use crate::unseen::PyUnseen;
use crate::value::{dict, named};
use crate::{json, tree};
use arbora_space::format::Format;
use arbora_space::{Cardinality, Configuration, Reach, Rng, Space, SpaceSpec};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::sync::{Arc, Mutex, MutexGuard};

/// A space under construction or in use.
#[pyclass(name = "Space", module = "arbora._arbora", frozen)]
pub(crate) struct PySpace {
    builder: Mutex<SpaceBuilder>,
}

impl From<SpaceBuilder> for PySpace {
    fn from(builder: SpaceBuilder) -> Self {
        Self { builder: Mutex::new(builder) }
    }
}

impl PySpace {
    pub(crate) fn of(space: &Space) -> Result<Self, Failure> {
        Ok(Self { builder: Mutex::new(SpaceBuilder::read(space.spec().clone())?) })
    }

    fn builder(&self) -> MutexGuard<'_, SpaceBuilder> {
        // Every change of a builder is complete before it shows: what a panic left behind is the state before.
        self.builder.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// The space, checked as a whole.
    pub(crate) fn space(&self, py: Python<'_>) -> PyResult<Arc<Space>> {
        detached(py, || Ok(self.builder().space()?))
    }

    pub(crate) fn configuration(
        &self,
        py: Python<'_>,
        mapping: &Bound<'_, PyAny>,
    ) -> PyResult<(Arc<Space>, Configuration)> {
        let (space, given) = (self.space(py)?, named(mapping)?);
        let made = space.configuration(given).map_err(|error| Failure::from(error).raise(py))?;
        Ok((space, made))
    }
}

fn dicts<'py>(py: Python<'py>, space: &Space, all: &[Configuration]) -> PyResult<Bound<'py, PyList>> {
    let dicts =
        all.iter().map(|configuration| dict(py, space, configuration)).collect::<PyResult<Vec<_>>>()?;
    PyList::new(py, dicts)
}

/// Configurations drawn before the interpreter is asked for signals.
const HANDFUL: usize = 1000;

#[pymethods]
impl PySpace {
    #[new]
    fn new() -> Self {
        Self { builder: Mutex::new(SpaceBuilder::default()) }
    }

    /// Reads a space in a format by its name.
    #[staticmethod]
    fn read(py: Python<'_>, format: &str, text: &str) -> PyResult<Self> {
        let builder = detached(py, || Ok(SpaceBuilder::read(format.parse::<Format>()?.read(text)?)?))?;
        Ok(Self { builder: Mutex::new(builder) })
    }

    /// Reads a space in the format that a file's name and text tell.
    #[staticmethod]
    fn read_file(py: Python<'_>, name: &str, text: &str) -> PyResult<Self> {
        let builder = detached(py, || Ok(SpaceBuilder::read(Format::of(name, text)?.read(text)?)?))?;
        Ok(Self { builder: Mutex::new(builder) })
    }

    /// Reads a space from plain data, the JSON document as dicts and lists.
    #[staticmethod]
    fn from_dict(py: Python<'_>, document: &Bound<'_, PyAny>) -> PyResult<Self> {
        let document = json::json(document)?;
        let builder = detached(py, || Ok(SpaceBuilder::read(SpaceSpec::from_json_value(&document)?)?))?;
        Ok(Self { builder: Mutex::new(builder) })
    }

    /// Declares a parameter.
    fn declare(&self, py: Python<'_>, name: &str, fields: &Bound<'_, PyDict>) -> PyResult<()> {
        let param = declaration::param(name, fields)?;
        detached(py, || Ok(self.builder().declare(param)?))
    }

    /// Adds a constraint.
    fn constrain(&self, py: Python<'_>, is_required: bool, text: String) -> PyResult<()> {
        let rule = if is_required { Rule::Require } else { Rule::Forbid };
        detached(py, || Ok(self.builder().constrain(rule, text)?))
    }

    /// Writes the space.
    fn write(&self, py: Python<'_>, format: &str) -> PyResult<String> {
        detached(py, || Ok(format.parse::<Format>()?.write_spec(self.builder().spec())?))
    }

    /// The JSON document as dicts and lists.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let document = detached(py, || Ok(self.builder().spec().to_json_value()?))?;
        json::object(py, &document)
    }

    /// The names, in the order of declaration.
    fn names(&self) -> Vec<String> {
        self.builder().spec().parameters.iter().map(|param| param.name.clone()).collect()
    }

    fn is_same(&self, other: &PySpace) -> bool {
        // One lock at a time: the two may be one and the same.
        let ours = self.builder().spec().clone();
        ours == *other.builder().spec()
    }

    fn sample<'py>(&self, py: Python<'py>, count: usize, seed: u64) -> PyResult<Bound<'py, PyList>> {
        let space = self.space(py)?;
        let (mut rng, mut left) = (Rng::new(seed), count);
        let found = PyList::empty(py);
        // Between two handfuls an interrupt is heard.
        while left > 0 {
            let handful = left.min(HANDFUL);
            let drawn = detached(py, || {
                (0..handful).map(|_| Ok(space.sample(&mut rng)?)).collect::<Result<Vec<_>, Failure>>()
            })?;
            for configuration in &drawn {
                found.append(dict(py, &space, configuration)?)?;
            }
            left -= handful;
            py.check_signals()?;
        }
        Ok(found)
    }

    fn default<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let space = self.space(py)?;
        let made = detached(py, || Ok(space.default_configuration()?))?;
        dict(py, &space, &made)
    }

    /// The configuration in canonical form; an error if it is none of this space.
    fn check<'py>(&self, py: Python<'py>, mapping: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let (space, made) = self.configuration(py, mapping)?;
        dict(py, &space, &made)
    }

    /// Inactive values dropped, missing ones at their default.
    fn canonical<'py>(&self, py: Python<'py>, mapping: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let (space, given) = (self.space(py)?, named(mapping)?);
        let made = detached(py, || Ok(space.canonical(given)?))?;
        dict(py, &space, &made)
    }

    fn neighbours<'py>(
        &self,
        py: Python<'py>,
        mapping: &Bound<'py, PyAny>,
        seed: u64,
    ) -> PyResult<Bound<'py, PyList>> {
        let (space, origin) = self.configuration(py, mapping)?;
        let found = detached(py, || Ok(space.neighbours(&origin, Reach::default(), &mut Rng::new(seed))))?;
        dicts(py, &space, &found)
    }

    /// The space without some configurations.
    fn unseen(&self, py: Python<'_>, tried: Vec<Bound<'_, PyAny>>) -> PyResult<PyUnseen> {
        let space = self.space(py)?;
        let made = |mapping: Bound<'_, PyAny>| Ok(self.configuration(py, &mapping)?.1);
        let tried = tried.into_iter().map(made).collect::<PyResult<Vec<_>>>()?;
        Ok(PyUnseen::new((*space).clone(), tried))
    }

    /// The first configurations of a finite space.
    fn enumerate<'py>(&self, py: Python<'py>, limit: usize) -> PyResult<Bound<'py, PyList>> {
        let space = self.space(py)?;
        let all = detached(py, || Ok(space.enumerate()?.take(limit).collect::<Result<Vec<_>, _>>()?))?;
        dicts(py, &space, &all)
    }

    /// How many configurations: a count, infinity, or None where that is not known.
    fn cardinality(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let space = self.space(py)?;
        Ok(match detached(py, || Ok(space.cardinality()))? {
            Cardinality::Finite(count) => Some(count.into_pyobject(py)?.into_any().unbind()),
            Cardinality::Beyond | Cardinality::Infinite => {
                Some(f64::INFINITY.into_pyobject(py)?.into_any().unbind())
            }
            Cardinality::Unknown => None,
        })
    }

    /// The space as people read it, as text.
    fn tree_text(&self, py: Python<'_>) -> PyResult<String> {
        let space = self.space(py)?;
        detached(py, || Ok(space.outline().to_string()))
    }

    /// The space as people read it, line by line.
    fn outline<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let space = self.space(py)?;
        let outline = detached(py, || Ok(space.outline()))?;
        tree::lines(py, &space, &outline)
    }

    /// The decisions of the outline, by their positions, that each configuration takes.
    fn decisions_of(&self, py: Python<'_>, mappings: &Bound<'_, PyList>) -> PyResult<Vec<Vec<usize>>> {
        let space = self.space(py)?;
        let outline = detached(py, || Ok(space.outline()))?;
        mappings.iter().map(|mapping| Ok(tree::taken(&space, &outline, named(&mapping)?))).collect()
    }

    /// The tree of decisions as nodes, the root first.
    fn tree<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let space = self.space(py)?;
        let grown = detached(py, || Ok(space.tree()?))?;
        tree::nodes(py, &space, &grown)
    }

    /// The leaf of the tree, by its node, that each configuration belongs to.
    fn leaves_of(&self, py: Python<'_>, mappings: &Bound<'_, PyList>) -> PyResult<Vec<Option<usize>>> {
        let space = self.space(py)?;
        let grown = detached(py, || Ok(space.tree()?))?;
        mappings.iter().map(|mapping| Ok(tree::leaf(&space, &grown, named(&mapping)?))).collect()
    }
}
