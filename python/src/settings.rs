//! The settings of a study at the border.
use crate::exception::Failure;
use crate::json;
use arbora_search::{Direction, PrunerSpec, SearchError, StrategySpec, StudyOptions, ValueRange};
use pyo3::prelude::*;
use pyo3::types::PyString;
use serde_json::{Value as Json, json};

/// The settings of a study as the façade says them, see `arbora.settings`.
#[derive(FromPyObject)]
pub(crate) struct Settings<'py> {
    /// A name or a specification.
    strategy: Bound<'py, PyAny>,
    direction: String,
    seed: u64,
    repeats: bool,
    threads: usize,
    deterministic: bool,
    range: (Option<f64>, Option<f64>),
    /// A name or a specification; `None` if the user chose none.
    pub(crate) pruner: Option<Bound<'py, PyAny>>,
    /// Did the user choose the seed?
    pub(crate) is_seeded: bool,
}

impl Settings<'_> {
    /// The same, as a study takes them.
    pub(crate) fn options(self, py: Python<'_>) -> PyResult<StudyOptions> {
        let raise = |error: SearchError| Failure::from(error).raise(py);
        let (low, high) = self.range;
        Ok(StudyOptions {
            strategy: self.strategy()?.map_err(raise)?,
            direction: direction(&self.direction).map_err(raise)?,
            seed: self.seed,
            repeats: self.repeats,
            threads: self.threads,
            deterministic: self.deterministic,
            range: ValueRange { low, high },
            pruner: self.pruner()?.map_err(raise)?,
        })
    }

    fn pruner(&self) -> PyResult<Result<PrunerSpec, SearchError>> {
        let Some(given) = &self.pruner else { return Ok(Ok(PrunerSpec::default())) };
        Ok(serde_json::from_value(json::json(given)?)
            .map_err(|problem| SearchError::BadSpec { what: "pruner", problem: problem.to_string() }))
    }

    fn strategy(&self) -> PyResult<Result<StrategySpec, SearchError>> {
        Ok(match self.strategy.cast::<PyString>() {
            Ok(name) => name.to_cow()?.parse(),
            Err(_) => serde_json::from_value(json::json(&self.strategy)?)
                .map_err(|problem| SearchError::BadSpec { what: "strategy", problem: problem.to_string() }),
        })
    }
}

fn direction(name: &str) -> Result<Direction, SearchError> {
    match name {
        "minimize" => Ok(Direction::Minimize),
        "maximize" => Ok(Direction::Maximize),
        other => {
            let problem = "it is \"minimize\" or \"maximize\"";
            Err(SearchError::BadSetting { setting: "direction", value: other.to_owned(), problem })
        }
    }
}

/// The settings as plain data; a strategy that has a name is shown by it.
pub(crate) fn written(options: &StudyOptions) -> Json {
    let strategy = match options.strategy.name() {
        Some(name) => Json::from(name),
        None => serde_json::to_value(&options.strategy).unwrap_or(Json::Null),
    };
    let pruner = match PrunerSpec::named(options.pruner.kind()) {
        Ok(plain) if plain == options.pruner => Json::from(options.pruner.kind()),
        _ => serde_json::to_value(&options.pruner).unwrap_or(Json::Null),
    };
    let direction = match options.direction {
        Direction::Minimize => "minimize",
        Direction::Maximize => "maximize",
    };
    json!({
        "strategy": strategy,
        "direction": direction,
        "seed": options.seed,
        "repeats": options.repeats,
        "threads": options.threads,
        "deterministic": options.deterministic,
        "range": [options.range.low, options.range.high],
        "pruner": pruner,
    })
}

/// Raises what is wrong with settings that no study has yet.
#[pyfunction]
pub(crate) fn check_settings(py: Python<'_>, settings: Settings<'_>) -> PyResult<()> {
    settings.options(py).map(|_| ())
}
