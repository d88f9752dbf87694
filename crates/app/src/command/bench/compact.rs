//! `arbora bench compact`: results small enough to keep beside the sources.
use crate::error::{AppError, Exit};
use crate::output::Output;
use arbora_bench::RunLog;
use arbora_bench::experiment::EXPERIMENTS;
use clap::Args;
use std::path::PathBuf;

/// Compact results: one line per problem and method, losses to six digits
///
/// Reports and runs also read compact results, from LAB/EXPERIMENT.packed.jsonl.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Folder of results
    #[arg(long = "from", default_value = "lab", value_name = "LAB")]
    folder: PathBuf,
    /// Folder for the compact results
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

impl Arguments {
    pub(super) fn run(&self, output: &mut Output<'_>) -> Result<Exit, AppError> {
        let mut words = String::new();
        for experiment in EXPERIMENTS.iter().filter(|one| one.log == one.short) {
            let runs = RunLog::pack(&self.folder, experiment.short, &self.out)?;
            words += &format!("{}: {runs} runs\n", experiment.short);
        }
        output.print(&words)
    }
}
