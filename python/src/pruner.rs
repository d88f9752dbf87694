//! Pruners by name, and the race over folds.
use arbora_search::pruner::RacePruner;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The names of the pruners with one line each, the default first.
#[pyfunction]
pub(crate) fn pruners() -> Vec<(String, String)> {
    arbora_search::pruner::pruners()
}

/// What the race over folds goes by: trials before the first, the place of the rival, standard errors.
#[pyfunction]
pub(crate) fn race_settings() -> (usize, usize, f64) {
    let RacePruner { startup_trials, rival, errors } = RacePruner::default();
    (startup_trials, rival, errors)
}

/// The loss to beat.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "Python hands over what it converted")]
pub(crate) fn race_rival(losses: Vec<f64>) -> PyResult<f64> {
    let none = || PyValueError::new_err("there is no rival before the first complete trial");
    RacePruner::default().rival(&losses).ok_or_else(none)
}

/// The mean losses beyond which a trial ends, after one fold, two folds and so on.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "Python hands over what it converted")]
pub(crate) fn race_bars(complete: Vec<Vec<f64>>, folds: usize) -> Vec<f64> {
    RacePruner::default().bars(&complete, folds)
}
