//! The tables of an Optuna file, as they are.
use super::distribution::Distribution;
use arbora_search::Direction;
use arbora_space::words::hint;
use arbora_space::{Named, Value};
use rusqlite::{Connection, OpenFlags};
use serde_json::{Map, Value as Json};
use std::path::Path;
use std::time::Duration;

/// One study.
pub(super) struct RawStudy {
    pub(super) name: String,
    pub(super) direction: Direction,
    pub(super) trials: Vec<RawTrial>,
}

/// One trial; parameters in the order in which they were chosen.
pub(super) struct RawTrial {
    pub(super) state: String,
    pub(super) value: Option<f64>,
    pub(super) duration: Option<Duration>,
    pub(super) parameters: Vec<(String, Value, Distribution)>,
    pub(super) attributes: Map<String, Json>,
}

impl RawTrial {
    /// Values by name.
    pub(super) fn values(&self) -> Named {
        self.parameters.iter().map(|(name, value, _)| (name.clone(), value.clone())).collect()
    }
}

/// Reads a study of a file, without writing to it.
pub(super) fn read(path: &Path, name: Option<&str>) -> Result<RawStudy, String> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let file = Connection::open_with_flags(path, flags).map_err(|trouble| trouble.to_string())?;
    let (id, name) = find(&file, name)?;
    let direction = direction(&file, id)?;
    let trials = trials(&file, id).map_err(|trouble| format!("cannot read its trials: {trouble}"))?;
    let trials =
        trials.into_iter().map(|(id, trial)| complete(&file, id, trial)).collect::<Result<_, _>>()?;
    Ok(RawStudy { name, direction, trials })
}

fn find(file: &Connection, wanted: Option<&str>) -> Result<(i64, String), String> {
    let known = rows(file, "SELECT study_id, study_name FROM studies ORDER BY study_id", [], |row| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?))
    });
    let known = known.map_err(|trouble| format!("it is not a file of Optuna: {trouble}"))?;
    let names = || known.iter().map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(", ");
    match (wanted, known.as_slice()) {
        (None, [only]) => Ok(only.clone()),
        (None, []) => Err("it holds no study".to_owned()),
        (None, _) => Err(format!("it holds several studies: {}; choose one with --study", names())),
        (Some(wanted), _) => {
            let found = known.iter().find(|(_, name)| name == wanted);
            let meant = || hint(wanted, known.iter().map(|(_, name)| name.as_str()));
            found
                .cloned()
                .ok_or_else(|| format!("no study is called `{wanted}`; there are: {}{}", names(), meant()))
        }
    }
}

fn direction(file: &Connection, study: i64) -> Result<Direction, String> {
    let directions =
        rows(file, "SELECT direction FROM study_directions WHERE study_id = ?1", [study], |row| {
            row.get::<_, String>(0)
        });
    match directions.map_err(|trouble| trouble.to_string())?.as_slice() {
        [one] if one == "MAXIMIZE" => Ok(Direction::Maximize),
        [_] | [] => Ok(Direction::Minimize),
        several => Err(format!("the study has {} objectives; only one can be taken", several.len())),
    }
}

fn trials(file: &Connection, study: i64) -> rusqlite::Result<Vec<(i64, RawTrial)>> {
    const TRIALS: &str = "
        SELECT t.trial_id, t.state, (julianday(t.datetime_complete) - julianday(t.datetime_start)) * 86400.0, v.value
        FROM trials t LEFT JOIN trial_values v ON v.trial_id = t.trial_id AND v.objective = 0
        WHERE t.study_id = ?1 ORDER BY t.number";
    rows(file, TRIALS, [study], |row| {
        let seconds: Option<f64> = row.get(2)?;
        let trial = RawTrial {
            state: row.get(1)?,
            // Infinite values are stored as no number; they say as much as a failure.
            value: row.get(3)?,
            duration: seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
            parameters: Vec::new(),
            attributes: Map::new(),
        };
        Ok((row.get(0)?, trial))
    })
}

fn complete(file: &Connection, id: i64, mut trial: RawTrial) -> Result<RawTrial, String> {
    const ATTRIBUTES: &str = "SELECT key, value_json FROM trial_user_attributes WHERE trial_id = ?1";
    const VALUES: &str = "SELECT param_name, param_value, distribution_json FROM trial_params WHERE trial_id = ?1 ORDER BY param_id";
    let values = rows(file, VALUES, [id], |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, f64>(1)?, row.get::<_, String>(2)?))
    });
    for (name, stored, text) in values.map_err(|trouble| trouble.to_string())? {
        let bad = || format!("parameter `{name}`: cannot read its distribution {text}");
        let distribution = Distribution::parse(&text).ok_or_else(bad)?;
        let value = distribution.value(stored).ok_or_else(bad)?;
        trial.parameters.push((name, value, distribution));
    }
    let attributes =
        rows(file, ATTRIBUTES, [id], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)));
    for (key, text) in attributes.map_err(|trouble| trouble.to_string())? {
        trial.attributes.insert(key, serde_json::from_str(&text).unwrap_or(Json::String(text)));
    }
    Ok(trial)
}

fn rows<T>(
    file: &Connection,
    query: &str,
    parameters: impl rusqlite::Params,
    read: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Vec<T>> {
    file.prepare(query)?.query_map(parameters, read)?.collect()
}
