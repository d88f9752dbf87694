//! How a trial ended and who asks for one, as the façade says it.
use crate::exception::Failure;
use crate::json;
use arbora_search::Report;
use arbora_store::{self as store, AskRequest, StalePolicy};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::time::Duration;

/// The end of a trial as the façade says it, see `arbora.trial_result`: one of the first five fields is given.
#[derive(FromPyObject)]
pub(crate) struct TrialResult<'py> {
    value: Option<f64>,
    loss: Option<f64>,
    failure: Option<String>,
    pruned: Option<String>,
    abandoned: Option<String>,
    cost: Option<f64>,
    duration: Option<f64>,
    attributes: Option<Bound<'py, PyAny>>,
    trace: Option<String>,
}

impl TrialResult<'_> {
    /// The same, as the store takes it.
    pub(crate) fn result(self) -> PyResult<store::TrialResult> {
        let report = match (self.value, self.loss, self.failure, self.pruned) {
            (Some(value), ..) => Report::Value(value),
            (_, Some(loss), ..) => Report::Loss(loss),
            (_, _, Some(reason), _) => Report::Failure(reason),
            (.., Some(reason)) => Report::Pruned(reason),
            _ => Report::Abandoned(self.abandoned.unwrap_or_default()),
        };
        let mut result = store::TrialResult::from(report);
        result.cost = self.cost;
        result.duration = self.duration.map(seconds).transpose()?;
        result.trace = self.trace;
        if let Some(attributes) = &self.attributes {
            result.attributes = json::map(attributes)?;
        }
        Ok(result)
    }
}

/// A length of time given in seconds.
pub(crate) fn seconds(number: f64) -> PyResult<Duration> {
    let bad = |_| PyValueError::new_err(format!("{number} is not a length of time in seconds"));
    Duration::try_from_secs_f64(number).map_err(bad)
}

/// Who asks, and what becomes of the trials of workers that fell silent.
pub(crate) fn claim(worker: String, lease: Option<f64>, stale: &str) -> PyResult<AskRequest> {
    let mut claim = AskRequest::by(worker);
    claim.lease = lease.map(seconds).transpose()?;
    claim.stale = match stale {
        "again" => StalePolicy::HandOutAgain,
        "abandon" => StalePolicy::Abandon,
        "leave" => StalePolicy::Leave,
        other => {
            return Err(PyValueError::new_err(format!(
                "stale = {other:?} is invalid: it is \"again\", \"abandon\" or \"leave\""
            )));
        }
    };
    Ok(claim)
}

/// A lock that a panic left behind.
pub(crate) fn poisoned() -> Failure {
    Failure::Panic("an earlier panic left this study in an unknown state; load it again".to_owned())
}
