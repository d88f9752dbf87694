//! Rows of the papers' tables, except those of Kriging.
use super::by_surrogate;
use crate::hierarchical::{HierarchicalSpec, ShapeSpec};
use crate::mondrian::MondrianSpec;
use arbora_model::component::Component;
use arbora_model::infer::{Estimate, InferenceSpec, Map};
use arbora_model::kernel::{AddTreeSpec, AdditiveSpec, Categories, Kernel, Laplace, MarginalSpec, Matern52};
use arbora_model::prior::HyperPrior;
use arbora_model::{GpSpec, HyperSpec, KernelSpec, LengthPrior, Nodes, PerBranchSpec, TreeGpSpec};
use arbora_search::MaximizerSpec;
use arbora_search::Preset;
use arbora_search::Selection;
use arbora_search::design::{DesignSpec, RandomDesign, Sobol};
use arbora_search::maximize::{
    BranchFirst, BranchRule, Descend, LocalSearch, RandomCandidates, SobolAnchors,
};
use arbora_search::strategy::{
    BlindSpec, CmaEs, FabolasSpec, Good, GridSearch, HyperbandSpec, InterleavedSpec, LatinHypercubes,
    ModelSpec, RacingSpec, SobolSequence, StrategySpec, Tpe, Turn,
};

const L17: &str = "Lévesque et al. 2017";
const J17: &str = "Jenatton et al. 2017";

