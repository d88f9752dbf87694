//! Trials as plain Python data.
use crate::{json, value};
use arbora_space::{Named, Space};
use arbora_store::{Origin, TrialRecord};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A trial taken out of its study: what it is set to, by name.
pub(crate) struct Shown {
    record: TrialRecord<'static>,
    configuration: Named,
}

impl Shown {
    pub(crate) fn of(record: TrialRecord<'_>, space: &Space) -> Self {
        let configuration = space.named(record.configuration());
        Self { record: record.into_owned(), configuration }
    }

    /// One entry per field; times in milliseconds since 1970, durations in seconds.
    pub(crate) fn dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (record, configuration, dict) = (&self.record, PyDict::new(py), PyDict::new(py));
        for (name, value) in self.configuration.iter() {
            configuration.set_item(name, value::object(py, value)?)?;
        }
        dict.set_item("number", record.number())?;
        dict.set_item("configuration", configuration)?;
        dict.set_item("share", record.effort().share())?;
        dict.set_item("fold", record.effort().fold())?;
        dict.set_item("state", record.state().name())?;
        dict.set_item("origin", origin(record.origin))?;
        dict.set_item("loss", record.loss())?;
        dict.set_item("value", record.value())?;
        dict.set_item("cost", record.cost())?;
        dict.set_item("duration", record.duration.map(|duration| duration.as_secs_f64()))?;
        dict.set_item("asked_at", record.asked_at.0)?;
        dict.set_item("started_at", record.started_at.map(|at| at.0))?;
        dict.set_item("ended_at", record.ended_at.map(|at| at.0))?;
        dict.set_item("worker", &record.worker)?;
        dict.set_item("attempts", record.attempts)?;
        dict.set_item("reason", record.reason())?;
        dict.set_item("trace", &record.trace)?;
        dict.set_item("attributes", json::dict(py, &record.attributes)?)?;
        dict.set_item("intermediate", &record.intermediate)?;
        Ok(dict)
    }
}

fn origin(origin: Origin) -> &'static str {
    match origin {
        Origin::Suggested => "suggested",
        Origin::Queued => "queued",
        Origin::Added => "added",
    }
}
