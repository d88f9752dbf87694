//! Run histories of SMAC3: `runhistory.json`, with the space in `configspace.json` beside it.
//!
//! Versions 2.x write each run as an object, or earlier as a list; 1.x writes a key and a value. Every run becomes a
//! trial, so a configuration that ran with several seeds comes several times. Of runs with different budgets only those
//! with the largest are taken: a loss after one epoch is another objective than a loss after fifty.
use super::imported::Imported;
use crate::error::AppError;
use crate::files;
use arbora_search::{Direction, Report};
use arbora_space::{Space, Value};
use arbora_store::TrialResult;
use serde_json::Value as Json;
use std::path::Path;
use std::time::Duration;

/// One run.
struct Run {
    configuration: String,
    budget: Option<f64>,
    cost: Option<f64>,
    seconds: Option<f64>,
    status: String,
}

/// Reads a run history.
pub(crate) fn read(path: &Path, space: Option<Space>) -> Result<Imported, AppError> {
    let bad = |problem: String| AppError::BadImport { path: path.into(), problem };
    let document: Json =
        serde_json::from_str(&files::read(path)?).map_err(|trouble| bad(trouble.to_string()))?;
    let space = match space {
        Some(space) => space,
        None => files::space(&path.with_file_name("configspace.json"))?,
    };
    let runs = document["data"].as_array().ok_or_else(|| bad("it has no list `data`".to_owned()))?;
    let runs: Option<Vec<Run>> = runs.iter().map(run).collect();
    let runs = runs
        .ok_or_else(|| bad("a run in `data` is neither an object nor a list of a known length".to_owned()))?;
    let name = path.file_stem().map_or_else(|| "smac".to_owned(), |stem| stem.to_string_lossy().into_owned());
    let direction = Direction::Minimize;
    let mut imported =
        Imported { path: path.into(), name, space, direction, results: Vec::new(), left_out: Vec::new() };
    let largest = runs.iter().filter_map(|run| run.budget).fold(f64::NEG_INFINITY, f64::max);
    for run in runs {
        if run.budget.is_some_and(|budget| budget < largest) {
            imported.leave_out("run with a smaller budget");
            continue;
        }
        take(&mut imported, &run, &document["configs"][&run.configuration]);
    }
    Ok(imported)
}

fn take(imported: &mut Imported, run: &Run, values: &Json) {
    let given = values.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null());
    let given: Result<Vec<(String, Value)>, _> =
        given.map(|(name, value)| Ok((name.clone(), serde_json::from_value(value.clone())?))).collect();
    let made = match given {
        Ok(given) => imported.space.configuration(given).map_err(|trouble| trouble.to_string()),
        Err::<_, serde_json::Error>(trouble) => Err(trouble.to_string()),
    };
    let report = match (run.status.as_str(), run.cost) {
        ("RUNNING", _) => return imported.leave_out("run that had not ended"),
        ("SUCCESS", Some(cost)) => Report::Value(cost),
        (status, _) => Report::Failure(format!("{} in SMAC", status.to_lowercase())),
    };
    let duration = run.seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    match made {
        Ok(configuration) => {
            imported.results.push((configuration, TrialResult { duration, ..report.into() }));
        }
        Err(trouble) => imported.leave_out(trouble),
    }
}

/// One run in any of the forms.
fn run(entry: &Json) -> Option<Run> {
    match entry {
        Json::Object(fields) => Some(Run {
            configuration: id(fields.get("config_id")?)?,
            budget: fields.get("budget").and_then(Json::as_f64),
            cost: fields.get("cost").and_then(cost),
            seconds: fields.get("time").and_then(Json::as_f64),
            status: status(fields.get("status")?)?,
        }),
        Json::Array(fields) => match fields.as_slice() {
            [Json::Array(key), Json::Array(value)] => Some(Run {
                configuration: id(key.first()?)?,
                budget: key.get(3).and_then(Json::as_f64).filter(|budget| *budget > 0.0),
                cost: value.first().and_then(cost),
                seconds: value.get(1).and_then(Json::as_f64),
                status: status(value.get(2)?)?,
            }),
            [configuration, _, _, budget, cost_of, seconds, rest @ ..] if rest.len() >= 4 => Some(Run {
                configuration: id(configuration)?,
                budget: budget.as_f64(),
                cost: cost(cost_of),
                seconds: seconds.as_f64(),
                // Version 2.1 put the processor time before the status.
                status: status(&rest[rest.len() - 4])?,
            }),
            _ => None,
        },
        _ => None,
    }
}

