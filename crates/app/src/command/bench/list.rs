//! `arbora bench list`: what can be run.
use crate::error::{AppError, Exit};
use crate::output::Output;
use crate::show;
use arbora_bench::experiment::EXPERIMENTS;
use arbora_bench::plan::{RunPlan, Size};
use clap::Args;

/// List the experiments, their sizes and the built-in problems
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// List problems instead
    #[arg(long)]
    problems: bool,
}

impl Arguments {
    pub(super) fn run(&self, output: &mut Output<'_>) -> Result<Exit, AppError> {
        let width = show::width(output.out_is_terminal);
        if self.problems {
            return output.print(&format!("{}\n", arbora_bench::problem::names().join("\n")));
        }
        let mut table = show::Table::new(["name", "also", "quick", "reduced", "paper", "what", "where"]);
        for experiment in EXPERIMENTS {
            let [quick, reduced, paper] = Size::ALL.map(|size| runs(&(experiment.plan)(size)));
            let long = if experiment.name == experiment.short { "" } else { experiment.name };
            table.row([
                experiment.short,
                long,
                &quick,
                &reduced,
                &paper,
                experiment.title,
                experiment.source,
            ]);
        }
        output.print(&table.show(width))
    }
}

fn runs(plan: &RunPlan) -> String {
    if plan.runs() == 0 { "–".to_owned() } else { format!("{} runs", plan.runs()) }
}
