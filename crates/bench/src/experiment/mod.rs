//! The experiments of the papers, one file each: what is run, and what the papers claim of it.
//!
//! | tag | paper |
//! |---|---|
//! | L17 | Lévesque, Durand, Gagné, Sabourin 2017, *Bayesian optimization for conditional hyperparameter spaces* |
//! | E13 | Eggensperger et al. 2013, *Towards an empirical foundation for assessing Bayesian optimization* |
//! | J17 | Jenatton, Archambeau, González, Seeger 2017, *Bayesian optimization with tree-structured dependencies* |
//! | Z18 | Zaefferer & Horn 2018, *A first analysis of kernels for Kriging-based optimization in hierarchical spaces* |
//! | T18 | Lévesque 2018, thesis: overfitting, ensembles, conditional spaces |
mod own;
mod peers;
mod scale;
mod x1;
mod x10;
mod x11;
mod x12;
mod x13;
mod x2;
mod x3;
mod x4;
mod x5;
mod x6;
mod x7;
mod x8;
mod x9;

use crate::claim::Claim;
use crate::error::BenchError;
use crate::findings::{Blocks, Findings, Measure};
use crate::plan::{Plan, Size};
use crate::run::{Key, Run};
use crate::workbench::Workbench;

/// What one run of an experiment does.
pub type Work = fn(&Key, &mut Workbench<'_>) -> Result<Run, BenchError>;

/// An experiment.
pub struct Experiment {
    /// Such as `x4`.
    pub name: &'static str,
    /// Whose results it keeps: its own, or those of an experiment it shares runs with.
    pub ledger: &'static str,
    /// In a few words.
    pub title: &'static str,
    /// Where it is printed.
    pub source: &'static str,
    /// What is run, at either size.
    pub plan: fn(Size) -> Plan,
    /// One run.
    pub work: Work,
    /// What runs are compared by.
    pub measure: Measure,
    /// What is ranked as one block.
    pub blocks: Blocks,
    /// What the paper says, judged by what was found.
    pub claims: fn(&Findings) -> Vec<Claim>,
}

impl Experiment {
    /// Every run of a plan: all methods and problems of a seed before the next seed, so that a part is a fair part.
    pub fn keys(&self, plan: &Plan) -> Vec<Key> {
        let mut keys = Vec::new();
        for seed in 0..plan.seeds {
            for entry in &plan.problems {
                for method in &plan.methods {
                    keys.push(Key {
                        experiment: self.ledger.to_owned(),
                        problem: entry.problem.clone(),
                        method: method.clone(),
                        seed,
                        trials: entry.trials,
                    });
                }
            }
        }
        keys
    }
}

/// All of them, in the order of the papers.
pub fn experiments() -> Vec<Experiment> {
    vec![
        x1::experiment(),
        x2::experiment(),
        x3::experiment(),
        x4::experiment(),
        x5::experiment(),
        x6::experiment(),
        x7::experiment(),
        x8::experiment(),
        x9::experiment(),
        x10::experiment(),
        x11::experiment(),
        x12::experiment(),
        x13::experiment(),
        peers::experiment(),
        scale::experiment(),
        own::experiment(),
    ]
}

/// The experiment of a name.
pub fn by_name(name: &str) -> Result<Experiment, BenchError> {
    let known = || experiments().iter().map(|e| e.name).collect::<Vec<_>>().join(", ");
    let found = experiments().into_iter().find(|experiment| experiment.name == name);
    found.ok_or_else(|| BenchError::UnknownExperiment { name: name.to_owned(), known: known() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn plans_name_every_run_once_and_grow_with_their_size() {
        for experiment in experiments() {
            let sizes = Size::ALL.map(|size| {
                let keys = experiment.keys(&(experiment.plan)(size));
                let different: BTreeSet<&Key> = keys.iter().collect();
                assert_eq!(different.len(), keys.len(), "{}", experiment.name);
                keys.iter().map(|key| key.trials).sum::<usize>()
            });
            assert!(sizes.is_sorted(), "{}: {sizes:?}", experiment.name);
        }
    }

    #[test]
    fn a_claim_without_runs_is_not_decided() {
        for experiment in experiments() {
            let plan = (experiment.plan)(Size::Quick);
            let nothing = Findings::new(plan, experiment.measure, experiment.blocks, Vec::new());
            for claim in (experiment.claims)(&nothing) {
                let verdict = claim.verdict;
                assert_eq!(verdict, crate::claim::Verdict::NotRun, "{}: {}", experiment.name, claim.says);
            }
        }
    }
}
