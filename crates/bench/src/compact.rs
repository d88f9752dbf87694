//! Packed results: one line per problem and method, columns over seeds, numbers to six digits.
//!
//! Small enough to be kept beside the sources. Losses are written as what they are above the optimum, where that is
//! known, so that six digits are six digits of the regret. A log reads packed files like its own.
use crate::error::BenchError;
use crate::problem;
use crate::run::{Key, Run};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The runs of one method on one problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Compact {
    experiment: String,
    problem: String,
    method: String,
    trials: usize,
    /// What losses are written above.
    above: f64,
    seeds: Vec<u64>,
    best: Vec<Vec<(usize, f64)>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    test: Vec<Option<f64>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    chosen: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    repeats: Vec<usize>,
    seconds: Vec<f64>,
    last: Vec<f64>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    values: BTreeMap<String, Vec<f64>>,
}

impl Compact {
    /// Packs runs, one pack per problem, method and number of trials. What is missing is left out.
    pub fn of(runs: &[Run]) -> Vec<Self> {
        let mut groups: BTreeMap<(&str, &str, &str, usize), Vec<&Run>> = BTreeMap::new();
        for run in runs.iter().filter(|run| run.missing.is_none()) {
            let Key { experiment, problem, method, trials, .. } = &run.key;
            groups.entry((experiment, problem, method, *trials)).or_default().push(run);
        }
        groups.into_values().map(|group| Self::one(&group)).collect()
    }

    fn one(group: &[&Run]) -> Self {
        let Key { experiment, problem, method, trials, .. } = group[0].key.clone();
        let above = problem::optimum(&problem).unwrap_or(0.0);
        let best =
            |run: &&Run| run.best.iter().map(|(trial, loss)| (*trial, rounded(loss - above))).collect();
        let names: Vec<&String> = group[0].values.keys().collect();
        let column =
            |name: &str| group.iter().map(|run| rounded(*run.values.get(name).unwrap_or(&0.0))).collect();
        Self {
            experiment,
            problem,
            method,
            trials,
            above,
            seeds: group.iter().map(|run| run.key.seed).collect(),
            best: group.iter().map(best).collect(),
            test: unless(group.iter().map(|run| run.test.map(rounded)).collect(), Option::is_none),
            chosen: unless(group.iter().map(|run| run.chosen.clone()).collect(), String::is_empty),
            repeats: unless(group.iter().map(|run| run.repeats).collect(), |n| *n == 0),
            seconds: group.iter().map(|run| coarse(run.seconds)).collect(),
            last: group.iter().map(|run| coarse(run.last)).collect(),
            values: names.into_iter().map(|name| (name.clone(), column(name))).collect(),
        }
    }

    /// The runs again.
    pub fn runs(&self) -> Result<Vec<Run>, BenchError> {
        let lengths = [self.best.len(), self.seconds.len(), self.last.len()];
        if let Some(given) = lengths.into_iter().find(|length| *length != self.seeds.len()) {
            return Err(BenchError::Unpaired { first: self.seeds.len(), second: given });
        }
        Ok((0..self.seeds.len()).map(|i| self.run(i)).collect())
    }

    fn run(&self, i: usize) -> Run {
        let Self { experiment, problem, method, trials, .. } = self.clone();
        let mut run = Run::new(Key { experiment, problem, method, seed: self.seeds[i], trials });
        run.best = self.best[i].iter().map(|(trial, loss)| (*trial, self.above + loss)).collect();
        run.test = self.test.get(i).copied().flatten();
        run.chosen = self.chosen.get(i).cloned().unwrap_or_default();
        run.repeats = self.repeats.get(i).copied().unwrap_or(0);
        (run.seconds, run.last) = (self.seconds[i], self.last[i]);
        let figures = self.values.iter().filter_map(|(name, column)| Some((name.clone(), *column.get(i)?)));
        run.values = figures.collect();
        run
    }
}

/// Nothing, if there is nothing in any of them.
fn unless<T>(column: Vec<T>, is_nothing: impl Fn(&T) -> bool) -> Vec<T> {
    if column.iter().all(is_nothing) { Vec::new() } else { column }
}

/// To six digits.
fn rounded(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

/// Times to three.
fn coarse(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_digits_of_the_regret_survive() {
        let key = |seed| Key {
            experiment: "x4".into(),
            problem: "tree-small".into(),
            method: "tree".into(),
            seed,
            trials: 9,
        };
        let mut runs: Vec<Run> = (0..3).map(|seed| Run::new(key(seed)).with("rmse", 0.25)).collect();
        for (i, run) in runs.iter_mut().enumerate() {
            run.observe(0, 0.8);
            run.observe(i + 1, 0.1 + 1.234_567_8e-9);
        }
        let packs = Compact::of(&runs);
        assert_eq!(packs.len(), 1);
        let line = serde_json::to_string(&packs[0]).unwrap();
        let again = serde_json::from_str::<Compact>(&line).unwrap().runs().unwrap();
        assert_eq!(again.len(), 3);
        for (run, back) in runs.iter().zip(&again) {
            assert_eq!(run.key, back.key);
            assert_eq!(run.values, back.values);
            let regret = back.loss().unwrap() - 0.1;
            assert!((regret / 1.234_567_8e-9 - 1.0).abs() < 1e-5, "{regret}");
        }
    }
}
