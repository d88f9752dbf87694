//! A study behind a pipe: one JSON line in, one JSON line out, for programs in any language.
//!
//! ```text
//! → {"space": {"parameters": {…}}, "strategy": "gp-conditional", "seed": 0}      ← {"ready": true}
//! → {"ask": true}                              ← {"number": 0, "configuration": {"x": 0.5}}
//! → {"tell": 0, "loss": 0.25}                  ← {"told": 0}        (a loss of null: the evaluation failed)
//! → {"add": {"x": 0.1}, "loss": 0.5}           ← {"told": 1}        (a result known from elsewhere)
//! ```
//!
//! A strategy is a name or a full spec. Errors are answered with `{"error": "…"}`, and the study
//! continues. The program ends at the end of its input.
use arbora_search::{Report, SearchError, StrategySpec, Study, StudyOptions};
use arbora_space::{Named, Space};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::io::{self, BufRead, Write};

#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Request {
    Start {
        space: Json,
        strategy: Chosen,
        #[serde(default)]
        seed: u64,
    },
    Ask {
        ask: bool,
    },
    Tell {
        tell: u64,
        loss: Option<f64>,
    },
    Add {
        add: Named,
        loss: Option<f64>,
    },
}

/// A strategy by name or as a full spec.
#[derive(Deserialize)]
#[serde(untagged)]
enum Chosen {
    Named(String),
    Spec(StrategySpec),
}

impl Chosen {
    fn spec(self) -> Result<StrategySpec, SearchError> {
        match self {
            Chosen::Named(name) => name.parse(),
            Chosen::Spec(spec) => Ok(spec),
        }
    }
}

#[derive(Debug, thiserror::Error)]
enum Problem {
    #[error("not a request: {0}")]
    Json(#[from] serde_json::Error),
    #[error("{0}")]
    Search(#[from] SearchError),
    #[error("no study yet: begin with {{\"space\": …, \"strategy\": …, \"seed\": …}}")]
    NotStarted,
    #[error("`ask` must be true")]
    NotAsked,
}

fn main() -> io::Result<()> {
    arbora_papers::register().map_err(io::Error::other)?;
    let (mut study, mut out) = (None, io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let answer = answer(&line?, &mut study).unwrap_or_else(|e| json!({ "error": e.to_string() }));
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

fn answer(line: &str, study: &mut Option<Study>) -> Result<Json, Problem> {
    match (serde_json::from_str(line)?, study.as_mut()) {
        (Request::Start { space, strategy, seed }, _) => {
            let space = Space::from_json(&space.to_string()).map_err(SearchError::from)?;
            let options = StudyOptions { strategy: strategy.spec()?, seed, ..StudyOptions::default() };
            *study = Some(Study::new(space, options)?);
            Ok(json!({ "ready": true }))
        }
        (_, None) => Err(Problem::NotStarted),
        (Request::Ask { ask: false }, _) => Err(Problem::NotAsked),
        (Request::Ask { ask: true }, Some(study)) => ask(study),
        (Request::Tell { tell, loss }, Some(study)) => {
            study.tell(tell, report(loss))?;
            Ok(json!({ "told": tell }))
        }
        (Request::Add { add, loss }, Some(study)) => {
            let configuration = study.space().configuration(add).map_err(SearchError::from)?;
            Ok(json!({ "told": study.add(configuration, report(loss))? }))
        }
    }
}

fn ask(study: &mut Study) -> Result<Json, Problem> {
    let trial = study.ask()?;
    let configuration = study.space().named(&trial.configuration);
    Ok(json!({ "number": trial.number, "configuration": configuration }))
}

fn report(loss: Option<f64>) -> Report {
    loss.map_or_else(|| Report::Failure("no loss was given".to_owned()), Report::Value)
}
