//! Trials as JSON and as lines of a table.
use super::{Table, short, value};
use crate::duration;
use arbora_space::{Configuration, Space};
use arbora_store::{DurableStudy, Timestamp, TrialRecord};
use serde_json::{Value as Json, json};

/// Active parameters for people: `model=svm C=12.3`.
pub(crate) fn assignment(space: &Space, configuration: &Configuration) -> String {
    let named = space.named(configuration).into_iter();
    named.map(|(name, shown)| format!("{name}={}", value(&shown))).collect::<Vec<_>>().join(" ")
}

/// Everything about a trial, for machines.
pub(crate) fn record(space: &Space, trial: &TrialRecord<'_>) -> Json {
    let time = |at: Option<Timestamp>| at.map(|at| at.to_string());
    json!({
        "number": trial.number(),
        "state": trial.state().name(),
        "value": trial.value(),
        "loss": trial.loss(),
        "configuration": space.named(trial.configuration()),
        "cost": trial.cost(),
        "duration": trial.duration.map(|duration| duration.as_secs_f64()),
        "asked_at": trial.asked_at.to_string(),
        "started_at": time(trial.started_at),
        "ended_at": time(trial.ended_at),
        "worker": trial.worker,
        "attempts": trial.attempts,
        "reason": trial.reason(),
        "trace": trial.trace,
        "attributes": trial.attributes,
        "intermediate": trial.intermediate,
    })
}

/// Trials for people; the reason of a failure comes before its configuration.
pub(crate) fn listing(study: &DurableStudy, trials: &[TrialRecord<'_>]) -> Table {
    let mut table = Table::new(["trial", "state", "value", "took", "configuration"]);
    for trial in trials {
        let reason = trial.reason().map(|reason| format!("({reason}) ")).unwrap_or_default();
        table.row([
            trial.number().to_string(),
            trial.state().to_string(),
            trial.value().map(short).unwrap_or_default(),
            trial.duration.map(duration::show).unwrap_or_default(),
            reason + &assignment(study.space(), trial.configuration()),
        ]);
    }
    table
}
