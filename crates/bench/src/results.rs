//! The runs of an experiment, asked for by problem, method and seed.
use crate::error::BenchError;
use crate::plan::{Entry, RunPlan};
use crate::problem;
use crate::run::Run;
use crate::stats::RankTable;
use std::collections::{BTreeMap, BTreeSet};

/// Regrets below this count as this.
const FLOOR: f64 = 1e-10;

/// What runs are compared by. Lower is better, but for what is only shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The best loss.
    Loss,
    /// log₁₀ of how much the best loss is above the optimum, at least 10⁻¹⁰.
    LogRegret,
    /// The error on rows nobody has seen.
    Test,
    /// A figure of its own.
    Figure(&'static str),
    /// A figure of which neither less nor more is better.
    Shown(&'static str),
}

impl Measure {
    /// In words, for axes and headings.
    pub fn words(self) -> &'static str {
        match self {
            Measure::Loss => "best loss",
            Measure::LogRegret => "log₁₀ regret",
            Measure::Test => "test error",
            Measure::Figure(name) | Measure::Shown(name) => name,
        }
    }

    /// The figure of a run, at the end or after the trial of a number.
    fn of(self, run: &Run, after: Option<usize>, optimum: Option<f64>) -> Option<f64> {
        let loss = after.map_or_else(|| run.loss(), |trial| run.loss_after(trial));
        match self {
            Measure::Loss => loss,
            Measure::LogRegret => {
                loss.zip(optimum).map(|(loss, least)| libm::log10((loss - least).max(FLOOR)))
            }
            Measure::Test => run.test,
            Measure::Figure(name) | Measure::Shown(name) => run.values.get(name).copied(),
        }
    }
}

/// What is ranked as one block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocks {
    /// A problem, means over its seeds  [Demšar 2006; T18].
    Problems,
    /// A problem and a seed  [Zaefferer & Horn 2018].
    Runs,
}

/// The runs of a plan that are there.
#[derive(Clone)]
pub struct Results {
    /// What should be there.
    pub plan: RunPlan,
    /// What runs are compared by.
    pub measure: Measure,
    /// What is ranked as one block.
    pub blocks: Blocks,
    runs: BTreeMap<(String, String), BTreeMap<u64, Run>>,
    missing: BTreeMap<String, String>,
    optima: BTreeMap<String, f64>,
}

impl Results {
    /// Sorts runs; those that are not in the plan, by problem, method or number of trials, are left out.
    pub fn new(plan: RunPlan, measure: Measure, blocks: Blocks, all: Vec<Run>) -> Self {
        let optimum = |entry: &Entry| Some((entry.problem.clone(), problem::optimum(&entry.problem)?));
        let optima = plan.problems.iter().filter_map(optimum).collect();
        let (runs, missing) = (BTreeMap::new(), BTreeMap::new());
        let mut found = Self { plan, measure, blocks, runs, missing, optima };
        for run in all {
            let entry = found.plan.problems.iter().find(|entry| entry.problem == run.key.problem);
            let is_planned = entry.is_some_and(|entry| entry.trials == run.key.trials)
                && found.plan.methods.contains(&run.key.method);
            match (is_planned, &run.missing) {
                (false, _) => {}
                (true, Some(why)) => {
                    found.missing.insert(run.key.method.clone(), why.clone());
                }
                (true, None) => {
                    let place = (run.key.problem.clone(), run.key.method.clone());
                    found.runs.entry(place).or_default().insert(run.key.seed, run);
                }
            }
        }
        found
    }

    /// The same runs by another measure.
    #[must_use]
    pub fn measured_by(&self, measure: Measure) -> Self {
        Self { measure, ..self.clone() }
    }

    /// Problems with at least one run.
    pub fn problems(&self) -> Vec<&str> {
        let has = |problem: &&str| self.runs.keys().any(|(p, _)| p == problem);
        self.plan.problems.iter().map(|entry| entry.problem.as_str()).filter(has).collect()
    }

    /// Methods with at least one run.
    pub fn methods(&self) -> Vec<&str> {
        let has = |method: &&str| self.runs.keys().any(|(_, m)| m == method);
        self.plan.methods.iter().map(String::as_str).filter(has).collect()
    }

    /// Methods that could not run, and why.
    pub fn missing(&self) -> impl Iterator<Item = (&str, &str)> {
        let has_none = |method: &str| !self.runs.keys().any(|(_, m)| m == method);
        let all = self.missing.iter().map(|(method, why)| (method.as_str(), why.as_str()));
        all.filter(move |(method, _)| has_none(method))
    }

