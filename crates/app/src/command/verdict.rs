//! `arbora verdict`: what a study has found, and how sure that is.
use crate::error::{AppError, Exit};
use crate::studies::Place;
use crate::surroundings::Surroundings;
use arbora_evaluation::{Verdict, judge};
use arbora_store::DurableStudy;
use clap::Args;
use serde_json::json;

/// Say what a study has found, and how sure that is
///
/// A model of all trials says what the best one is really worth, which trial to trust, which others cannot be told
/// apart from it, and whether more trials are worth it.
///
/// Exit code 1 if there is none: no trial has a loss yet, or none of a full evaluation.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  arbora verdict\n  arbora verdict --json | jq .trusted.trial")]
pub(crate) struct Arguments {
    #[command(flatten)]
    place: Place,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub(super) fn run(&self, around: &mut Surroundings<'_>) -> Result<Exit, AppError> {
        let study = self.place.read()?;
        let missing = || AppError::no_best(&study);
        let verdict = of(&study)?.ok_or_else(missing)?;
        if self.json { around.print_json(&json!(verdict)) } else { around.print(&format!("{verdict}\n")) }
    }
}

/// The verdict on a study; `None` before the first loss.
pub(super) fn of(study: &DurableStudy) -> Result<Option<Verdict>, AppError> {
    let (options, history) = (study.options(), study.study().history());
    let model = judge(&options.strategy, study.space(), history.len());
    let found = Verdict::of(study.space(), history, options, &model)?;
    Ok(found.map(|verdict| verdict.with_splits(|trial| study.trial(trial).ok()?.splits())))
}
