//! One experiment in a report.
use super::block::Block;
use super::table::{missing, results, times};
use super::{choices, convergence, overview, pictures};
use crate::claim::Claim;
use crate::error::BenchError;
use crate::experiment::Experiment;
use crate::plan::{RunPlan, Size};
use crate::results::{Measure, Results};
use crate::run::Run;
use crate::run_log::RunLog;
use std::collections::BTreeSet;
use std::path::Path;

/// One experiment.
pub struct Section {
    /// Such as `x4`.
    pub name: &'static str,
    /// In a few words.
    pub title: &'static str,
    /// Where it is printed.
    pub source: &'static str,
    /// The size it is judged by.
    pub size: Size,
    /// Runs there are, and runs there should be.
    pub runs: (usize, usize),
    /// Seeds there are, of those in the plan, in words.
    pub seeds: String,
    /// Trials of a run: fewest and most.
    pub trials: (usize, usize),
    /// What is less than in the paper, in words.
    pub less: &'static str,
    /// Tables and charts.
    pub blocks: Vec<Block>,
    /// The paper's claims, judged.
    pub claims: Vec<Claim>,
}

impl Section {
    pub(super) fn read(
        experiment: &Experiment,
        folder: &Path,
        size: Option<Size>,
    ) -> Result<Self, BenchError> {
        let runs = RunLog::read(folder, experiment.log)?;
        let size = size.unwrap_or_else(|| fullest(experiment, &runs));
        let plan = plan_of(experiment, size, &runs);
        let wanted = plan.runs();
        let found = Results::new(plan, experiment.measure, experiment.blocks, runs);
        let trials = found.plan.problems.iter().map(|entry| entry.trials);
        let trials = (trials.clone().min().unwrap_or(0), trials.max().unwrap_or(0));
        Ok(Self {
            name: experiment.short,
            title: experiment.title,
            source: experiment.source,
            size,
            runs: (found.count(), wanted),
            seeds: found.seeds(),
            trials,
            less: found.plan.less,
            blocks: blocks(experiment, &found)?,
            claims: (experiment.claims)(&found),
        })
    }

    /// How much of it is there, in words.
    pub fn extent(&self) -> String {
        let ((have, want), (few, many)) = (self.runs, self.trials);
        let trials = if few == many { many.to_string() } else { format!("{few} to {many}") };
        let less = if self.less.is_empty() { String::new() } else { format!(" ({})", self.less) };
        format!("size {}{less}: {have} of {want} runs, {}, {trials} trials", self.size.name(), self.seeds)
    }
}

/// The plan, with the data sets beyond it that there are runs of; where nothing is planned, what was run.
fn plan_of(experiment: &Experiment, size: Size, runs: &[Run]) -> RunPlan {
    let plan = (experiment.plan)(size);
    if plan.runs() == 0 {
        return RunPlan::of_runs(runs.iter().map(|run| &run.key));
    }
    let keys = runs.iter().map(|run| &run.key);
    let of_this_size = keys.filter(|key| plan.trials_of(&key.problem) == Some(key.trials));
    let sets: Vec<&str> = of_this_size.map(|key| key.problem.as_str()).collect();
    plan.with_sets(sets)
}

/// The size of which most is there; the smallest of those that tie.
fn fullest(experiment: &Experiment, runs: &[Run]) -> Size {
    let there: BTreeSet<_> = runs.iter().filter(|run| run.missing.is_none()).map(|run| &run.key).collect();
    let count = |size: Size| {
        experiment.keys(&plan_of(experiment, size, runs)).iter().filter(|k| there.contains(k)).count()
    };
    let fullest = Size::ALL.into_iter().rev().max_by_key(|size| count(*size)).unwrap_or(Size::Quick);
    // What is as large as the paper is called so.
    if (experiment.plan)(fullest) == (experiment.plan)(Size::Paper) { Size::Paper } else { fullest }
}

fn blocks(experiment: &Experiment, found: &Results) -> Result<Vec<Block>, BenchError> {
    let mut blocks = Vec::new();
    if found.count() > 0 {
        blocks.push(Block::Table(results(found)));
        if !matches!(found.measure, Measure::Shown(_)) {
            blocks.extend(overview::blocks(experiment, found));
            blocks.extend(convergence::blocks(experiment, found)?);
        }
        blocks.extend(choices::blocks(experiment, found));
        blocks.extend(pictures::blocks(experiment)?);
        let times = times(found);
        if !times.rows.is_empty() {
            blocks.push(Block::Table(times));
        }
    }
    blocks.extend(missing(found).map(Block::Table));
    Ok(blocks)
}
