//! Strategies written in Python, registered as any crate registers its own.
//!
//! A kind looks its function up by name when a study is built, so that a name stands for one kind for good while its
//! function may be replaced. The interpreter is attached for the call alone: the study's own lock is held meanwhile,
//! and whoever waits for that lock has let go of the interpreter.
use crate::json;
use crate::signals::hand_over;
use crate::space::PySpace;
use crate::space_builder::SpaceBuilder;
use crate::unseen::PyUnseen;
use crate::value::{dict, value};
use arbora_search::component::{Family, Kind, StrategyContext};
use arbora_search::{
    Ask, Effort, Memo, Outcome, SearchError, Strategy, Suggestion, Trial, presets,
    register_strategy as register,
};
use arbora_space::{Configuration, Named, Rng, Space};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

/// A function under a name.
struct Function {
    /// As the user gave it.
    suggest: Py<PyAny>,
    /// The façade's way to call it.
    call: Py<PyAny>,
    /// One line for people.
    summary: String,
}

static FUNCTIONS: RwLock<BTreeMap<String, Arc<Function>>> = RwLock::new(BTreeMap::new());

fn function(name: &str) -> Option<Arc<Function>> {
    FUNCTIONS.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
}

/// Registers a strategy. The same function again changes nothing; another one must be said to replace it.
#[pyfunction]
pub(crate) fn register_strategy(
    py: Python<'_>,
    name: String,
    suggest: Py<PyAny>,
    call: Py<PyAny>,
    summary: String,
    is_replaced: bool,
) -> PyResult<()> {
    match function(&name) {
        Some(known) if known.suggest.is(&suggest) => return Ok(()),
        Some(_) if !is_replaced => {
            return Err(PyValueError::new_err(format!(
                "strategy `{name}` is registered already, with another function: give yours another name, or pass \
                 replace=True to use this one from now on"
            )));
        }
        Some(_) => {}
        None => {
            let own = name.clone();
            let kind = Kind::from_fn(name.clone(), move |context: StrategyContext<'_>| build(&own, context));
            register(kind).map_err(|taken| PyValueError::new_err(taken.to_string()))?;
        }
    }
    let known = Arc::new(Function { suggest, call, summary });
    // The function that was there is let go after the lock: a destructor of Python may do anything.
    let before = FUNCTIONS.write().unwrap_or_else(PoisonError::into_inner).insert(name, known);
    py.detach(|| drop(before));
    Ok(())
}

/// The names of the strategies with one line each: presets, then those that were registered.
#[pyfunction]
pub(crate) fn strategies() -> Vec<(String, String)> {
    let known = presets().map(|preset| (preset.name.to_owned(), preset.line()));
    let registered = <dyn Strategy>::kinds().registered().into_iter().map(|kind| {
        let summary =
            function(kind.name()).map_or_else(|| kind.summary().to_owned(), |own| own.summary.clone());
        (kind.name().to_owned(), summary)
    });
    known.chain(registered).collect()
}

fn build(name: &str, context: StrategyContext<'_>) -> Result<Box<dyn Strategy>, SearchError> {
    let failed =
        || SearchError::StrategyFailed { strategy: name.to_owned(), problem: "it is gone".to_owned() };
    let function = function(name).ok_or_else(failed)?;
    let builder = SpaceBuilder::read(context.space.spec().clone())?;
    Ok(Box::new(PythonStrategy { name: name.to_owned(), function, builder }))
}

struct PythonStrategy {
    name: String,
    function: Arc<Function>,
    /// The space as Python sees it; every call gets a copy.
    builder: SpaceBuilder,
}

/// What the function says, before it is checked.
struct Answer {
    configuration: Named,
    memo: Memo,
    effort: Effort,
}

impl Strategy for PythonStrategy {
    fn suggest(&self, ask: &Ask<'_>, rng: &mut Rng) -> Result<Suggestion, SearchError> {
        let seed = rng.word();
        let answer = Python::attach(|py| self.ask(py, ask, seed))?;
        let configuration = ask.checked(&self.name, &answer.configuration)?;
        Ok(Suggestion { configuration, effort: answer.effort, memo: answer.memo })
    }
}

impl PythonStrategy {
    fn ask(&self, py: Python<'_>, ask: &Ask<'_>, seed: u64) -> Result<Answer, SearchError> {
        let called = self.call(py, ask, seed);
        let (given, memo, share) = called.map_err(|error| self.failed(py, error))?;
        let refused = |problem: String| SearchError::BadSuggestion {
            strategy: self.name.clone(),
            suggested: given.to_string(),
            problem,
        };
        let entry = |(name, object): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            let name =
                name.extract::<String>().map_err(|_| refused(format!("names are text, not {name}")))?;
            let value = value(&object)
                .map_err(|error| refused(format!("parameter `{name}`: {}", error.value(py))))?;
            Ok((name, value))
        };
        let configuration = given.iter().map(entry).collect::<Result<Named, SearchError>>()?;
        let memo = json::map(&memo).map_err(|error| refused(format!("memo: {}", error.value(py))))?;
        let memo = serde_json::from_value(memo.into()).unwrap_or_default();
        let effort = if share < 1.0 { Effort::Share(share) } else { Effort::Full };
        Ok(Answer { configuration, memo, effort })
    }

    #[allow(clippy::type_complexity, reason = "what the façade returns")]
    fn call<'py>(
        &self,
        py: Python<'py>,
        ask: &Ask<'_>,
        seed: u64,
    ) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyAny>, f64)> {
        let trials = PyList::empty(py);
        for trial in ask.history.trials() {
            trials.append(summary(py, ask.space, trial)?)?;
        }
        let space = Py::new(py, PySpace::from(self.builder.clone()))?;
        let unseen = Py::new(py, PyUnseen::new(ask.space.clone(), tried(ask)))?;
        self.function.call.bind(py).call1((space, trials, seed, ask.repeats, unseen))?.extract()
    }

    /// The exception leaves the call from Python that this thread is in unchanged; where there is none, as in the
    /// threads of a command, its text does.
    fn failed(&self, py: Python<'_>, error: PyErr) -> SearchError {
        let problem = told(py, &error);
        hand_over(error);
        SearchError::StrategyFailed { strategy: self.name.clone(), problem }
    }
}

