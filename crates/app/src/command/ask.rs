//! `arbora ask`: the next trial, for those who evaluate it themselves.
use crate::duration;
use crate::error::{AppError, Exit};
use crate::files;
use crate::output::Output;
use crate::show::Table;
use crate::study_args::{Settings, StudyArgs};
use crate::tune::worker_name;
use arbora_store::{AskRequest, DurableStudy, TrialRecord};
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLES: &str = "\
A trial is pending until you tell its result. You may ask for several trials
before telling; suggestions take pending trials into account. With --lease, a
trial that is not told in time is handed out again.

Examples:
  arbora ask space.toml          creates the study `space` in arbora.db
  trial=$(arbora ask --json)
  arbora tell \"$(jq .number <<< \"$trial\")\" 0.08

Exit code 4: the space is exhausted.";

/// Ask for the next trial and evaluate it yourself
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Search space; required to create a study
    space: Option<PathBuf>,
    #[command(flatten)]
    study_args: StudyArgs,
    /// Name of the worker [default: host and process]
    #[arg(long, value_name = "NAME")]
    worker: Option<String>,
    /// Hand the trial out again if it is not told within this time
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    lease: Option<Duration>,
    #[command(flatten)]
    settings: Settings,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub(super) fn run(&self, output: &mut Output<'_>) -> Result<Exit, AppError> {
        let mut study = self.study()?;
        let request = AskRequest {
            lease: self.lease,
            ..AskRequest::by(self.worker.clone().unwrap_or_else(|| worker_name(0)))
        };
        let trial = study.ask(&request)?;
        if self.json {
            output.print_json(&as_json(&study, &trial))
        } else {
            output.print(&as_text(&study, &trial))
        }
    }

    fn study(&self) -> Result<DurableStudy, AppError> {
        match &self.space {
            None => self.study_args.load(),
            Some(path) => {
                let space = files::space(path)?;
                self.settings.load_or_create(self.study_args.open()?, &self.study_args.name_for(path), space)
            }
        }
    }
}

fn as_json(study: &DurableStudy, trial: &TrialRecord<'_>) -> serde_json::Value {
    let configuration = study.space().named(trial.configuration());
    let (share, fold) = (trial.effort().share(), trial.effort().fold());
    let study = study.name();
    json!({"study": study, "number": trial.number(), "configuration": configuration, "share": share, "fold": fold})
}

fn as_text(study: &DurableStudy, trial: &TrialRecord<'_>) -> String {
    let mut table = Table::new([format!("trial {}", trial.number()), study.name().to_owned()]);
    for (name, value) in study.space().named(trial.configuration()) {
        table.row([name, value.to_string()]);
    }
    table.show(None)
}
