//! Studies as the façade holds them: a durable study behind a lock, the interpreter's lock released around all work.
use crate::detach::{detached, interruptible};
use crate::exception::Failure;
use crate::heartbeat::PyHeartbeat;
use crate::settings::{self, Settings};
use crate::signals::insist;
use crate::space::PySpace;
use crate::trial_result::{TrialResult, claim, poisoned};
use crate::trial_view::Shown;
use crate::value::named;
use crate::{json, kernel_matrix, snapshot};
use arbora_search::strategy::generation;
use arbora_search::{Interrupt, StudyOptions};
use arbora_space::Configuration;
use arbora_store::{AskRequest, DurableStudy, StoreError, open, open_to_read};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// One search over a space, kept in a store.
#[pyclass(name = "Study", module = "arbora._arbora", frozen)]
pub(crate) struct PyStudy {
    study: Mutex<DurableStudy>,
    /// Workers whose hearts beat in this process.
    hearts: Mutex<BTreeSet<String>>,
}

thread_local! {
    /// The studies that this thread has locked. A strategy written in Python runs inside such a lock, and may use other
    /// studies, but not this one.
    static HELD: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// A study that this thread has for itself.
pub(crate) struct Locked<'a>(MutexGuard<'a, DurableStudy>);

impl Deref for Locked<'_> {
    type Target = DurableStudy;

    fn deref(&self) -> &DurableStudy {
        &self.0
    }
}

impl DerefMut for Locked<'_> {
    fn deref_mut(&mut self) -> &mut DurableStudy {
        &mut self.0
    }
}

impl Drop for Locked<'_> {
    fn drop(&mut self) {
        HELD.with_borrow_mut(Vec::pop);
    }
}

impl From<DurableStudy> for PyStudy {
    fn from(study: DurableStudy) -> Self {
        Self { study: Mutex::new(study), hearts: Mutex::default() }
    }
}

