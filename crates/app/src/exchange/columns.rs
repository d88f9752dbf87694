//! Trials as columns: what is known of each, then one column per parameter, `configuration.NAME`.
use arbora_space::Value;
use arbora_store::{DurableStudy, Timestamp, TrialRecord};

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Integer,
    Real,
    Truth,
    Text,
    /// Milliseconds since 1970, UTC.
    Time,
}

/// One column; a cell is empty where nothing is known or the parameter is inactive.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) cells: Vec<Option<Value>>,
}

/// All trials of a study.
pub(crate) fn columns(study: &DurableStudy) -> Vec<Column> {
    let trials: Vec<TrialRecord<'_>> = study.trials().collect();
    let mut columns = facts(&trials);
    for parameter in &study.space().spec().parameters {
        let value = |trial: &TrialRecord<'_>| study.space().value(trial.configuration(), &parameter.name);
        let cells: Vec<Option<Value>> = trials.iter().map(value).collect();
        let name = format!("configuration.{}", parameter.name);
        columns.push(Column { name, kind: kind(&cells), cells });
    }
    columns
}

fn facts(trials: &[TrialRecord<'_>]) -> Vec<Column> {
    let column = |name: &str, kind, cell: &dyn Fn(&TrialRecord<'_>) -> Option<Value>| Column {
        name: name.to_owned(),
        kind,
        cells: trials.iter().map(cell).collect(),
    };
    let whole = |number: u64| i64::try_from(number).ok().map(Value::Int);
    let text = |text: Option<&str>| text.map(Value::from);
    let time = |at: Option<Timestamp>| at.map(|at| Value::Int(at.0));
    let document =
        |is_empty: bool, value: serde_json::Value| (!is_empty).then(|| Value::from(value.to_string()));
    vec![
        column("number", Kind::Integer, &|trial| whole(trial.number())),
        column("state", Kind::Text, &|trial| Some(trial.state().name().into())),
        column("value", Kind::Real, &|trial| trial.value().map(Value::from)),
        column("loss", Kind::Real, &|trial| trial.loss().map(Value::from)),
        column("cost", Kind::Real, &|trial| trial.cost().map(Value::from)),
        column("duration", Kind::Real, &|trial| trial.duration.map(|d| d.as_secs_f64().into())),
        column("asked_at", Kind::Time, &|trial| time(Some(trial.asked_at))),
        column("started_at", Kind::Time, &|trial| time(trial.started_at)),
        column("ended_at", Kind::Time, &|trial| time(trial.ended_at)),
        column("worker", Kind::Text, &|trial| text(trial.worker.as_deref())),
        column("reason", Kind::Text, &|trial| text(trial.reason())),
        column("attributes", Kind::Text, &|trial| {
            document(trial.attributes.is_empty(), serde_json::Value::Object(trial.attributes.clone()))
        }),
    ]
}

/// The narrowest kind that holds all values; none and inactive fit anywhere.
fn kind(cells: &[Option<Value>]) -> Kind {
    let mut values = cells.iter().flatten().filter(|value| !value.is_none()).peekable();
    if values.peek().is_none() {
        return Kind::Text;
    }
    if values.clone().all(|value| value.as_bool().is_some()) {
        Kind::Truth
    } else if values.clone().all(|value| matches!(value, Value::Int(_))) {
        Kind::Integer
    } else if values.all(|value| value.as_f64().is_some()) {
        Kind::Real
    } else {
        Kind::Text
    }
}
