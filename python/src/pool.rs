//! Pools of predictions: labels as bytes of little-endian `u16`, numbers as bytes of little-endian `f64`.
//!
//! Bytes cross the border in one piece, which matters for thousands of rows times hundreds of trials.
use crate::failure::Failure;
use crate::plan::read;
use crate::record::Shown;
use crate::study::PyStudy;
use crate::telling::{claim, poisoned};
use crate::work::detached;
use arbora_evaluation::EvaluationError;
use arbora_evaluation::ensemble::{ABSENT, Greedy, MeanEnsemble, Member, Pool, SlotRule, Slots, VoteLoss};
use arbora_model::Workers;
use arbora_search::{Ask, SearchError, Study, Trial};
use arbora_space::Rng;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::de::DeserializeOwned;
use std::sync::{Mutex, MutexGuard};

/// Votes of many trials about the same rows, and the slots they have filled.
#[pyclass(name = "Votes", module = "arbora._arbora", frozen)]
pub(crate) struct PyVotes(Mutex<Held>);

struct Held {
    pool: Pool,
    filled: Option<Filled>,
}

/// Slots that have taken in so many members; kept, since filling them again would cost the square of the members.
struct Filled {
    empty: Slots,
    slots: Slots,
    taken: usize,
}

impl Held {
    /// The slots that began as these empty ones, with every member taken in.
    fn slots(&mut self, empty: &Slots) -> Slots {
        let kept = self.filled.take().filter(|filled| filled.empty == *empty);
        let mut filled =
            kept.unwrap_or_else(|| Filled { empty: empty.clone(), slots: empty.clone(), taken: 0 });
        filled.slots.take_in(&self.pool, filled.taken);
        filled.taken = self.pool.members().len();
        let slots = filled.slots.clone();
        self.filled = Some(filled);
        slots
    }
}

impl PyVotes {
    fn held(&self) -> Result<MutexGuard<'_, Held>, Failure> {
        self.0.lock().map_err(|_| poisoned())
    }

    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Held) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        detached(py, || work(&mut *self.held()?))
    }
}

#[pymethods]
impl PyVotes {
    #[new]
    fn new(py: Python<'_>, labels: &[u8], classes: usize) -> PyResult<Self> {
        let labels = codes(labels)?;
        detached(py, || Ok(Self(Mutex::new(Held { pool: Pool::new(labels, classes)?, filled: None }))))
    }

    fn push(&self, py: Python<'_>, trial: u64, loss: f64, votes: &[u8]) -> PyResult<()> {
        let votes = codes(votes)?;
        self.with(py, |held| Ok(held.pool.push(Member { trial, loss, votes })?))
    }

    /// Positions of the members a greedy selection takes; see `Greedy` for the fields.
    fn greedy(&self, py: Python<'_>, fields: &Bound<'_, PyDict>, seed: u64) -> PyResult<Vec<usize>> {
        let greedy: Greedy = read(py, "ensemble", fields)?;
        self.with(py, |held| Ok(greedy.select(&held.pool, &mut Rng::new(seed))?))
    }

    /// The loss of the votes of some members, by their positions.
    fn loss(&self, py: Python<'_>, members: Vec<usize>, loss: &str) -> PyResult<f64> {
        let loss: VoteLoss = word(py, "loss of an ensemble", loss)?;
        self.with(py, |held| {
            let members = known(members, held.pool.members().len())?;
            Ok(loss.of(&held.pool.votes_of(&members)))
        })
    }

    /// What some members vote for together, as codes of classes.
    fn predict(&self, py: Python<'_>, members: Vec<usize>) -> PyResult<Vec<u32>> {
        self.with(py, |held| {
            let members = known(members, held.pool.members().len())?;
            Ok(held.pool.votes_of(&members).predict())
        })
    }

    /// Positions of the members in the slots, as trial after trial has filled them.
    fn slots(&self, py: Python<'_>, count: usize, loss: &str, rule: &str) -> PyResult<Vec<usize>> {
        let empty = slots(py, count, loss, rule)?;
        self.with(py, |held| Ok(held.slots(&empty).members()))
    }

    /// The next trial of a study that looks for the member its ensemble still needs.
    #[expect(clippy::too_many_arguments, reason = "one flat call at the border")]
    fn ask<'py>(
        &self,
        py: Python<'py>,
        study: &PyStudy,
        count: usize,
        loss: &str,
        rule: &str,
        worker: String,
        lease: Option<f64>,
        stale: &str,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (empty, claim) = (slots(py, count, loss, rule)?, claim(worker, lease, stale)?);
        let shown = study.with(py, |study| {
            let mut held = self.held()?;
            let slots = held.slots(&empty);
            let record = study.ask_by(&claim, |study| suggest(&slots, &held.pool, study))?;
            Ok(Shown::of(&record, study.space()))
        })?;
        shown.dict(py)
    }
}