    /// How many runs there are.
    pub fn count(&self) -> usize {
        self.runs.values().map(BTreeMap::len).sum()
    }

    /// How many seeds have a run, of those in the plan, in words.
    pub fn seeds(&self) -> String {
        let there: BTreeSet<u64> = self.runs.values().flat_map(|runs| runs.keys().copied()).collect();
        let planned = self.plan.seeds;
        let of = if (there.len() as u64) < planned { format!(" of {planned}") } else { String::new() };
        format!("{}{of} seed{}", there.len(), if planned == 1 { "" } else { "s" })
    }

    /// The runs of a method on a problem, by seed.
    pub fn runs(&self, problem: &str, method: &str) -> impl Iterator<Item = &Run> {
        let place = (problem.to_owned(), method.to_owned());
        self.runs.get(&place).into_iter().flat_map(BTreeMap::values)
    }

    /// How many trials a problem gets.
    pub fn trials(&self, problem: &str) -> usize {
        self.plan.problems.iter().find(|entry| entry.problem == problem).map_or(0, |entry| entry.trials)
    }

    /// The figure of one run, at the end or after the trial of a number.
    pub fn value(&self, run: &Run, after: Option<usize>) -> Option<f64> {
        self.measure.of(run, after, self.optima.get(&run.key.problem).copied())
    }

    /// What a method reached on a problem, by seed.
    pub fn values(&self, problem: &str, method: &str, after: Option<usize>) -> BTreeMap<u64, f64> {
        let value = |run: &Run| Some((run.key.seed, self.value(run, after)?));
        self.runs(problem, method).filter_map(value).collect()
    }

    /// The same for two methods, where both have a seed.
    pub fn paired(&self, problem: &str, first: &str, second: &str, after: Option<usize>) -> Vec<(f64, f64)> {
        let (a, b) = (self.values(problem, first, after), self.values(problem, second, after));
        a.iter().filter_map(|(seed, x)| Some((*x, *b.get(seed)?))).collect()
    }

    /// The pairs two methods are tested by. Where problems are blocks and there are several, a pair is a problem with the
    /// means over the seeds both have: more seeds make its means surer, not the problems more. Otherwise a pair is a seed.
    pub fn pairs(
        &self,
        problems: &[&str],
        first: &str,
        second: &str,
        after: Option<usize>,
    ) -> Vec<(f64, f64)> {
        let runs = problems.iter().map(|problem| self.paired(problem, first, second, after));
        match (self.blocks, problems.len()) {
            (Blocks::Problems, 2..) => runs.filter_map(|pairs| means(&pairs)).collect(),
            _ => runs.flatten().collect(),
        }
    }

    /// Mean over seeds.
    pub fn mean(&self, problem: &str, method: &str, after: Option<usize>) -> Option<f64> {
        let values = self.values(problem, method, after);
        (!values.is_empty()).then(|| values.values().sum::<f64>() / values.len() as f64)
    }

    /// One row per block in which all these methods have a figure.
    pub fn rows(&self, problems: &[&str], methods: &[&str], after: Option<usize>) -> Vec<Vec<f64>> {
        match self.blocks {
            Blocks::Problems => {
                let row = |problem: &&str| {
                    methods.iter().map(|method| self.mean(problem, method, after)).collect::<Option<Vec<_>>>()
                };
                problems.iter().filter_map(row).collect()
            }
            Blocks::Runs => {
                problems.iter().flat_map(|problem| self.rows_of(problem, methods, after)).collect()
            }
        }
    }

    fn rows_of(&self, problem: &str, methods: &[&str], after: Option<usize>) -> Vec<Vec<f64>> {
        let columns: Vec<BTreeMap<u64, f64>> =
            methods.iter().map(|method| self.values(problem, method, after)).collect();
        let Some(first) = columns.first() else { return Vec::new() };
        let row = |seed: &u64| columns.iter().map(|column| column.get(seed).copied()).collect();
        first.keys().filter_map(row).collect()
    }

    /// Ranks of all methods over these problems.
    pub fn ranks(&self, problems: &[&str], methods: &[&str]) -> Result<RankTable, BenchError> {
        RankTable::of(&self.rows(problems, methods, None))
    }
}

/// Of the firsts and of the seconds; `None` of nothing.
fn means(pairs: &[(f64, f64)]) -> Option<(f64, f64)> {
    let sum = pairs.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + x, b + y));
    let count = pairs.len() as f64;
    (!pairs.is_empty()).then(|| (sum.0 / count, sum.1 / count))
}
