//! `arbora bench`: the experiments of the papers, run, resumed and reported.
#![allow(clippy::format_push_string, reason = "a few words are put together once")]
mod compact;
mod data;
mod list;
mod report;
mod run;
mod watch;

use crate::error::{AppError, Exit};
use crate::output::Output;
use arbora_bench::plan::Size;
use clap::{Args, Subcommand, ValueEnum};

const EXAMPLES: &str = "\
Examples:
  arbora bench list
  arbora bench run x4                        synthetic trees (or j17-trees), in minutes
  arbora bench run all --size quick -j 2     everything, in half an hour
  arbora bench run x7 --size paper           as published; Ctrl-C and rerun to resume
  arbora bench run x4 --problem tree-small --method arc --method tree     a part of it
  arbora bench data downloads data           published files for --data data
  arbora bench report                        lab/report.html, .md and figures
  arbora bench run own --problem branin --problem 'cmd:python mine.py' \\
      --method auto --method peer/optuna-tpe --trials 50 --seeds 10";

/// Run the experiments of the papers and report on them
///
/// Finished runs are lines of LAB/EXPERIMENT.jsonl and are never repeated; an interrupted run
/// leaves nothing behind. Problems with learners and third-party optimizers need the Python package
/// and scikit-learn; whatever is not installed is reported and skipped.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    List(list::Arguments),
    Run(run::Arguments),
    Report(report::Arguments),
    #[command(visible_alias = "pack")]
    Compact(compact::Arguments),
    Data(data::Arguments),
}

/// How much of an experiment.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum HowMuch {
    /// Minutes on two cores
    Quick,
    /// What `make papers` runs: hours, with fewer data sets or seeds where days would be needed
    Reduced,
    /// As published
    Paper,
}

impl From<HowMuch> for Size {
    fn from(size: HowMuch) -> Self {
        match size {
            HowMuch::Quick => Size::Quick,
            HowMuch::Reduced => Size::Reduced,
            HowMuch::Paper => Size::Paper,
        }
    }
}

impl Arguments {
    pub(super) fn run(&self, output: &mut Output<'_>) -> Result<Exit, AppError> {
        match &self.action {
            Action::List(arguments) => arguments.run(output),
            Action::Run(arguments) => arguments.run(output),
            Action::Report(arguments) => arguments.run(output),
            Action::Compact(arguments) => arguments.run(output),
            Action::Data(arguments) => arguments.run(output),
        }
    }
}