pub(crate) const ALL: &[Preset] = &[
    Preset::paper(
        "gp-matern",
        "Gaussian process with a Matérn kernel on imputed points, ignoring branches; the best of 1000 random candidates",
        L17,
        || imputed(candidates()),
    ),
    Preset::paper(
        "gp-matern-ls",
        "Gaussian process with a Matérn kernel on imputed points, ignoring branches; local search",
        L17,
        || imputed(local_search()),
    ),
    Preset::paper(
        "gp-matern-polish",
        "Gaussian process with a Matérn kernel on imputed points, ignoring branches; local search with gradients",
        L17,
        || imputed(MaximizerSpec::default()),
    ),
    Preset::paper(
        "gp-add-tree",
        "Gaussian process whose kernel sums over the nodes of the tree of decisions (Add-Tree); local search with gradients",
        "Ma & Blaschko 2020",
        || gp(AddTreeSpec::default(), MaximizerSpec::default()),
    ),
    Preset::paper(
        "gp-additive",
        "Gaussian process whose kernel sums over conditions, length-scales scaled by dimension, MAP estimates; local search with gradients",
        "priors of Hvarfner et al. 2024",
        additive,
    ),
    Preset::paper(
        "gp-baseline",
        "Gaussian process that treats every parameter as always active; maximum likelihood, gradients from random draws",
        J17,
        baseline,
    ),
    Preset::paper(
        "gp-cond",
        "Gaussian process that isolates branches; the best of 1000 random candidates",
        L17,
        || default_gp(candidates()),
    ),
    Preset::paper(
        "gp-cond-ls",
        "Gaussian process that isolates branches; local search without gradients",
        L17,
        || default_gp(local_search()),
    ),
    Preset::paper(
        "gp-independent",
        "an independent Gaussian process in every branch; local search with gradients",
        J17,
        || StrategySpec::new(by_surrogate(PerBranchSpec::default())),
    ),
    Preset::paper(
        "gp-laplace",
        "Gaussian process with a Laplace kernel on imputed points; the best of 1000 random candidates",
        L17,
        || laplace(candidates()),
    ),
    Preset::paper(
        "gp-laplace-ls",
        "Gaussian process with a Laplace kernel on imputed points; local search",
        L17,
        || laplace(local_search()),
    ),
    Preset::paper(
        "gp-matern-noimpute",
        "Gaussian process with a Matérn kernel that treats every parameter as always active; the best of 1000 random candidates",
        L17,
        || blind(GpSpec { kernel: matern_by_index(), ..GpSpec::default() }, candidates()),
    ),
    Preset::paper(
        "gp-mondrian",
        "Gaussian process whose kernel counts common cells of random partitions of imputed points; the best of 1000 random candidates",
        L17,
        || gp(MondrianSpec::default(), candidates()),
    ),
    Preset::paper(
        "gp-marginal",
        "Gaussian process with the prior of the tree model as its kernel; local search with gradients",
        J17,
        || gp(MarginalSpec::default(), MaximizerSpec::default()),
    ),
    Preset::paper("tree-global", "tree-structured Gaussian process, searched in every branch", J17, || {
        tree(Nodes::Constant, None)
    }),
    Preset::paper(
        "tree-topk",
        "tree-structured Gaussian process, searched in the three best branches",
        J17,
        || tree(Nodes::Constant, Some(3)),
    ),
    Preset::paper(
        "tree-linear",
        "tree-structured Gaussian process, shared parameters acting linearly; the best path, then a point on it",
        J17,
        || tree(Nodes::Linear, Some(1)),
    ),
    Preset::paper(
        "tree-nonlinear",
        "tree-structured Gaussian process, shared parameters acting through random Fourier features; the best path, then a point on it",
        J17,
        || tree(Nodes::Fourier { waves: 64, length: 0.5 }, Some(1)),
    ),
    Preset::paper(
        "arc",
        "Gaussian process with a Matérn kernel, values on an arc around inactive; local search with gradients",
        "Swersky et al. 2014, as compared in Jenatton et al. 2017",
        arc,
    ),
    Preset::paper(
        "grid",
        "every combination of ten values per number, in every branch, in random order",
        "the baseline of Bergstra & Bengio 2012",
        || StrategySpec::new(GridSearch { steps: 10 }),
    ),
    Preset::paper("sobol", "a scrambled Sobol sequence over all parameters", "Burley 2020", || {
        StrategySpec::new(SobolSequence {})
    }),
    Preset::paper("lhs", "Latin hypercubes of fifty points over all parameters", "McKay et al. 1979", || {
        StrategySpec::new(LatinHypercubes { count: 50 })
    }),
    Preset::paper(
        "cma-plus",
        "CMA-ES over the unit cube of all parameters, parents competing with their offspring, conditions ignored",
        L17,
        || StrategySpec::new(CmaEs { selection: Selection::Plus, ..CmaEs::default() }),
    ),
    Preset::paper(
        "smac-racing",
        "SMAC over five folds of a cross-validation: a configuration earns them one batch at a time",
        "Hutter et al. 2011, with folds as in Eggensperger et al. 2013",
        || StrategySpec::new(RacingSpec { strategy: smac(), folds: 5 }),
    ),
    Preset::paper(
        "spearmint",
        "Gaussian process on the unit cube of all parameters, 20000 Sobol anchors improved by gradients",
        "Snoek et al. 2012",
        spearmint,
    ),
    Preset::paper(
        "fabolas",
        "Gaussian process over configurations and fractions of an evaluation; improvement per cost",
        "Klein et al. 2017",
        || StrategySpec::new(FabolasSpec::default()),
    ),
    Preset::paper(
        "bohb",
        "Hyperband whose configurations come from TPE, a third of them at random",
        "Falkner et al. 2018",
        bohb,
    ),
];

/// The candidates that the papers' plain rows maximise over.
fn candidates() -> MaximizerSpec {
    MaximizerSpec::new(RandomCandidates { count: 1000 })
}

/// For names ending in `-ls`: local search from the best of those and from trials
/// [Lévesque et al. 2017, eq. 6].
fn local_search() -> MaximizerSpec {
    MaximizerSpec::new(LocalSearch { random: 1000, starts: 10 })
}

fn gp(kernel: impl Component<dyn Kernel>, maximizer: MaximizerSpec) -> StrategySpec {
    let process = GpSpec { kernel: KernelSpec::new(kernel), ..GpSpec::default() };
    StrategySpec::new(ModelSpec { maximizer, ..by_surrogate(process) })
}

fn default_gp(maximizer: MaximizerSpec) -> StrategySpec {
    StrategySpec::new(ModelSpec { maximizer, ..ModelSpec::default() })
}

fn imputed(maximizer: MaximizerSpec) -> StrategySpec {
    gp(Matern52 { categories: Categories::Index }, maximizer)
}