impl PyStudy {
    pub(crate) fn study(&self) -> Result<Locked<'_>, Failure> {
        let address = std::ptr::from_ref(self) as usize;
        if HELD.with_borrow(|held| held.contains(&address)) {
            return Err(Failure::Reentered);
        }
        let guard = self.study.lock().map_err(|_| poisoned())?;
        HELD.with_borrow_mut(|held| held.push(address));
        Ok(Locked(guard))
    }

    /// Work on the study without the interpreter's lock.
    pub(crate) fn with<T, F>(&self, py: Python<'_>, work: F) -> PyResult<T>
    where
        T: Send,
        F: FnOnce(&mut DurableStudy) -> Result<T, Failure> + Send,
    {
        detached(py, || work(&mut *self.study()?))
    }

    /// Work that takes long: signals end it, and so does `stop` once it returns true.
    pub(crate) fn interruptible<T, F>(&self, py: Python<'_>, stop: Option<Py<PyAny>>, work: F) -> PyResult<T>
    where
        T: Send,
        F: FnOnce(&mut DurableStudy, &Interrupt) -> Result<T, Failure> + Send,
    {
        interruptible(py, stop, |interrupt| work(&mut *self.study()?, interrupt))
    }

    fn configuration(&self, py: Python<'_>, mapping: &Bound<'_, PyAny>) -> PyResult<Configuration> {
        let given = named(mapping)?;
        self.with(py, |study| Ok(study.space().configuration(given)?))
    }

    /// A worker whose heart beats in this process lives and dies with it.
    pub(crate) fn claim(&self, worker: String, lease: Option<f64>, stale: &str) -> PyResult<AskRequest> {
        let is_bound = self.hearts.lock().unwrap_or_else(PoisonError::into_inner).contains(&worker);
        Ok(AskRequest { is_bound, ..claim(worker, lease, stale)? })
    }
}

#[pymethods]
impl PyStudy {
    /// The study of a name, created if there is none.
    #[staticmethod]
    fn create(
        py: Python<'_>,
        storage: &str,
        name: &str,
        space: &PySpace,
        settings: Settings<'_>,
    ) -> PyResult<Self> {
        let space = space.space(py)?;
        let (is_seeded, has_pruner) = (settings.is_seeded, settings.pruner.is_some());
        let wanted = settings.options(py)?;
        detached(py, || {
            let store = open(storage)?;
            let stored = store.study(name)?.map(|record| record.options).transpose()?;
            // Without a seed of the user's own, that of the stored study counts, or else the one drawn; so does the
            // pruner.
            let seed = stored.as_ref().filter(|_| !is_seeded).map_or(wanted.seed, |known| known.seed);
            let pruner = stored.filter(|_| !has_pruner).map(|known| known.pruner);
            let options =
                StudyOptions { seed, pruner: pruner.unwrap_or_else(|| wanted.pruner.clone()), ..wanted };
            Ok(DurableStudy::load_or_create(store, name, (*space).clone(), options)?.into())
        })
    }

    /// An existing study.
    #[staticmethod]
    fn load(py: Python<'_>, storage: &str, name: &str) -> PyResult<Self> {
        detached(py, || Ok(DurableStudy::load(open(storage)?, name)?.into()))
    }

    /// The names of the studies in a store. Reading makes no file; only one that is there and empty is written to.
    #[staticmethod]
    fn names(py: Python<'_>, storage: &str) -> PyResult<Vec<String>> {
        detached(py, || {
            let store = match open_to_read(storage) {
                Err(StoreError::ReadOnly { .. }) => open(storage),
                opened => opened,
            };
            Ok(store?.studies()?.into_iter().map(|record| record.name).collect())
        })
    }

    /// A study in memory as text, and back.
    fn dump(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, snapshot::dump)
    }

    #[staticmethod]
    fn restore(py: Python<'_>, text: &str) -> PyResult<Self> {
        detached(py, || Ok(snapshot::restore(text)?.into()))
    }

    fn name(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |study| Ok(study.name().to_owned()))
    }

    fn space(&self, py: Python<'_>) -> PyResult<PySpace> {
        self.with(py, |study| PySpace::of(study.space()))
    }

    /// Strategy, direction, seed, repeats and threads.
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let options = self.with(py, |study| Ok(study.options().clone()))?;
        json::object(py, &settings::written(&options))
    }

    fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let attributes = self.with(py, |study| {
            study.sync()?;
            Ok(study.attributes().clone())
        })?;
        json::dict(py, &attributes)
    }

    /// The next trial. A signal whose handler raises ends a long suggestion, and so does `stop` once it says true; then
    /// nothing was asked.
    #[pyo3(signature = (worker, lease, stale, stop=None))]
    fn ask<'py>(
        &self,
        py: Python<'py>,
        worker: String,
        lease: Option<f64>,
        stale: &str,
        stop: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let claim = self.claim(worker, lease, stale)?;
        let shown = self.interruptible(py, stop, |study, interrupt| {
            let record = study.ask_until(&claim, interrupt)?;
            Ok(Shown::of(record, study.space()))
        });
        shown?.dict(py)
    }

    fn tell(&self, py: Python<'_>, trial: u64, result: TrialResult<'_>) -> PyResult<()> {
        let result = result.result()?;
        self.with(py, |study| Ok(insist(|| study.tell(trial, result.clone()))?))
    }

    fn add(&self, py: Python<'_>, mapping: &Bound<'_, PyAny>, result: TrialResult<'_>) -> PyResult<u64> {
        let result = result.result()?;
        let configuration = self.configuration(py, mapping)?;
        self.with(py, |study| Ok(study.add(&configuration, result)?))
    }

    fn queue(&self, py: Python<'_>, mapping: &Bound<'_, PyAny>) -> PyResult<u64> {
        let configuration = self.configuration(py, mapping)?;
        self.with(py, |study| Ok(study.queue(&configuration)?))
    }

    fn note(&self, py: Python<'_>, trial: Option<u64>, attributes: &Bound<'_, PyAny>) -> PyResult<()> {
        let attributes = json::map(attributes)?;
        self.with(py, |study| Ok(study.note(trial, attributes)?))
    }

    fn report(&self, py: Python<'_>, trial: u64, step: u64, value: f64) -> PyResult<()> {
        self.with(py, |study| Ok(study.report(trial, step, value)?))
    }

    /// Why a running trial is not worth its next step, by what all workers have reported; `None` if it is to go on.
    fn should_prune(&self, py: Python<'_>, trial: u64) -> PyResult<Option<String>> {
        self.with(py, |study| Ok(study.should_prune(trial)?))
    }

    fn release(&self, py: Python<'_>, trial: u64) -> PyResult<()> {
        self.with(py, |study| Ok(study.release(trial)?))
    }

    /// Changes the space; what would make a trial of the old space invalid is refused.
    fn evolve(&self, py: Python<'_>, space: &PySpace) -> PyResult<()> {
        let space = space.space(py)?;
        self.with(py, |study| {
            study.sync()?;
            let next = study.space().evolve_to(space.spec().clone())?;
            Ok(study.evolve(&next)?)
        })
    }

    /// Tells a trial that may have turned out to try something else, which `found` then says with the space revised
    /// for it; false if more came in after event `seen`.
    fn tell_found(
        &self,
        py: Python<'_>,
        trial: u64,
        found: Option<(Bound<'_, PyAny>, PyRef<'_, PySpace>)>,
        result: TrialResult<'_>,
        seen: u64,
    ) -> PyResult<bool> {
        let result = result.result()?;
        let found = found.map(|(mapping, space)| space.configuration(py, &mapping)).transpose()?;
        self.with(py, |study| {
            let found = found.as_ref().map(|(space, configuration)| (configuration, &**space));
            Ok(insist(|| study.tell_found(trial, found, result.clone(), seen))?)
        })
    }

    /// The number of the last event, as of now.
    fn sequence(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |study| {
            study.sync()?;
            Ok(study.sequence())
        })
    }

    /// All trials, as of now.
    fn trials<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let shown = self.with(py, |study| {
            study.sync()?;
            Ok(study.trials().map(|record| Shown::of(record, study.space())).collect::<Vec<_>>())
        })?;
        PyList::new(py, shown.iter().map(|trial| trial.dict(py)).collect::<PyResult<Vec<_>>>()?)
    }

    /// One trial, as of now.
    fn trial<'py>(&self, py: Python<'py>, number: u64) -> PyResult<Bound<'py, PyDict>> {
        let shown = self.with(py, |study| {
            study.sync()?;
            Ok(Shown::of(study.trial(number)?, study.space()))
        })?;
        shown.dict(py)
    }

    fn best<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let shown = self.with(py, |study| {
            study.sync()?;
            Ok(study.best().map(|record| Shown::of(record, study.space())))
        })?;
        shown.map(|trial| trial.dict(py)).transpose()
    }

    /// Why there is no best trial among full evaluations; `None` if there is one.
    fn missing(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.with(py, |study| {
            study.sync()?;
            Ok(study.study().history().missing().map(|missing| missing.to_string()))
        })
    }

    fn count(&self, py: Python<'_>) -> PyResult<usize> {
        self.with(py, |study| {
            study.sync()?;
            Ok(study.trials().len())
        })
    }

    /// The generation of a trial that comes from a population.
    fn generation(&self, py: Python<'_>, trial: u64) -> PyResult<Option<u64>> {
        self.with(py, |study| {
            study.trial(trial)?;
            let known = usize::try_from(trial).ok().and_then(|at| study.study().history().trials().get(at));
            Ok(known.and_then(generation))
        })
    }

    /// What a value of the objective is as a loss.
    fn loss_of(&self, py: Python<'_>, value: f64) -> PyResult<f64> {
        self.with(py, |study| Ok(study.options().direction.flip(value)))
    }

    /// How alike the kernel takes some configurations to be.
    fn kernel_matrix(&self, py: Python<'_>, mappings: &Bound<'_, PyList>) -> PyResult<Vec<Vec<f64>>> {
        let given = mappings.iter().map(|mapping| named(&mapping)).collect::<PyResult<Vec<_>>>()?;
        self.with(py, |study| {
            study.sync()?;
            let made = given.into_iter().map(|values| study.space().configuration(values));
            kernel_matrix::matrix(study, &made.collect::<Result<Vec<_>, _>>()?)
        })
    }

    /// Signs of life for the trials of a worker.
    fn heartbeat(&self, py: Python<'_>, worker: String, lease: f64) -> PyResult<PyHeartbeat> {
        let claim = claim(worker, Some(lease), "again")?;
        self.hearts.lock().unwrap_or_else(PoisonError::into_inner).insert(claim.worker.clone());
        self.with(py, |study| Ok(PyHeartbeat::start(study.heartbeat(&claim))))
    }
}
