//! `arbora bench run`: makes the runs that are not there yet.
use super::HowMuch;
use super::watch::{Watch, follow};
use crate::error::{AppError, Exit};
use crate::output::Output;
use crate::run::{Shutdown, ShutdownLevel};
use crate::tune::listen;
use arbora_bench::experiment::{EXPERIMENTS, Experiment, by_name};
use arbora_bench::plan::RunPlan;
use arbora_bench::worker_pool::{Summary, WorkerPool};
use arbora_bench::{BenchError, Key, Settings};
use clap::Args;
use std::path::PathBuf;

/// Run an experiment, or resume it
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// An experiment by either name (`arbora bench list`), or `all`
    experiment: String,
    /// Size of the experiment
    #[arg(long, value_enum, default_value = "quick")]
    size: HowMuch,
    /// Number of runs in parallel
    #[arg(long, short, default_value_t = 1, value_name = "N")]
    jobs: usize,
    /// Number of seeds, instead of the planned one
    #[arg(long, value_name = "N")]
    seeds: Option<u64>,
    /// Folder of results
    #[arg(long, default_value = "lab", value_name = "LAB")]
    out: PathBuf,
    /// Folder of data sets (gzipped CSV files and index.csv, grids in tables/; created by `arbora bench data`), or
    /// `bundled` for those that come with Python packages
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Folder of surrogate benchmarks in YAHPO's format
    #[arg(long, value_name = "FOLDER")]
    yahpo: Option<PathBuf>,
    /// Python interpreter with the package `arbora`, for learners and third-party optimizers
    #[arg(long, env = "ARBORA_PYTHON", default_value = "python3", value_name = "PROGRAM")]
    python: String,
    /// Run only this problem of the experiment (repeatable), also on a data set that is not in its plan. For `own`: a
    /// problem by name, `cmd:PROGRAM ARGUMENTS`, cash/SET, svm/SET, mlp-shared/SET, yahpo/NAME/INSTANCE
    #[arg(long, value_name = "PROBLEM")]
    problem: Vec<String>,
    /// For `own`: tabular benchmark, a CSV file with a `loss` column or the named one
    #[arg(long, value_name = "CSV[:COLUMN]")]
    table: Vec<String>,
    /// Run only this method of the experiment (repeatable). For `own`: a strategy by name or as JSON, peer/NAME or
    /// `cmd:PROGRAM ARGUMENTS`
    #[arg(long, value_name = "METHOD")]
    method: Vec<String>,
    /// For `own`: trials per run [default: 50]
    #[arg(long, value_name = "N")]
    trials: Option<usize>,
}

impl Arguments {
    pub(super) fn run(&self, output: &mut Output<'_>) -> Result<Exit, AppError> {
        let chosen =
            if self.experiment == "all" { EXPERIMENTS.to_vec() } else { vec![by_name(&self.experiment)?] };
        let stop = Shutdown::default();
        listen(&stop)?;
        let mut exit = Exit::Fine;
        for experiment in chosen {
            let summary = self.one(experiment, &stop, output)?;
            exit = match (exit, tell(experiment, &summary, output)) {
                (_, Exit::Interrupted) => return Ok(Exit::Interrupted),
                (Exit::Fine, now) => now,
                (before, _) => before,
            };
        }
        Ok(exit)
    }

    fn one(
        &self,
        experiment: &Experiment,
        stop: &Shutdown,
        output: &mut Output<'_>,
    ) -> Result<Summary, AppError> {
        let plan = self.plan(experiment)?;
        let settings =
            Settings { python: self.python.clone(), data: self.data.clone(), yahpo: self.yahpo.clone() };
        let is_over = || stop.level() > ShutdownLevel::None;
        let mut watch = Watch::new(experiment.short, output.err_is_terminal);
        follow(&mut watch, output, |told| {
            let pool = WorkerPool { workers: self.jobs, settings: &settings, stop: &is_over, watch: told };
            Ok(pool.run(experiment, &plan, &self.out)?)
        })
    }

    fn plan(&self, experiment: &Experiment) -> Result<RunPlan, AppError> {
        let mut plan = if experiment.short == "own" {
            let methods: Vec<&str> = self.method.iter().map(String::as_str).collect();
            let tables = self.table.iter().map(|table| format!("table:{table}"));
            RunPlan::new(self.problem.iter().cloned().chain(tables), self.trials.unwrap_or(50), &methods, 5)
        } else {
            self.refuse_what_is_for_own(experiment)?;
            (experiment.plan)(self.size.into()).part(&self.problem, &self.method)?
        };
        plan.seeds = self.seeds.unwrap_or(plan.seeds);
        Ok(plan)
    }

    /// Grids and numbers of trials are part of an experiment.
    fn refuse_what_is_for_own(&self, experiment: &Experiment) -> Result<(), AppError> {
        let given = match () {
            () if !self.table.is_empty() => "--table",
            () if self.trials.is_some() => "--trials",
            () => return Ok(()),
        };
        Err(AppError::ForOwn { option: given, experiment: experiment.short.to_owned() })
    }
}

/// One line for each kind of trouble, with the first run it met and the number of others.
fn failures(failed: &[(Key, BenchError)]) -> Vec<String> {
    let mut kinds: Vec<(String, &Key, usize)> = Vec::new();
    for (key, trouble) in failed {
        let said = trouble.to_string();
        match kinds.iter_mut().find(|(known, ..)| *known == said) {
            Some((.., others)) => *others += 1,
            None => kinds.push((said, key, 0)),
        }
    }
    let line = |(said, key, others): (String, &Key, usize)| match others {
        0 => format!("{key}: {said}"),
        others => format!("{key}, and {others} more runs alike: {said}"),
    };
    kinds.into_iter().map(line).collect()
}

/// Says what came of it.
fn tell(experiment: &Experiment, summary: &Summary, output: &mut Output<'_>) -> Exit {
    let name = experiment.short;
    let Summary { made, before, .. } = summary;
    output.message(&format!("{name}: {made} runs completed, {before} cached\n"));
    for (what, why) in &summary.missing {
        output.message(&format!("{name}: skipped {what}: {why}\n"));
    }
    for line in failures(&summary.failed) {
        output.message(&format!("{name}: failed: {line}\n"));
    }
    match () {
        () if summary.is_interrupted => Exit::Interrupted,
        () if !summary.failed.is_empty() => Exit::Failed,
        () => Exit::Fine,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_trouble_is_told_once() {
        let key = |problem: &str, seed| Key {
            experiment: "own".into(),
            problem: problem.into(),
            method: "grid".into(),
            seed,
            trials: 5,
        };
        let unpaired = |second| BenchError::Unpaired { first: 1, second };
        let failed = [(key("a", 0), unpaired(2)), (key("b", 0), unpaired(3)), (key("a", 1), unpaired(2))];
        let lines = failures(&failed);
        assert_eq!(lines.len(), 2);
        assert!(lines[0].starts_with("own a by grid, seed 0, and 1 more runs alike: "), "{}", lines[0]);
        assert!(lines[1].starts_with("own b by grid, seed 0: "), "{}", lines[1]);
        assert!(failures(&[]).is_empty());
    }
}
