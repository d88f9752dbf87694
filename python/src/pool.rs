//! Pools of predictions: labels as bytes of little-endian `u16`, numbers as bytes of little-endian `f64`.
//!
//! Bytes cross the border in one piece, which matters for thousands of rows times hundreds of trials.
use crate::detach::detached;
use crate::exception::Failure;
use crate::plan::read;
use crate::study::PyStudy;
use crate::trial_result::poisoned;
use crate::trial_view::Shown;
use arbora_evaluation::EvaluationError;
use arbora_evaluation::ensemble;
use arbora_evaluation::ensemble::{
    ABSENT, Candidates, Greedy, MeanEnsemble, Member, Pool, SlotRule, Slots, VoteLoss, Voters,
};
use arbora_model::{Interrupt, Workers};
use arbora_search::{Ask, SearchError, Study, Trial};
use arbora_space::Rng;
use arbora_store::{AskRequest, DurableStudy};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyDict;
use serde::de::DeserializeOwned;
use std::sync::{Mutex, MutexGuard};

/// Votes of many trials about the same rows, and the slots they have filled.
#[pyclass(name = "Votes", module = "arbora._arbora", frozen)]
pub(crate) struct PyVotes(Mutex<Held<Pool>>);

/// Numbers predicted by many trials about the same rows, and the slots they have filled.
#[pyclass(name = "Means", module = "arbora._arbora", frozen)]
pub(crate) struct PyMeans(Mutex<Held<MeanEnsemble>>);

struct Held<P> {
    pool: P,
    filled: Option<Filled>,
}

impl<P> Held<P> {
    fn new(pool: P) -> Mutex<Self> {
        Mutex::new(Self { pool, filled: None })
    }
}

/// Slots that have taken in so many members; kept, since filling them again would cost the square of the members.
struct Filled {
    judged: Judged,
    slots: Slots,
    taken: usize,
}

/// How votes are judged; numbers have their squared error.
type Judged = Option<(VoteLoss, SlotRule)>;

/// So many slots, with every member taken in.
fn filled<C: Candidates>(
    kept: &mut Option<Filled>,
    count: usize,
    judged: Judged,
    candidates: &C,
) -> Result<Slots, Failure> {
    let same = kept.take().filter(|filled| filled.judged == judged && filled.slots.count() == count);
    let mut now = match same {
        Some(filled) => filled,
        None => Filled { judged, slots: Slots::new(count)?, taken: 0 },
    };
    now.slots.update_from(candidates, now.taken);
    now.taken = candidates.count();
    let slots = now.slots.clone();
    *kept = Some(now);
    Ok(slots)
}

fn held<P>(of: &Mutex<Held<P>>) -> Result<MutexGuard<'_, Held<P>>, Failure> {
    of.lock().map_err(|_| poisoned())
}

fn with<P: Send, T: Send>(
    py: Python<'_>,
    of: &Mutex<Held<P>>,
    work: impl FnOnce(&mut Held<P>) -> Result<T, Failure> + Send,
) -> PyResult<T> {
    detached(py, || work(&mut *held(of)?))
}

#[pymethods]
impl PyVotes {
    #[new]
    fn new(py: Python<'_>, labels: &[u8], classes: usize) -> PyResult<Self> {
        let labels = codes(labels)?;
        detached(py, || Ok(Self(Held::new(Pool::new(labels, classes)?))))
    }

    fn push(&self, py: Python<'_>, trial: u64, loss: f64, votes: &[u8]) -> PyResult<()> {
        let votes = codes(votes)?;
        with(py, &self.0, |held| Ok(held.pool.push(Member { trial, loss, votes })?))
    }

    /// Positions of the members a greedy selection takes; see `Greedy` for the fields.
    fn greedy(&self, py: Python<'_>, fields: &Bound<'_, PyDict>, seed: u64) -> PyResult<Vec<usize>> {
        let greedy: Greedy = read(py, "ensemble", fields)?;
        with(py, &self.0, |held| Ok(greedy.select(&held.pool, &mut Rng::new(seed))?))
    }

    /// The loss of the votes of some members, by their positions.
    fn loss(&self, py: Python<'_>, members: Vec<usize>, loss: &str) -> PyResult<f64> {
        let loss: VoteLoss = word(py, LOSS, loss)?;
        with(py, &self.0, |held| {
            let members = known(members, held.pool.members().len())?;
            Ok(loss.of(&held.pool.votes_of(&members)))
        })
    }

    /// What some members vote for together, as codes of classes.
    fn predict(&self, py: Python<'_>, members: Vec<usize>) -> PyResult<Vec<u32>> {
        with(py, &self.0, |held| {
            let members = known(members, held.pool.members().len())?;
            Ok(held.pool.votes_of(&members).predict())
        })
    }

    /// Positions of the members in the slots, as trial after trial has filled them.
    fn slots(&self, py: Python<'_>, count: usize, loss: &str, rule: &str) -> PyResult<Vec<usize>> {
        let (loss, rule) = (word(py, LOSS, loss)?, word(py, RULE, rule)?);
        with(py, &self.0, |Held { pool, filled: kept }| {
            Ok(filled(kept, count, Some((loss, rule)), &Voters { pool, loss, rule })?.members())
        })
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
        let (loss, rule) = (word(py, LOSS, loss)?, word(py, RULE, rule)?);
        let claim = study.claim(worker, lease, stale)?;
        let shown = study.interruptible(py, None, |study, interrupt| {
            let Held { pool, filled: kept } = &mut *held(&self.0)?;
            let voters = Voters { pool, loss, rule };
            next(study, &claim, &filled(kept, count, Some((loss, rule)), &voters)?, &voters, interrupt)
        });
        shown?.dict(py)
    }
}

