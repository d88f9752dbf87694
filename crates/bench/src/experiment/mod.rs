//! The experiments of the papers, one file each: what is run, and what the papers claim of it.
//!
//! | tag | paper |
//! |---|---|
//! | L17 | Lévesque, Durand, Gagné, Sabourin 2017, *Bayesian optimization for conditional hyperparameter spaces* |
//! | E13 | Eggensperger et al. 2013, *Towards an empirical foundation for assessing Bayesian optimization* |
//! | J17 | Jenatton, Archambeau, González, Seeger 2017, *Bayesian optimization with tree-structured dependencies* |
//! | Z18 | Zaefferer & Horn 2018, *A first analysis of kernels for Kriging-based optimization in hierarchical spaces* |
//! | T18 | Lévesque 2018, thesis: overfitting, ensembles, conditional spaces |
mod e13_functions;
mod j17_networks;
mod j17_trees;
mod l17_cash;
mod l17_covariances;
mod own;
mod peers;
mod scale;
mod t18_cash_ensembles;
mod t18_network_ensembles;
mod t18_overfitting;
mod t18_posterior_mean;
mod t18_svm_ensembles;
mod t18_svm_width;
mod z18_kernels;
mod z18_search;

use crate::claim::Claim;
use crate::error::BenchError;
use crate::job::Worker;
use crate::plan::{RunPlan, Size};
use crate::results::{Blocks, Measure, Results};
use crate::run::{Key, Run};

/// What one run of an experiment does.
pub type Job = fn(&Key, &mut Worker<'_>) -> Result<Run, BenchError>;

/// An experiment.
pub struct Experiment {
    /// What it shows, such as `j17-trees`.
    pub name: &'static str,
    /// Such as `x4`: the same on the command line, and its name in results and reports.
    pub short: &'static str,
    /// The short name under which its runs are kept: its own, or that of an experiment it shares runs with.
    pub log: &'static str,
    /// In a few words.
    pub title: &'static str,
    /// Where it is printed.
    pub source: &'static str,
    /// What is run, at either size.
    pub plan: fn(Size) -> RunPlan,
    /// One run.
    pub job: Job,
    /// What runs are compared by.
    pub measure: Measure,
    /// What is ranked as one block.
    pub blocks: Blocks,
    /// What the paper says, judged by what was found.
    pub claims: fn(&Results) -> Vec<Claim>,
}

impl Experiment {
    /// Every run of a plan: all methods and problems of a seed before the next seed, so that a part is a fair part.
    pub fn keys(&self, plan: &RunPlan) -> Vec<Key> {
        let mut keys = Vec::new();
        for seed in 0..plan.seeds {
            for entry in &plan.problems {
                for method in &plan.methods {
                    keys.push(Key {
                        experiment: self.log.to_owned(),
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
pub static EXPERIMENTS: [&Experiment; 16] = [
    &l17_covariances::EXPERIMENT,
    &l17_cash::EXPERIMENT,
    &e13_functions::EXPERIMENT,
    &j17_trees::EXPERIMENT,
    &j17_networks::EXPERIMENT,
    &z18_kernels::EXPERIMENT,
    &z18_search::EXPERIMENT,
    &t18_svm_width::EXPERIMENT,
    &t18_overfitting::EXPERIMENT,
    &t18_posterior_mean::EXPERIMENT,
    &t18_svm_ensembles::EXPERIMENT,
    &t18_cash_ensembles::EXPERIMENT,
    &t18_network_ensembles::EXPERIMENT,
    &peers::EXPERIMENT,
    &scale::EXPERIMENT,
    &own::EXPERIMENT,
];

/// The experiment of a name, long or short.
pub fn by_name(name: &str) -> Result<&'static Experiment, BenchError> {
    let found =
        EXPERIMENTS.into_iter().find(|experiment| [experiment.name, experiment.short].contains(&name));
    found.ok_or_else(|| {
        let known = EXPERIMENTS.map(|experiment| experiment.short).join(", ");
        BenchError::UnknownExperiment { name: name.to_owned(), known }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn plans_name_every_run_once_and_grow_with_their_size() {
        for experiment in EXPERIMENTS {
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
        for experiment in EXPERIMENTS {
            let plan = (experiment.plan)(Size::Quick);
            let nothing = Results::new(plan, experiment.measure, experiment.blocks, Vec::new());
            for claim in (experiment.claims)(&nothing) {
                let verdict = claim.verdict;
                assert_eq!(
                    verdict,
                    crate::claim::ClaimVerdict::NotRun,
                    "{}: {}",
                    experiment.name,
                    claim.says
                );
            }
        }
    }
}
