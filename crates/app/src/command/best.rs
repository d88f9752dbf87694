//! `arbora best`: the best trial so far, and whether another one is to be trusted more.
use super::verdict;
use crate::error::{AppError, Exit};
use crate::output::Output;
use crate::show::{self, Table};
use crate::study_args::StudyArgs;
use arbora_store::{DurableStudy, TrialRecord};
use clap::Args;

/// A verdict on more trials than this takes seconds, which nobody expects here.
const QUICK: usize = 300;

/// Show the best trial so far
///
/// Exit code 1 if no trial has a loss yet, or none of a full evaluation.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  arbora best\n  arbora best --json | jq .configuration > best.json")]
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
        let best = study.best().ok_or_else(missing)?;
        if self.json {
            return output.print_json(&show::record(study.space(), &best));
        }
        let value = best.value().map(show::short).unwrap_or_default();
        let mut table = Table::new([format!("trial {}", best.number()), value]);
        for (name, value) in study.space().named(best.configuration()) {
            table.row([name, value.to_string()]);
        }
        output.print(&(table.show(None) + &trustworthy(&study, &best)))
    }
}

/// The best value seen may be luck: one line if a model of all trials trusts another one more.
fn trustworthy(study: &DurableStudy, best: &TrialRecord<'_>) -> String {
    if study.trials().len() > QUICK {
        return "\n`arbora verdict` says whether to trust it.\n".to_owned();
    }
    match verdict::of(study) {
        Ok(Some(verdict)) if verdict.trusted.trial != best.number() => {
            let (trial, expected) = (verdict.trusted.trial, show::short(verdict.trusted.expected));
            format!("\nTrial {trial} is to be trusted more (expected: {expected}); see `arbora verdict`.\n")
        }
        // Where no model can be fitted the trial above still is the best one.
        _ => String::new(),
    }
}
