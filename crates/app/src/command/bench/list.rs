//! `arbora bench list`: what can be run.
use crate::error::{AppError, Exit};
use crate::show;
use crate::surroundings::Surroundings;
use arbora_bench::experiment::EXPERIMENTS;
use arbora_bench::plan::{Plan, Size};
use clap::Args;

/// List the experiments, their sizes and the built-in problems
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// List problems instead
    #[arg(long)]
    problems: bool,
}

impl Arguments {
    pub(super) fn run(&self, around: &mut Surroundings<'_>) -> Result<Exit, AppError> {
        let width = show::width(around.out_is_terminal);
        if self.problems {
            return around.print(&format!("{}\n", arbora_bench::problem::names().join("\n")));
        }
        let mut table = show::Table::new(["name", "quick", "reduced", "paper", "what", "where"]);
        for experiment in EXPERIMENTS {
            let [quick, reduced, paper] = Size::ALL.map(|size| runs(&(experiment.plan)(size)));
            table.row([experiment.short, &quick, &reduced, &paper, experiment.title, experiment.source]);
        }
        around.print(&table.show(width))
    }
}

fn runs(plan: &Plan) -> String {
    if plan.runs() == 0 { "–".to_owned() } else { format!("{} runs", plan.runs()) }
}
