//! Strategies by name, so that a row of a table is one word.
use crate::error::SearchError;
use crate::spec::{MaximizerSpec, ModelSpec, StrategySpec};
use arbora_model::infer::{Estimate, InferenceSpec};
use arbora_model::kernel::{Categories, Shared};
use arbora_model::{GpSpec, KernelSpec, LengthPrior, Nodes, SurrogateSpec, TreeGpSpec};
use arbora_space::Imputation;
use std::str::FromStr;

/// Every name, with what it stands for. The names are those of the papers' tables.
pub const STRATEGIES: [(&str, &str); 20] = [
    ("random", "draws from the priors of the space"),
    (
        "gp-conditional",
        "Gaussian process that isolates branches; slice sampling, local search with polish (GP-cond-ls)",
    ),
    (
        "gp-matern",
        "Gaussian process on imputed points that knows no branches; the best of 1000 random candidates",
    ),
    ("gp-matern-ls", "the same with local search and polish"),
    ("gp-add-tree", "Gaussian process that sums over the nodes of the tree of decisions (Add-Tree)"),
    ("gp-additive", "Gaussian process that sums over conditions, length-scales scaled by dimension, MAP"),
    (
        "gp-baseline",
        "Gaussian process that ignores activity, maximum likelihood, gradients from random draws",
    ),
    ("gp-cond", "Gaussian process that isolates branches; the best of 1000 random candidates"),
    ("gp-cond-ls", "the same with local search and polish: gp-conditional by its name in the papers"),
    ("gp-independent", "an independent Gaussian process in every branch; local search with polish"),
    ("gp-laplace", "Laplace kernel on imputed points; the best of 1000 random candidates"),
    ("gp-laplace-ls", "the same with local search and polish"),
    ("gp-matern-noimpute", "gp-matern with whatever value an inactive parameter was drawn with"),
    ("gp-mondrian", "random partitions of imputed points; the best of 1000 random candidates"),
    ("gp-marginal", "Gaussian process with the prior of the tree model; local search with polish"),
    ("tree", "tree-structured Gaussian process; the best path, then a point on it"),
    ("tree-global", "the same, searched on every path"),
    ("tree-linear", "the same as tree, shared parameters acting linearly"),
    ("tree-nonlinear", "the same as tree, shared parameters acting through random waves"),
    ("tree-topk", "the same as tree, searched on the three best paths"),
];

/// What the plain rows of the papers maximise over.
const CANDIDATES: MaximizerSpec = MaximizerSpec::Random { count: 1000 };

/// So many of the best paths, then points on them.
const fn path_first(branches: Option<usize>) -> MaximizerSpec {
    MaximizerSpec::BranchFirst { branches, random: 1000, starts: 10, polished: 5, reopen: false }
}

impl FromStr for StrategySpec {
    type Err = SearchError;

    fn from_str(name: &str) -> Result<Self, SearchError> {
        let with = |kernel: KernelSpec, maximizer: MaximizerSpec| {
            let surrogate = SurrogateSpec::Gp(GpSpec { kernel, ..GpSpec::default() });
            StrategySpec::Model(Box::new(ModelSpec { surrogate, maximizer, ..ModelSpec::default() }))
        };
        let model = |surrogate, maximizer| {
            StrategySpec::Model(Box::new(ModelSpec { surrogate, maximizer, ..ModelSpec::default() }))
        };
        let raw = |surrogate, maximizer| {
            let imputation = Imputation::Raw;
            let spec = ModelSpec { surrogate, maximizer, imputation, ..ModelSpec::default() };
            StrategySpec::Model(Box::new(spec))
        };
        let matern = || Box::new(KernelSpec::Matern52 { categories: Categories::Label });
        let map = InferenceSpec::Map { starts: 3, estimate: Estimate::Posterior };
        let tree = |nodes, branches| {
            let surrogate = SurrogateSpec::TreeGp(TreeGpSpec { nodes, infer: map, ..TreeGpSpec::default() });
            model(surrogate, path_first(branches))
        };
        let laplace = KernelSpec::Laplace { categories: Categories::Index };
        let imputed = KernelSpec::Matern52 { categories: Categories::Index };
        match name {
            "random" => Ok(StrategySpec::Random),
            "gp-conditional" => Ok(with(KernelSpec::default(), MaximizerSpec::default())),
            "gp-matern" => Ok(with(imputed, CANDIDATES)),
            "gp-matern-ls" => Ok(with(imputed, MaximizerSpec::default())),
            "gp-add-tree" => Ok(with(KernelSpec::AddTree { inner: matern() }, MaximizerSpec::default())),
            "gp-additive" => {
                let (kernel, prior) =
                    (KernelSpec::Additive { inner: matern() }, LengthPrior::DimensionScaled);
                let spec = GpSpec { kernel, prior, infer: map, ..GpSpec::default() };
                Ok(model(SurrogateSpec::Gp(spec), MaximizerSpec::default()))
            }
            "gp-baseline" => {
                let infer = InferenceSpec::Map { starts: 3, estimate: Estimate::Likelihood };
                let spec = GpSpec { kernel: *matern(), infer, ..GpSpec::default() };
                Ok(raw(SurrogateSpec::Gp(spec), MaximizerSpec::Descent { random: 1000, starts: 10 }))
            }
            "gp-cond" => Ok(with(KernelSpec::default(), CANDIDATES)),
            "gp-cond-ls" => Ok(with(KernelSpec::default(), MaximizerSpec::default())),
            "gp-independent" => {
                Ok(model(SurrogateSpec::PerBranch(GpSpec::default()), MaximizerSpec::default()))
            }
            "gp-matern-noimpute" => {
                let spec = GpSpec { kernel: imputed, ..GpSpec::default() };
                Ok(raw(SurrogateSpec::Gp(spec), CANDIDATES))
            }
            "gp-mondrian" => Ok(with(KernelSpec::Mondrian { trees: 30 }, CANDIDATES)),
            "gp-laplace" => Ok(with(laplace, CANDIDATES)),
            "gp-laplace-ls" => Ok(with(laplace, MaximizerSpec::default())),
            "gp-marginal" => {
                let kernel = KernelSpec::Marginal { inner: matern(), shared: Shared::Inside };
                Ok(with(kernel, MaximizerSpec::default()))
            }
            "tree" => Ok(tree(Nodes::Constant, Some(1))),
            "tree-global" => Ok(tree(Nodes::Constant, None)),
            "tree-linear" => Ok(tree(Nodes::Linear, Some(1))),
            "tree-nonlinear" => Ok(tree(Nodes::Fourier { waves: 64, length: 0.5 }, Some(1))),
            "tree-topk" => Ok(tree(Nodes::Constant, Some(3))),
            _ => Err(SearchError::UnknownStrategy {
                name: name.to_owned(),
                known: STRATEGIES.map(|(name, _)| name).join(", "),
            }),
        }
    }
}

impl Default for StrategySpec {
    fn default() -> Self {
        "gp-conditional".parse().expect("the default is one of the names")
    }
}