/// What must not be suggested again.
fn tried(ask: &Ask<'_>) -> Vec<Configuration> {
    let kept = ask
        .history
        .trials()
        .iter()
        .filter(|trial| !ask.repeats && !trial.outcome.as_ref().is_some_and(Outcome::is_abandoned));
    kept.map(|trial| trial.configuration.clone()).collect()
}

/// The fields of `arbora.TrialSummary`, in order.
fn summary<'py>(py: Python<'py>, space: &Space, trial: &Trial) -> PyResult<Bound<'py, PyTuple>> {
    let (state, reason) = match &trial.outcome {
        None => ("pending", None),
        Some(Outcome::Complete { .. }) => ("complete", None),
        Some(Outcome::Failed { reason, .. }) => ("failed", Some(reason)),
        Some(Outcome::Pruned { reason, .. }) => ("pruned", Some(reason)),
        Some(Outcome::Abandoned { reason }) => ("abandoned", Some(reason)),
    };
    let memo = serde_json::to_value(&trial.memo).unwrap_or_default();
    (
        trial.number,
        dict(py, space, &trial.configuration)?,
        state,
        trial.loss(),
        trial.outcome.as_ref().and_then(Outcome::cost),
        trial.effort.share(),
        trial.effort.fold(),
        reason,
        json::object(py, &memo)?,
    )
        .into_pyobject(py)
}

/// An exception in one line, with the place where it was raised.
fn told(py: Python<'_>, error: &PyErr) -> String {
    let place = || -> PyResult<String> {
        let Some(mut trace) = error.traceback(py).map(Bound::into_any) else { return Ok(String::new()) };
        loop {
            let next = trace.getattr("tb_next")?;
            if next.is_none() {
                break;
            }
            trace = next;
        }
        let code = trace.getattr("tb_frame")?.getattr("f_code")?;
        let (file, function) = (code.getattr("co_filename")?, code.getattr("co_name")?);
        Ok(format!(" ({file}, line {}, in {function})", trace.getattr("tb_lineno")?))
    };
    format!("{error}{}", place().unwrap_or_default())
}
