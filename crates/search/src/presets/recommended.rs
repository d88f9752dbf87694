//! The presets that are recommended.
use super::Preset;
use crate::design::{DefaultsFirstSpec, DesignSpec, RandomDesign};
use crate::maximize::{BranchFirst, BranchRule, LocalSearch, MaximizerSpec};
use crate::strategy::{
    AshaSpec, ByWidth, CmaEs, HyperbandSpec, InterleavedSpec, ModelSpec, RandomSearch, StrategySpec, Tpe,
    Turn,
};
use arbora_model::{ForestSpec, SurrogateSpec, TreeGpSpec};
use arbora_space::Imputation;

pub(super) const ALL: &[Preset] = &[
    Preset::recommended(
        "auto",
        "Gaussian process over all branches for 300 trials, then gp-conditional; in spaces of more than 60 \
         parameters gp-conditional from the start",
        "unless you have a reason not to",
        || StrategySpec::new(ByWidth::default()),
    ),
    Preset::recommended(
        "gp-conditional",
        "Gaussian process that isolates branches; slice sampling, local search with gradients",
        "when branches have little in common, and for more than 300 trials",
        || StrategySpec::new(ModelSpec::default()),
    ),
    Preset::recommended(
        "tree",
        "tree-structured Gaussian process; chooses the branch that is best on average, then a point in it",
        "when many branches get few trials each",
        tree,
    ),
    Preset::recommended(
        "smac",
        "random forest with local search, the defaults first, every second trial at random",
        "when most parameters are categories, and for thousands of trials",
        smac,
    ),
    Preset::recommended(
        "tpe",
        "tree-structured Parzen estimator, one parameter at a time as in hyperopt",
        "when trials are cheap and suggestions must take milliseconds",
        || StrategySpec::new(Tpe::default()),
    ),
    Preset::recommended(
        "cma",
        "CMA-ES over the unit cube of all parameters, conditions ignored",
        "for hundreds of trials of numbers without conditions",
        || StrategySpec::new(CmaEs::default()),
    ),
    Preset::recommended(
        "hyperband",
        "brackets of successive halving from 1/27 of an evaluation to all of it, by thirds",
        "when a part of an evaluation already ranks configurations well",
        || StrategySpec::new(HyperbandSpec::default()),
    ),
    Preset::recommended(
        "asha",
        "asynchronous successive halving from 1/64 of an evaluation to all of it, by quarters",
        "when a part of an evaluation ranks configurations well and many workers run at once",
        || StrategySpec::new(AshaSpec::default()),
    ),
    Preset::recommended(
        "random",
        "independent draws from the priors of the space",
        "as the baseline that others must beat",
        || StrategySpec::new(RandomSearch {}),
    ),
];

fn tree() -> StrategySpec {
    let maximizer = BranchFirst { branches: Some(1), rule: BranchRule::Average, ..BranchFirst::default() };
    StrategySpec::new(ModelSpec {
        surrogate: SurrogateSpec::new(TreeGpSpec::default()),
        maximizer: MaximizerSpec::new(maximizer),
        ..ModelSpec::default()
    })
}

/// SMAC  [Hutter et al. 2011], with the settings of SMAC3 0.2.
fn smac() -> StrategySpec {
    let then = DesignSpec::new(RandomDesign { count: 1 });
    let strategy = StrategySpec::new(ModelSpec {
        design: DesignSpec::new(DefaultsFirstSpec { then }),
        surrogate: SurrogateSpec::new(ForestSpec::default()),
        maximizer: MaximizerSpec::new(LocalSearch::default()),
        imputation: Imputation::Default,
        ..ModelSpec::default()
    });
    StrategySpec::new(InterleavedSpec { strategy, random: Turn::Every(2) })
}
