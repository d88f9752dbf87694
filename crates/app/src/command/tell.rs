//! `arbora tell`: how a trial ended.
use crate::error::{AppError, Exit};
use crate::output::Output;
use crate::show::short;
use crate::study_args::StudyArgs;
use arbora_search::Report;
use arbora_space::words::visible;
use arbora_store::{DurableStudy, TrialResult};
use clap::Args;
use serde_json::{Map, Value as Json, json};

const EXAMPLES: &str = "\
Examples:
  arbora tell 12 0.083
  arbora tell 12 0.083 --cost 340 --attribute epochs=7 --attribute host=a1
  arbora tell 13 --failed 'out of memory'      the search avoids this region
  arbora tell 13 --pruned 'no better by then'  stopped early, with what it reported
  arbora tell 14 --abandoned 'not needed'      ignored: it may be suggested again
  arbora tell 15 --release                     back to the queue";

/// Report the result of a trial
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Number of the trial
    trial: u64,
    /// Objective value
    #[arg(allow_negative_numbers = true, required_unless_present_any = ["failed", "pruned", "abandoned", "release"])]
    value: Option<f64>,
    #[command(flatten)]
    study_args: StudyArgs,
    /// Mark the trial as failed, with this reason
    #[arg(long, value_name = "REASON", conflicts_with = "value")]
    failed: Option<String>,
    /// Mark the trial as pruned (stopped early), with this reason
    #[arg(long, value_name = "REASON", conflicts_with_all = ["value", "failed"])]
    pruned: Option<String>,
    /// Mark the trial as abandoned, with this reason
    #[arg(long, value_name = "REASON", conflicts_with_all = ["value", "failed", "pruned"])]
    abandoned: Option<String>,
    /// Put the trial back into the queue
    #[arg(long, conflicts_with_all = ["value", "failed", "pruned", "abandoned"])]
    release: bool,
    /// Cost of the evaluation: seconds, money, energy
    #[arg(long, value_name = "NUMBER")]
    cost: Option<f64>,
    /// Attribute to store with the trial; the value may be JSON (repeatable)
    #[arg(long = "attribute", value_name = "NAME=VALUE", value_parser = attribute)]
    attributes: Vec<(String, Json)>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub(super) fn run(&self, output: &mut Output<'_>) -> Result<Exit, AppError> {
        let mut study = self.study_args.load()?;
        if self.release {
            study.release(self.trial)?;
        } else {
            study.tell(self.trial, self.result())?;
        }
        match (self.json, self.release) {
            (true, _) => output.print_json(&self.as_json(&study)?),
            (false, true) => output.print(&format!("trial {} waits again\n", self.trial)),
            (false, false) => output.print(&self.answer(&study)?),
        }
    }

    fn result(&self) -> TrialResult {
        let report = match (self.value, &self.failed, &self.pruned, &self.abandoned) {
            (Some(value), ..) => Report::Value(value),
            (None, Some(reason), ..) => Report::Failure(reason.clone()),
            (None, None, Some(reason), _) => Report::Pruned(reason.clone()),
            (None, None, None, reason) => Report::Abandoned(reason.clone().unwrap_or_default()),
        };
        let attributes: Map<String, Json> = self.attributes.iter().cloned().collect();
        TrialResult { cost: self.cost, attributes, ..report.into() }
    }

    fn as_json(&self, study: &DurableStudy) -> Result<Json, AppError> {
        let trial = study.trial(self.trial)?;
        let best = study.best().map(|best| json!({"number": best.number(), "value": best.value()}));
        let (state, value, reason) = (trial.state().to_string(), trial.value(), trial.reason());
        let study = study.name();
        Ok(
            json!({"study": study, "number": trial.number(), "state": state, "value": value, "reason": reason, "best": best}),
        )
    }

    fn answer(&self, study: &DurableStudy) -> Result<String, AppError> {
        let trial = study.trial(self.trial)?;
        let best = study.best().and_then(|best| Some((best.value()?, best.number())));
        let ended = match (trial.value(), trial.reason()) {
            (Some(value), _) => short(value),
            (None, reason) => format!("{}: {}", trial.state(), visible(reason.unwrap_or_default())),
        };
        let best =
            best.map_or(String::new(), |(value, number)| format!("; best {} (trial {number})", short(value)));
        Ok(format!("trial {}: {ended}{best}\n", self.trial))
    }
}

/// `NAME=VALUE`, where the value is JSON or else text.
fn attribute(text: &str) -> Result<(String, Json), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| format!("`{text}` is not NAME=VALUE"))?;
    let value = serde_json::from_str(value).unwrap_or_else(|_| Json::String(value.to_owned()));
    Ok((name.to_owned(), value))
}