fn laplace(maximizer: MaximizerSpec) -> StrategySpec {
    gp(Laplace { categories: Categories::Index }, maximizer)
}

fn matern_by_index() -> KernelSpec {
    KernelSpec::new(Matern52 { categories: Categories::Index })
}

/// A process that ignores conditions, after five random points.
fn blind(process: GpSpec, maximizer: MaximizerSpec) -> StrategySpec {
    let design = DesignSpec::new(RandomDesign { count: 5 });
    let strategy = StrategySpec::new(ModelSpec { design, maximizer, ..by_surrogate(process) });
    StrategySpec::new(BlindSpec { strategy, cube: false })
}

fn map(estimate: Estimate) -> InferenceSpec {
    InferenceSpec::new(Map { starts: 3, estimate })
}

fn additive() -> StrategySpec {
    let (kernel, prior) = (KernelSpec::new(AdditiveSpec::default()), LengthPrior::DimensionScaled);
    let process = GpSpec { kernel, prior, infer: map(Estimate::Posterior), ..GpSpec::default() };
    StrategySpec::new(by_surrogate(process))
}

fn baseline() -> StrategySpec {
    let kernel = KernelSpec::new(Matern52::default());
    let process = GpSpec { kernel, infer: map(Estimate::Likelihood), ..GpSpec::default() };
    blind(process, MaximizerSpec::new(Descend { random: 1000, starts: 10 }))
}

/// Chooses this many of the best branches, then points in them.
fn tree(nodes: Nodes, branches: Option<usize>) -> StrategySpec {
    // Without shared parameters, a path says little about branches that have some.
    let rule = if nodes == Nodes::Constant { BranchRule::Average } else { BranchRule::Path };
    let maximizer = MaximizerSpec::new(BranchFirst { branches, rule, ..BranchFirst::default() });
    StrategySpec::new(ModelSpec { maximizer, ..by_surrogate(TreeGpSpec { nodes, ..TreeGpSpec::default() }) })
}

/// The arc kernel in a Gaussian process, as compared in J17: a Matérn 5/2 kernel on the embedding
/// of Swersky et al. 2014.
fn arc() -> StrategySpec {
    let kernel = HierarchicalSpec { shape: ShapeSpec::Matern52, ..HierarchicalSpec::default() };
    gp(kernel, MaximizerSpec::default())
}

/// Spearmint  [Snoek et al. 2012]: flat priors on length-scales up to 2, a horseshoe of scale 0.1
/// on the noise, two Sobol points first, anchors and descent. It ignores conditions and parameter
/// types: points of the unit cube are rounded only when they are evaluated.
fn spearmint() -> StrategySpec {
    let process = GpSpec {
        kernel: matern_by_index(),
        length: HyperSpec { prior: HyperPrior::Flat, low: 1e-2, high: 2.0, start: 1.0 },
        noise: HyperSpec { prior: HyperPrior::Horseshoe { scale: 0.1 }, ..HyperSpec::noise() },
        ..GpSpec::default()
    };
    let strategy = StrategySpec::new(ModelSpec {
        design: DesignSpec::new(Sobol { count: 2 }),
        maximizer: MaximizerSpec::new(SobolAnchors { points: 20_000, starts: 20 }),
        ..by_surrogate(process)
    });
    StrategySpec::new(BlindSpec { strategy, cube: true })
}

/// The recommended preset of the same name.
fn smac() -> StrategySpec {
    "smac".parse().expect("`smac` is a recommended preset")
}

/// BOHB  [Falkner et al. 2018]: a third of the configurations at random, the rest from joint
/// densities.
fn bohb() -> StrategySpec {
    let tpe = Tpe { startup: 10, good: Good::Quantile(0.15), joint: true, ..Tpe::default() };
    let (strategy, random) = (StrategySpec::new(tpe), Turn::Share(1.0 / 3.0));
    let strategy = StrategySpec::new(InterleavedSpec { strategy, random });
    StrategySpec::new(HyperbandSpec { strategy, ..HyperbandSpec::default() })
}