/// What the study's strategy suggests when it is shown what each trial is worth to the ensemble.
fn suggest(slots: &Slots, pool: &Pool, study: &Study) -> Result<Trial, Failure> {
    let (space, history, options) = (study.space(), study.history(), study.options());
    let strategy = options.strategy.build(space, &Workers::serial())?;
    let ask = Ask { space, history, seed: options.seed, repeats: options.repeats };
    let number = history.len() as u64;
    let mut rng = Rng::for_trial(options.seed, number);
    let next = slots.suggest(pool, strategy.as_ref(), &ask, &mut rng)?;
    let (configuration, effort, memo) = (next.configuration, next.effort, next.memo);
    Ok(Trial { number, configuration, effort, outcome: None, memo })
}

fn slots(py: Python<'_>, count: usize, loss: &str, rule: &str) -> PyResult<Slots> {
    let (loss, rule): (VoteLoss, SlotRule) =
        (word(py, "loss of an ensemble", loss)?, word(py, "rule of the slots", rule)?);
    Slots::new(count, loss, rule).map_err(|error| Failure::from(error).raise(py))
}

/// Numbers predicted by many trials about the same rows.
#[pyclass(name = "Means", module = "arbora._arbora", frozen)]
pub(crate) struct PyMeans(Mutex<MeanEnsemble>);

impl PyMeans {
    fn means(&self) -> Result<MutexGuard<'_, MeanEnsemble>, Failure> {
        self.0.lock().map_err(|_| poisoned())
    }
}

#[pymethods]
impl PyMeans {
    #[new]
    fn new(py: Python<'_>, truth: &[u8]) -> PyResult<Self> {
        let truth = numbers(truth)?;
        detached(py, || Ok(Self(Mutex::new(MeanEnsemble::new(truth)?))))
    }

    fn push(&self, py: Python<'_>, predictions: &[u8]) -> PyResult<()> {
        let predictions = numbers(predictions)?;
        detached(py, || Ok(self.means()?.push(predictions)?))
    }

    /// Positions of the members whose mean comes closest to the truth; see `Greedy` for the fields.
    fn greedy(&self, py: Python<'_>, fields: &Bound<'_, PyDict>, seed: u64) -> PyResult<Vec<usize>> {
        let greedy: Greedy = read(py, "ensemble", fields)?;
        detached(py, || Ok(greedy.select_means(&*self.means()?, &mut Rng::new(seed))?))
    }

    /// The mean squared error of the mean of some members, by their positions.
    fn loss(&self, py: Python<'_>, members: Vec<usize>) -> PyResult<f64> {
        detached(py, || {
            let means = self.means()?;
            let members = known(members, means.len())?;
            Ok(means.loss(&members))
        })
    }
}

/// These members, if the pool has them.
fn known(members: Vec<usize>, count: usize) -> Result<Vec<usize>, Failure> {
    let unknown = members.is_empty() || members.iter().any(|member| *member >= count);
    let why = "the members asked about are not in the pool";
    if unknown { Err(EvaluationError::Empty { why }.into()) } else { Ok(members) }
}

/// One of several words.
fn word<T: DeserializeOwned>(py: Python<'_>, what: &'static str, text: &str) -> PyResult<T> {
    serde_json::from_value(serde_json::Value::from(text)).map_err(|problem| {
        let problem = problem.to_string();
        Failure::from(SearchError::BadSpec { what, problem }).raise(py)
    })
}

/// Codes of classes; the largest code says nothing.
fn codes(bytes: &[u8]) -> PyResult<Vec<u32>> {
    let wide = |code: u16| if code == u16::MAX { ABSENT } else { u32::from(code) };
    let (pairs, rest) = bytes.as_chunks::<2>();
    whole(rest)?;
    Ok(pairs.iter().map(|pair| wide(u16::from_le_bytes(*pair))).collect())
}

fn numbers(bytes: &[u8]) -> PyResult<Vec<f64>> {
    let (eights, rest) = bytes.as_chunks::<8>();
    whole(rest)?;
    Ok(eights.iter().map(|eight| f64::from_le_bytes(*eight)).collect())
}

fn whole(rest: &[u8]) -> PyResult<()> {
    if rest.is_empty() {
        Ok(())
    } else {
        Err(PyValueError::new_err("predictions that end in the middle of one"))
    }
}
