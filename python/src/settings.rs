//! The settings of a study at the border.
use crate::failure::Failure;
use crate::json;
use arbora_search::{Direction, SearchError, StrategySpec, StudyOptions, ValueRange};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use serde_json::{Value as Json, json};

/// Settings as given; without a seed, that of the stored study counts, or else the one drawn.
pub(crate) struct Wanted {
    options: StudyOptions,
    is_seeded: bool,
}

impl Wanted {
    /// The settings for a study that may be stored already.
    pub(crate) fn options(self, stored_seed: Option<u64>) -> StudyOptions {
        let seed = stored_seed.filter(|_| !self.is_seeded).unwrap_or(self.options.seed);
        StudyOptions { seed, ..self.options }
    }
}

/// What went wrong while reading settings.
pub(crate) enum Trouble {
    Python(PyErr),
    Search(SearchError),
}

impl From<PyErr> for Trouble {
    fn from(error: PyErr) -> Self {
        Trouble::Python(error)
    }
}

impl From<SearchError> for Trouble {
    fn from(error: SearchError) -> Self {
        Trouble::Search(error)
    }
}

impl Trouble {
    pub(crate) fn raise(self, py: Python<'_>) -> PyErr {
        match self {
            Trouble::Python(error) => error,
            Trouble::Search(error) => Failure::from(error).raise(py),
        }
    }
}

/// `strategy` (a name or a specification), `direction`, `seed`, `is_seeded`, `repeats`, `threads`, `deterministic`, `range`.
pub(crate) fn read(fields: &Bound<'_, PyDict>) -> Result<Wanted, Trouble> {
    let mut options = StudyOptions::default();
    if let Some(strategy) = fields.get_item("strategy")? {
        options.strategy = read_strategy(&strategy)?;
    }
    if let Some(direction) = fields.get_item("direction")? {
        options.direction = match direction.extract::<String>()?.as_str() {
            "minimize" => Direction::Minimize,
            "maximize" => Direction::Maximize,
            other => {
                let problem = "it is \"minimize\" or \"maximize\"";
                return Err(SearchError::BadSetting {
                    setting: "direction",
                    value: other.to_owned(),
                    problem,
                }
                .into());
            }
        };
    }
    if let Some(seed) = fields.get_item("seed")? {
        options.seed = seed.extract()?;
    }
    if let Some(repeats) = fields.get_item("repeats")? {
        options.repeats = repeats.extract()?;
    }
    if let Some(threads) = fields.get_item("threads")? {
        options.threads = threads.extract()?;
    }
    if let Some(deterministic) = fields.get_item("deterministic")? {
        options.deterministic = deterministic.extract()?;
    }
    if let Some(range) = fields.get_item("range")? {
        let (low, high) = range.extract()?;
        options.range = ValueRange { low, high };
    }
    let is_seeded = fields.get_item("is_seeded")?.map_or(Ok(true), |object| object.extract())?;
    Ok(Wanted { options, is_seeded })
}

fn read_strategy(object: &Bound<'_, PyAny>) -> Result<StrategySpec, Trouble> {
    match object.cast::<PyString>() {
        Ok(name) => Ok(name.to_cow()?.parse()?),
        Err(_) => Ok(serde_json::from_value(json::json(object)?)
            .map_err(|problem| SearchError::BadSpec { what: "strategy", problem: problem.to_string() })?),
    }
}

/// The settings as plain data; a strategy that has a name is shown by it.
pub(crate) fn written(options: &StudyOptions) -> Json {
    let names = arbora_search::STRATEGIES.iter().map(|(name, _)| *name);
    let name =
        names.into_iter().find(|name| name.parse().is_ok_and(|spec: StrategySpec| spec == options.strategy));
    let strategy = match name {
        Some(name) => Json::from(name),
        None => serde_json::to_value(&options.strategy).unwrap_or(Json::Null),
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
    })
}

/// Raises what is wrong with settings that no study has yet.
#[pyfunction]
pub(crate) fn check_settings(py: Python<'_>, fields: &Bound<'_, PyDict>) -> PyResult<()> {
    read(fields).map(|_| ()).map_err(|trouble| trouble.raise(py))
}

/// The names of the strategies, with what they stand for.
#[pyfunction]
pub(crate) fn strategies() -> Vec<(&'static str, &'static str)> {
    arbora_search::STRATEGIES.to_vec()
}