#[pymethods]
impl PyMeans {
    #[new]
    fn new(py: Python<'_>, truth: &[u8]) -> PyResult<Self> {
        let truth = numbers(truth)?;
        detached(py, || Ok(Self(Held::new(MeanEnsemble::new(truth)?))))
    }

    /// A trial joins; answers with its mean squared error.
    fn push(&self, py: Python<'_>, trial: u64, predictions: &[u8]) -> PyResult<f64> {
        let predictions = numbers(predictions)?;
        with(py, &self.0, |held| Ok(held.pool.push(trial, predictions)?))
    }

    /// Positions of the members whose mean comes closest to the truth; see `Greedy` for the fields.
    fn greedy(&self, py: Python<'_>, fields: &Bound<'_, PyDict>, seed: u64) -> PyResult<Vec<usize>> {
        let greedy: Greedy = read(py, "ensemble", fields)?;
        with(py, &self.0, |held| Ok(greedy.select_means(&held.pool, &mut Rng::new(seed))?))
    }

    /// The mean squared error of the mean of some members, by their positions.
    fn loss(&self, py: Python<'_>, members: Vec<usize>) -> PyResult<f64> {
        with(py, &self.0, |held| {
            let members = known(members, held.pool.len())?;
            Ok(held.pool.loss(&members))
        })
    }

    /// Positions of the members in the slots, as trial after trial has filled them.
    fn slots(&self, py: Python<'_>, count: usize) -> PyResult<Vec<usize>> {
        with(py, &self.0, |Held { pool, filled: kept }| Ok(filled(kept, count, None, pool)?.members()))
    }

    /// The next trial of a study that looks for the member its ensemble still needs.
    fn ask<'py>(
        &self,
        py: Python<'py>,
        study: &PyStudy,
        count: usize,
        worker: String,
        lease: Option<f64>,
        stale: &str,
    ) -> PyResult<Bound<'py, PyDict>> {
        let claim = study.claim(worker, lease, stale)?;
        let shown = study.interruptible(py, None, |study, interrupt| {
            let Held { pool, filled: kept } = &mut *held(&self.0)?;
            next(study, &claim, &filled(kept, count, None, pool)?, pool, interrupt)
        });
        shown?.dict(py)
    }
}

const LOSS: &str = "loss of an ensemble";
const RULE: &str = "rule of the slots";

/// Asks a study for the trial that its strategy suggests when it is shown what each trial is worth to the ensemble.
fn next<C: Candidates>(
    study: &mut DurableStudy,
    claim: &AskRequest,
    slots: &Slots,
    candidates: &C,
    interrupt: &Interrupt,
) -> Result<Shown, Failure> {
    let record = study.ask_by(claim, |study| suggest(slots, candidates, study, interrupt))?;
    Ok(Shown::of(record, study.space()))
}

fn suggest<C: Candidates>(
    slots: &Slots,
    candidates: &C,
    study: &Study,
    interrupt: &Interrupt,
) -> Result<Trial, Failure> {
    let (space, history, options) = (study.space(), study.history(), study.options());
    let strategy = options.strategy.build(space, &Workers::serial())?;
    let ask = Ask { space, history, seed: options.seed, repeats: options.repeats, interrupt };
    let number = history.len() as u64;
    let mut rng = Rng::for_trial(options.seed, number);
    let next = slots.suggest(candidates, strategy.as_ref(), &ask, &mut rng);
    // Once it was raised, any answer was good enough.
    if interrupt.is_raised() {
        return Err(SearchError::Interrupted.into());
    }
    let next = next?;
    let (configuration, effort, memo) = (next.configuration, next.effort, next.memo);
    Ok(Trial::asked(number, configuration, effort, memo))
}

/// What members vote for with their weights, as codes of classes.
#[pyfunction]
pub(crate) fn vote(
    py: Python<'_>,
    members: Vec<PyBackedBytes>,
    weights: Vec<f64>,
    classes: usize,
) -> PyResult<Vec<u32>> {
    let members: Vec<Vec<u32>> = members.into_iter().map(|member| codes(&member)).collect::<PyResult<_>>()?;
    detached(py, move || Ok(ensemble::vote(&slices(&members), &weights, classes)?))
}

/// The weighted mean of what members predict.
#[pyfunction]
pub(crate) fn average(py: Python<'_>, members: Vec<PyBackedBytes>, weights: Vec<f64>) -> PyResult<Vec<f64>> {
    let members: Vec<Vec<f64>> =
        members.into_iter().map(|member| numbers(&member)).collect::<PyResult<_>>()?;
    detached(py, move || Ok(ensemble::average(&slices(&members), &weights)?))
}

fn slices<T>(members: &[Vec<T>]) -> Vec<&[T]> {
    members.iter().map(Vec::as_slice).collect()
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
