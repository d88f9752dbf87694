//! What is run, as data.
use crate::run::Key;
use serde::{Deserialize, Serialize};

/// How much of an experiment is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Size {
    /// Minutes on two cores: shows that it works, seldom decides.
    Quick,
    /// As printed.
    Paper,
}

impl Size {
    /// The first for quick, the second for paper.
    pub fn pick<T>(self, quick: T, paper: T) -> T {
        match self {
            Size::Quick => quick,
            Size::Paper => paper,
        }
    }

    /// As options and reports call it.
    pub fn name(self) -> &'static str {
        self.pick("quick", "paper")
    }
}

/// A problem and how many trials it gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// By name.
    pub problem: String,
    /// How many.
    pub trials: usize,
}

/// Problems × methods × seeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// What is searched.
    pub problems: Vec<Entry>,
    /// Who searches.
    pub methods: Vec<String>,
    /// Seeds 0, 1, …
    pub seeds: u64,
}

impl Plan {
    /// All problems with the same number of trials.
    pub fn new<P: AsRef<str>>(
        problems: impl IntoIterator<Item = P>,
        trials: usize,
        methods: &[&str],
        seeds: u64,
    ) -> Self {
        let problems = problems.into_iter().map(|name| Entry { problem: name.as_ref().to_owned(), trials });
        Self {
            problems: problems.collect(),
            methods: methods.iter().map(|m| (*m).to_owned()).collect(),
            seeds,
        }
    }

    /// The plan that runs were made by: for comparisons whose plan is not written down.
    pub fn of_runs<'r>(runs: impl IntoIterator<Item = &'r Key>) -> Self {
        let mut plan = Self::new([""; 0], 0, &[], 0);
        for key in runs {
            let entry = Entry { problem: key.problem.clone(), trials: key.trials };
            if !plan.problems.contains(&entry) {
                plan.problems.push(entry);
            }
            if !plan.methods.contains(&key.method) {
                plan.methods.push(key.method.clone());
            }
            plan.seeds = plan.seeds.max(key.seed + 1);
        }
        plan
    }

    /// How many runs.
    pub fn runs(&self) -> usize {
        self.problems.len() * self.methods.len() * self.seeds as usize
    }
}
