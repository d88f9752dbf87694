//! What the façade says about the end of a trial, and who it says to be.
use crate::failure::Failure;
use crate::json;
use arbora_search::Report;
use arbora_store::{AskRequest, StalePolicy, TrialResult};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::time::Duration;

/// A dict with one of `value`, `loss`, `failure` and `abandoned`, and perhaps `cost`, `duration`, `attributes`,
/// `trace`. A loss is turned into a value by the direction of the study, which `value_of` knows.
pub(crate) fn telling(fields: &Bound<'_, PyDict>, value_of: impl Fn(f64) -> f64) -> PyResult<TrialResult> {
    let text = |name: &str| fields.get_item(name)?.map(|object| object.extract::<String>()).transpose();
    let number = |name: &str| fields.get_item(name)?.map(|object| object.extract::<f64>()).transpose();
    let report = if let Some(value) = number("value")? {
        Report::Value(value)
    } else if let Some(loss) = number("loss")? {
        Report::Value(value_of(loss))
    } else if let Some(reason) = text("failure")? {
        Report::Failure(reason)
    } else {
        Report::Abandoned(text("abandoned")?.unwrap_or_default())
    };
    let mut telling = TrialResult::from(report);
    telling.cost = number("cost")?;
    telling.duration = number("duration")?.map(seconds).transpose()?;
    telling.trace = text("trace")?;
    if let Some(attributes) = fields.get_item("attributes")? {
        telling.attributes = json::map(&attributes)?;
    }
    Ok(telling)
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
                "stale = {other:?} is not possible: it is \"again\", \"abandon\" or \"leave\""
            )));
        }
    };
    Ok(claim)
}

/// A lock that a panic left behind.
pub(crate) fn poisoned() -> Failure {
    Failure::Panic("an earlier panic left this study in an unknown state; load it again".to_owned())
}
