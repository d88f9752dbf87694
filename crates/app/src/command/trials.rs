//! `arbora trials`: all trials, or some.
use crate::error::{AppError, Exit};
use crate::output::Output;
use crate::show;
use crate::study_args::StudyArgs;
use arbora_store::{TrialRecord, TrialState};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::json;

/// List trials
///
/// Lines are truncated to the width of the terminal; piped output is complete.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  arbora trials --top 10\n  arbora trials --state failed\n  arbora trials --json | jq '.[].value'"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    study_args: StudyArgs,
    /// Show only trials in this state (repeatable)
    #[arg(long, value_name = "STATE", value_parser = state())]
    state: Vec<TrialState>,
    /// Show only the N best trials, best first
    #[arg(long, value_name = "N", conflicts_with = "last")]
    top: Option<usize>,
    /// Show only the last N trials
    #[arg(long, value_name = "N")]
    last: Option<usize>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The states are the store's: it says which there are and what they are called.
fn state() -> impl TypedValueParser<Value = TrialState> {
    let by_name = |name: String| TrialState::ALL.into_iter().find(|state| state.name() == name);
    PossibleValuesParser::new(TrialState::ALL.map(TrialState::name))
        .try_map(move |name| by_name(name).ok_or("no such state"))
}

impl Arguments {
    pub(super) fn run(&self, output: &mut Output<'_>) -> Result<Exit, AppError> {
        let study = self.study_args.load_readonly()?;
        let chosen = self.chosen(study.trials());
        if self.json {
            let records: Vec<_> = chosen.iter().map(|trial| show::record(study.space(), trial)).collect();
            return output.print_json(&json!(records));
        }
        output.print(&show::listing(&study, &chosen).show(show::width(output.out_is_terminal)))
    }

    fn chosen<'a>(&self, trials: impl Iterator<Item = TrialRecord<'a>>) -> Vec<TrialRecord<'a>> {
        let wanted = |trial: &TrialRecord<'_>| self.state.is_empty() || self.state.contains(&trial.state());
        let mut chosen: Vec<TrialRecord<'_>> = trials.filter(wanted).collect();
        if let Some(top) = self.top {
            chosen.retain(|trial| trial.loss().is_some());
            chosen.sort_by(|a, b| a.loss().unwrap_or(f64::NAN).total_cmp(&b.loss().unwrap_or(f64::NAN)));
            chosen.truncate(top);
        }
        let skipped = self.last.map_or(0, |last| chosen.len().saturating_sub(last));
        chosen.split_off(skipped)
    }
}
