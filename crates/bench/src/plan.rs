//! What is run, as data.
use crate::error::BenchError;
use crate::run::Key;
use serde::{Deserialize, Serialize};

/// How much of an experiment is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Size {
    /// Minutes on two cores: shows that it works, seldom decides.
    Quick,
    /// What `make papers` runs: as printed where hours suffice, elsewhere fewer data sets or seeds. The plan
    /// says what is less.
    Reduced,
    /// As printed, as far as the data can be had. The plan says what is less.
    Paper,
}

impl Size {
    /// All of them, the smallest first.
    pub const ALL: [Size; 3] = [Size::Quick, Size::Reduced, Size::Paper];

    /// The first for quick, the second for the others: experiments that can be run as printed.
    pub fn pick<T>(self, quick: T, paper: T) -> T {
        match self {
            Size::Quick => quick,
            Size::Reduced | Size::Paper => paper,
        }
    }

    /// As options and reports call it.
    pub fn name(self) -> &'static str {
        match self {
            Size::Quick => "quick",
            Size::Reduced => "reduced",
            Size::Paper => "paper",
        }
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
pub struct RunPlan {
    /// What is searched.
    pub problems: Vec<Entry>,
    /// Who searches.
    pub methods: Vec<String>,
    /// Seeds 0, 1, …
    pub seeds: u64,
    /// What is less than in the paper, in words; empty if nothing is.
    pub less: &'static str,
}

impl RunPlan {
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
            less: "",
        }
    }

    /// The same, and what is less than in the paper.
    #[must_use]
    pub fn less(self, less: &'static str) -> Self {
        Self { less, ..self }
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

    /// The trials a problem gets. One that is not in the plan gets those of its kind, the `svm` of `svm/SET`, if there are any.
    pub fn trials_of(&self, problem: &str) -> Option<usize> {
        let itself = self.problems.iter().find(|entry| entry.problem == problem);
        let alike = || {
            let kind = kind(problem)?;
            self.problems.iter().find(|entry| self::kind(&entry.problem) == Some(kind))
        };
        itself.or_else(alike).map(|entry| entry.trials)
    }

    /// With more data sets; a problem of another kind is left out.
    #[must_use]
    pub fn with_sets<'n>(mut self, problems: impl IntoIterator<Item = &'n str>) -> Self {
        for problem in problems {
            let is_there = self.problems.iter().any(|entry| entry.problem == problem);
            if let (false, Some(trials)) = (is_there, self.trials_of(problem)) {
                self.problems.push(Entry { problem: problem.to_owned(), trials });
            }
        }
        self
    }

    /// The part of it with these problems and these methods, in its own order; all of them where none is named. Data sets
    /// that are not in the plan may be named, too.
    pub fn part(self, problems: &[String], methods: &[String]) -> Result<Self, BenchError> {
        let mut plan = self.with_sets(problems.iter().map(String::as_str));
        let known: Vec<&str> = plan.problems.iter().map(|entry| entry.problem.as_str()).collect();
        if let Some(name) = problems.iter().find(|name| !known.contains(&name.as_str())) {
            return Err(BenchError::UnknownProblem { name: name.clone(), known: known.join(", ") });
        }
        if let Some(name) = methods.iter().find(|name| !plan.methods.contains(name)) {
            return Err(BenchError::UnknownMethod { name: name.clone(), known: plan.methods.join(", ") });
        }
        plan.problems.retain(|entry| problems.is_empty() || problems.contains(&entry.problem));
        plan.methods.retain(|method| methods.is_empty() || methods.contains(method));
        Ok(plan)
    }

    /// How many runs.
    pub fn runs(&self) -> usize {
        self.problems.len() * self.methods.len() * self.seeds as usize
    }
}

/// The `svm` of `svm/SET`; functions have none.
fn kind(problem: &str) -> Option<&str> {
    problem.split_once('/').map(|(kind, _)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_data_sets_get_the_trials_of_their_kind() {
        let plan =
            RunPlan::new(["svm/a", "svm/b"], 5, &["x"], 2).with_sets(["svm/b", "svm/c", "cash/c", "branin"]);
        assert_eq!(plan, RunPlan::new(["svm/a", "svm/b", "svm/c"], 5, &["x"], 2));
        let part = plan.part(&["svm/d".to_owned()], &[]);
        assert_eq!(part, Ok(RunPlan::new(["svm/d"], 5, &["x"], 2)));
        assert_eq!(RunPlan::new(["a"], 5, &["x"], 2).trials_of("b"), None);
    }

    #[test]
    fn a_part_keeps_the_order_and_names_what_is_not_there() {
        let plan = RunPlan::new(["a", "b", "c"], 5, &["x", "y"], 2);
        let named = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert_eq!(plan.clone().part(&[], &[]), Ok(plan.clone()));
        let part = plan.clone().part(&named(&["c", "a"]), &named(&["y"]));
        assert_eq!(part, Ok(RunPlan::new(["a", "c"], 5, &["y"], 2)));
        let problem = plan.clone().part(&named(&["a", "d"]), &[]).unwrap_err().to_string();
        assert_eq!(problem, "no problem is called `d`; known are a, b, c");
        let method = plan.part(&[], &named(&["z"])).unwrap_err().to_string();
        assert_eq!(method, "no method is called `z`; known are x, y");
    }
}
