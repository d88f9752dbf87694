//! `arbora trials`: all trials, or some.
use crate::error::{AppError, Exit};
use crate::show;
use crate::studies::Place;
use crate::surroundings::Surroundings;
use arbora_store::{TrialRecord, TrialState};
use clap::{Args, ValueEnum};
use serde_json::json;

/// List trials
///
/// On a terminal lines are cut at its width; piped, they are whole.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  arbora trials --top 10\n  arbora trials --state failed\n  arbora trials --json | jq '.[].value'"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    place: Place,
    /// Only trials in this state; may be given several times
    #[arg(long, value_name = "STATE")]
    state: Vec<State>,
    /// Only the best so many, the best first
    #[arg(long, value_name = "NUMBER", conflicts_with = "last")]
    top: Option<usize>,
    /// Only the last so many
    #[arg(long, value_name = "NUMBER")]
    last: Option<usize>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum State {
    Waiting,
    Running,
    Stale,
    Complete,
    Failed,
    Abandoned,
}

impl From<State> for TrialState {
    fn from(state: State) -> Self {
        match state {
            State::Waiting => TrialState::Waiting,
            State::Running => TrialState::Running,
            State::Stale => TrialState::Stale,
            State::Complete => TrialState::Complete,
            State::Failed => TrialState::Failed,
            State::Abandoned => TrialState::Abandoned,
        }
    }
}

impl Arguments {
    pub(super) fn run(&self, around: &mut Surroundings<'_>) -> Result<Exit, AppError> {
        let study = self.place.read()?;
        let chosen = self.chosen(study.trials());
        if self.json {
            let records: Vec<_> = chosen.iter().map(|trial| show::record(study.space(), trial)).collect();
            return around.print_json(&json!(records));
        }
        around.print(&show::listing(&study, &chosen).show(show::width(around.out_is_terminal)))
    }

    fn chosen<'a>(&self, trials: impl Iterator<Item = TrialRecord<'a>>) -> Vec<TrialRecord<'a>> {
        let wanted = |trial: &TrialRecord<'_>| {
            self.state.is_empty() || self.state.iter().any(|state| trial.state() == (*state).into())
        };
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