fn id(entry: &Json) -> Option<String> {
    entry.as_i64().map(|number| number.to_string()).or_else(|| entry.as_str().map(str::to_owned))
}

/// A number, or the only one of a list.
fn cost(entry: &Json) -> Option<f64> {
    match entry.as_array().map(Vec::as_slice) {
        Some([only]) => only.as_f64(),
        Some(_) => None,
        None => entry.as_f64(),
    }
}

/// `1`, `"SUCCESS"` or `{"__enum__": "StatusType.SUCCESS"}`.
fn status(entry: &Json) -> Option<String> {
    const NAMES: [&str; 5] = ["RUNNING", "SUCCESS", "CRASHED", "TIMEOUT", "MEMORYOUT"];
    if let Some(number) = entry.as_u64() {
        return Some(
            usize::try_from(number).ok().and_then(|i| NAMES.get(i)).unwrap_or(&"CRASHED").to_string(),
        );
    }
    let name = entry.as_str().or_else(|| entry["__enum__"].as_str())?;
    Some(name.trim_start_matches("StatusType.").to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPACE: &str = r#"{"hyperparameters": [
        {"type": "categorical", "name": "model", "choices": ["svm", "tree"], "default_value": "svm"},
        {"type": "uniform_float", "name": "C", "lower": 0.1, "upper": 10.0, "default_value": 1.0}],
        "conditions": [{"type": "EQ", "child": "C", "parent": "model", "value": "svm"}],
        "forbiddens": [], "format_version": 0.4}"#;
    const CONFIGS: &str = r#""configs": {"1": {"model": "svm", "C": 2.5}, "2": {"model": "tree"}}"#;

    fn imported(data: &str) -> Result<Imported, AppError> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("configspace.json"), SPACE).unwrap();
        let path = folder.path().join("runhistory.json");
        std::fs::write(&path, format!("{{{data}, {CONFIGS}}}")).unwrap();
        read(&path, None)
    }

    fn reports(imported: &Imported) -> Vec<Report> {
        imported.results.iter().map(|(_, telling)| telling.report.clone()).collect()
    }

    /// The form of version 2.4 (`smac/runhistory/runhistory.py`).
    #[test]
    fn runs_as_objects() {
        let run = |config, budget: &str, cost, status| {
            format!(
                r#"{{"config_id": {config}, "instance": null, "seed": 0, "budget": {budget}, "cost": {cost}, "time": 1.5,
                    "cpu_time": 1.4, "status": {status}, "starttime": 1.0, "endtime": 2.5, "additional_info": {{}}}}"#
            )
        };
        let runs = [run(1, "null", 0.5, 1), run(2, "null", 1e9, 2), run(2, "null", 0.0, 0)].join(",");
        let imported = imported(&format!("\"data\": [{runs}]")).unwrap();
        assert_eq!(reports(&imported), [Report::Value(0.5), Report::Failure("crashed in SMAC".to_owned())]);
        assert_eq!(imported.results[0].1.duration, Some(Duration::from_millis(1500)));
        assert_eq!(imported.left_out, [("run that had not ended".to_owned(), 1)]);
    }

    #[test]
    fn runs_as_lists_and_only_the_largest_budget() {
        let imported = imported(
            r#""data": [[1, null, 0, 5.0, 0.9, 1.0, 1, 0.0, 1.0, {}], [1, null, 0, 50.0, 0.25, 9.0, 1, 0.0, 1.0, {}],
                [2, null, 0, 50.0, 0.5, 9.0, 8.9, 1, 0.0, 1.0, {}]]"#,
        )
        .unwrap();
        assert_eq!(reports(&imported), [Report::Value(0.25), Report::Value(0.5)]);
        assert_eq!(imported.left_out.len(), 1);
    }

    #[test]
    fn runs_as_pairs() {
        let imported = imported(
            r#""data": [[[1, null, 0, 0.0], [0.75, 2.0, {"__enum__": "StatusType.SUCCESS"}, 0.0, 1.0, {}]]]"#,
        )
        .unwrap();
        assert_eq!(reports(&imported), [Report::Value(0.75)]);
    }

    #[test]
    fn what_is_no_history_is_refused() {
        assert!(imported("\"data\": 3").err().unwrap().to_string().contains("no list `data`"));
        assert!(imported("\"data\": [[1, 2]]").err().unwrap().to_string().contains("known length"));
    }
}
