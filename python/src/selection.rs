//! Choosing among finished trials by losses the search never saw.
use crate::exception::Failure;
use arbora_evaluation::select::{Confirmation, HeldBack, Scored};
use arbora_search::SearchError;
use pyo3::prelude::*;

/// The trial a rule chooses; each is given as (number, generation, validation loss, selection loss).
#[pyfunction]
pub(crate) fn held_back(
    py: Python<'_>,
    trials: Vec<(u64, u64, f64, f64)>,
    rule: &str,
) -> PyResult<Option<u64>> {
    let rule: HeldBack = serde_json::from_value(serde_json::Value::from(rule)).map_err(|problem| {
        let problem = problem.to_string();
        Failure::from(SearchError::BadSpec { what: "rule of selection", problem }).raise(py)
    })?;
    let scored = trials.into_iter().map(|(trial, generation, validation, selection)| Scored {
        trial,
        generation,
        validation,
        selection,
    });
    Ok(rule.choose(&scored.collect::<Vec<_>>()))
}

/// The trial of least mean loss on fresh splits.
#[pyfunction]
pub(crate) fn confirmed(rounds: Vec<(u64, Vec<f64>)>) -> Option<u64> {
    let rounds = rounds.into_iter().map(|(trial, losses)| Confirmation { trial, losses });
    Confirmation::best(&rounds.collect::<Vec<_>>())
}

/// Mean difference of the losses of two trials on the same splits, and its standard error.
#[pyfunction]
pub(crate) fn paired(first: Vec<f64>, second: Vec<f64>) -> (f64, f64) {
    let of = |losses| Confirmation { trial: 0, losses };
    let paired = of(first).against(&of(second));
    (paired.difference, paired.error)
}
