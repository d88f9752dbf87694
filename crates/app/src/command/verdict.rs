//! `arbora verdict`: what a study has found, and how sure that is.
use crate::error::{AppError, Exit};
use crate::output::Output;
use crate::study_args::StudyArgs;
use arbora_evaluation::{Verdict, verdict_model};
use arbora_store::DurableStudy;
use clap::Args;
use serde_json::json;

/// Judge the result of a study
///
/// Fits a model to all trials and estimates what the best one is really worth, which trial to trust, which others
/// are statistically tied with it, and whether more trials are worth running.
///
/// Exit code 1 if no trial has a loss yet, or none of a full evaluation.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  arbora verdict\n  arbora verdict --json | jq .trusted.trial")]
pub(crate) struct Arguments {
    #[command(flatten)]
    study_args: StudyArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub(super) fn run(&self, output: &mut Output<'_>) -> Result<Exit, AppError> {
        let study = self.study_args.load_readonly()?;
        let missing = || AppError::no_best(&study);
        let verdict = of(&study)?.ok_or_else(missing)?;
        if self.json { output.print_json(&json!(verdict)) } else { output.print(&format!("{verdict}\n")) }
    }
}

/// The verdict on a study; `None` before the first loss.
pub(super) fn of(study: &DurableStudy) -> Result<Option<Verdict>, AppError> {
    let (options, history) = (study.options(), study.study().history());
    let model = verdict_model(&options.strategy, study.space(), history.len());
    let found = Verdict::of(study.space(), history, options, &model)?;
    Ok(found.map(|verdict| verdict.with_splits(|trial| study.trial(trial).ok()?.splits())))
}
