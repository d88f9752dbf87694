//! Strategies by name, so that a row of a table is one word.
use crate::design::{DefaultsFirstSpec, DesignSpec, RandomDesign, Sobol};
use crate::error::SearchError;
use crate::evolution::Selection;
use crate::maximize::{
    BranchFirst, BranchRule, Descend, DifferentialEvolution, LocalSearch, MaximizerSpec, RandomCandidates,
    SobolAnchors,
};
use crate::spec::ModelSpec;
use crate::strategy::{CmaEs, Good, Tpe, Turn};
use crate::strategy_spec::{FabolasSpec, StrategySpec};
use arbora_model::infer::{Estimate, InferenceSpec};
use arbora_model::kernel::{Categories, Shared};
use arbora_model::prior::Prior;
use arbora_model::{
    Belief, Correction, ForestSpec, GpSpec, HierarchicalSpec, KernelSpec, KrigingSpec, LengthPrior, Nodes,
    RuleSpec, ShapeSpec, SurrogateSpec, TreeGpSpec,
};
use arbora_space::Imputation;
use std::str::FromStr;

/// Every name, with what it stands for. The names are those of the papers' tables.
pub const STRATEGIES: [(&str, &str); 48] = [
    (
        "auto",
        "Gaussian process over all branches for 300 trials; then, and in spaces of more than 60 parameters, gp-conditional, which stays fast",
    ),
    ("random", "draws from the priors of the space"),
    ("gp-conditional", "Gaussian process that isolates branches; slice sampling, local search with polish"),
    (
        "gp-matern",
        "Gaussian process on imputed points that knows no branches; the best of 1000 random candidates",
    ),
    ("gp-matern-ls", "the same with local search"),
    ("gp-matern-polish", "the same with local search and polish"),
    ("gp-add-tree", "Gaussian process that sums over the nodes of the tree of decisions (Add-Tree)"),
    ("gp-additive", "Gaussian process that sums over conditions, length-scales scaled by dimension, MAP"),
    (
        "gp-baseline",
        "Gaussian process that takes every parameter to be always there, maximum likelihood, gradients from random draws",
    ),
    ("gp-cond", "Gaussian process that isolates branches; the best of 1000 random candidates"),
    ("gp-cond-ls", "the same with local search, as in the paper: gp-conditional without polish"),
    ("gp-independent", "an independent Gaussian process in every branch; local search with polish"),
    ("gp-laplace", "Laplace kernel on imputed points; the best of 1000 random candidates"),
    ("gp-laplace-ls", "the same with local search"),
    ("gp-matern-noimpute", "gp-matern that takes every parameter to be always there"),
    ("gp-mondrian", "random partitions of imputed points; the best of 1000 random candidates"),
    ("gp-marginal", "Gaussian process with the prior of the tree model; local search with polish"),
    ("tree", "tree-structured Gaussian process; the branch that is best on average, then a point in it"),
    ("tree-global", "the same, searched in every branch"),
    ("tree-topk", "the same, searched in the three best branches"),
    (
        "tree-linear",
        "tree-structured Gaussian process, shared parameters acting linearly; the best path, then a point on it",
    ),
    ("tree-nonlinear", "the same, shared parameters acting through random waves"),
    (
        "arc",
        "Gaussian process, absence in the centre of an arc of values, Matérn kernel; local search with polish",
    ),
    (
        "gp-arc",
        "Kriging, absence in the centre of an arc of values; 200 evaluations of the likelihood, expected improvement by differential evolution (Arc)",
    ),
    ("gp-ico", "the same with a distance to absence of its own; indefinite, left as it is (Ico)"),
    (
        "gp-icocor",
        "the same with the matrix of seen and new points made definite by flipping negative eigenvalues (IcoCor)",
    ),
    ("gp-imp", "the same with a learnt stand-in for what is absent (Imp)"),
    ("gp-imparc", "the same with arc and stand-in together (ImpArc)"),
    ("gp-stan", "the same by a kernel that knows nothing of absence (Stan)"),
    ("gp-arc-mle", "gp-arc with the greatest likelihood that can be found, by gradients"),
    ("gp-ico-mle", "gp-ico, likewise"),
    ("gp-icocor-mle", "gp-icocor, likewise; one correction for seen and new points"),
    ("gp-imp-mle", "gp-imp, likewise"),
    ("gp-imparc-mle", "gp-imparc, likewise"),
    ("gp-stan-mle", "gp-stan, likewise"),
    ("grid", "every combination of ten values per number, in every branch, in random order"),
    ("sobol", "a scrambled Sobol sequence over all parameters"),
    ("lhs", "Latin hypercubes of fifty points over all parameters"),
    ("cma", "CMA-ES over the cube of all parameters, conditions ignored"),
    ("cma-plus", "the same, parents competing with their offspring"),
    ("smac", "random forest, local search, every second trial at random; the defaults first"),
    ("smac-racing", "smac over five folds: a configuration earns them one batch at a time"),
    ("tpe", "tree-structured Parzen estimator, parameter by parameter as in hyperopt"),
    ("hyperband", "brackets of successive halving from 1/27 of an evaluation, by thirds"),
    ("asha", "asynchronous successive halving from 1/64 of an evaluation, by quarters"),
    (
        "spearmint",
        "Gaussian process on the unit cube of all parameters, 20000 Sobol anchors polished by descent",
    ),
    ("fabolas", "Gaussian process over configurations and shares of an evaluation; improvement per cost"),
    ("bohb", "Hyperband whose configurations come from TPE, a third of them at random"),
];

/// A process over all branches shares what it learns between them, and costs n³: from here on, a second per suggestion.
const DENSE: usize = 300;

/// Every length-scale of such a process is sampled with every suggestion: beyond so many parameters, too slowly.
const WIDE: usize = 60;

/// What the plain rows of the papers maximise over.
fn candidates() -> MaximizerSpec {
    MaximizerSpec::new(RandomCandidates { count: 1000 })
}

/// And with `-ls` after their names, from the best of those and from trials  [Lévesque et al. 2017, eq. 6].
fn local_search() -> MaximizerSpec {
    MaximizerSpec::new(LocalSearch { random: 1000, starts: 10 })
}

/// So many of the best branches, then points in them.
fn branch_first(branches: Option<usize>, rule: BranchRule) -> MaximizerSpec {
    MaximizerSpec::new(BranchFirst { branches, rule, ..BranchFirst::default() })
}

/// A row of Zaefferer & Horn 2018, §5: three random points, Kriging with a nugget and re-interpolation, its
/// likelihood by 200 evaluations of DIRECT, expected improvement by differential evolution. `-mle` after a
/// name: the likelihood by 200 evaluations per hyper and gradients, IcoCor by the consistent correction.
fn kriging(name: &str) -> Option<StrategySpec> {
    let (name, is_mle) = name.strip_suffix("-mle").map_or((name, false), |name| (name, true));
    let corrected = if is_mle { Correction::Linear } else { Correction::Augmented };
    let (rule, correction) = match name {
        "gp-arc" => (RuleSpec::default(), Correction::None),
        "gp-ico" => (RuleSpec::Ico {}, Correction::None),
        "gp-icocor" => (RuleSpec::Ico {}, corrected),
        "gp-imp" => (RuleSpec::Imp {}, Correction::None),
        "gp-imparc" => (RuleSpec::ImpArc {}, Correction::None),
        "gp-stan" => (RuleSpec::Standard {}, Correction::None),
        _ => return None,
    };
    let kernel = KernelSpec::Hierarchical(HierarchicalSpec { rule, ..HierarchicalSpec::default() });
    let estimate = Estimate::Likelihood;
    let infer = InferenceSpec::Direct { evaluations: 200, per_hyper: is_mle, estimate, polish: is_mle };
    let strategy = StrategySpec::Model(Box::new(ModelSpec {
        design: DesignSpec::new(RandomDesign { count: 3 }),
        surrogate: SurrogateSpec::Kriging(KrigingSpec {
            kernel,
            infer,
            correction,
            ..KrigingSpec::default()
        }),
        maximizer: MaximizerSpec::new(DifferentialEvolution { evaluations: 10_000 }),
        ..ModelSpec::default()
    }));
    Some(if name == "gp-stan" { blind(strategy) } else { strategy })
}

/// The same with no knowledge of conditions.
fn blind(strategy: StrategySpec) -> StrategySpec {
    StrategySpec::Blind { strategy: Box::new(strategy), cube: false }
}

/// The arc kernel in a Gaussian process, as J17 compares with: a Matérn 5/2 kernel on the embedding of Swersky
/// et al. 2014.
fn arc() -> StrategySpec {
    let kernel = KernelSpec::Hierarchical(HierarchicalSpec {
        rule: RuleSpec::default(),
        shape: ShapeSpec::Matern52,
        ..HierarchicalSpec::default()
    });
    let surrogate = SurrogateSpec::Gp(GpSpec { kernel, ..GpSpec::default() });
    StrategySpec::Model(Box::new(ModelSpec { surrogate, ..ModelSpec::default() }))
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
        let blind = |surrogate, maximizer| {
            let design = DesignSpec::new(RandomDesign { count: 5 });
            let spec = ModelSpec { design, surrogate, maximizer, ..ModelSpec::default() };
            blind(StrategySpec::Model(Box::new(spec)))
        };
        let matern = || Box::new(KernelSpec::Matern52 { categories: Categories::Label });
        let map = InferenceSpec::Map { starts: 3, estimate: Estimate::Posterior };
        let tree = |nodes, branches| {
            let surrogate = SurrogateSpec::TreeGp(TreeGpSpec { nodes, ..TreeGpSpec::default() });
            // A path without shared parameters says little of branches that have some.
            let rule = if nodes == Nodes::Constant { BranchRule::Average } else { BranchRule::Path };
            model(surrogate, branch_first(branches, rule))
        };
        let laplace = KernelSpec::Laplace { categories: Categories::Index };
        let imputed = KernelSpec::Matern52 { categories: Categories::Index };
        match name {
            "auto" => {
                let apart = || Box::new(with(KernelSpec::default(), MaximizerSpec::default()));
                let together = Box::new(with(*matern(), MaximizerSpec::default()));
                let narrow = StrategySpec::Then { first: together, trials: DENSE, then: apart() };
                Ok(StrategySpec::ByWidth { columns: WIDE, narrow: Box::new(narrow), wide: apart() })
            }
            "random" => Ok(StrategySpec::Random),
            "gp-conditional" => Ok(with(KernelSpec::default(), MaximizerSpec::default())),
            "gp-cond-ls" => Ok(with(KernelSpec::default(), local_search())),
            "gp-matern" => Ok(with(imputed, candidates())),
            "gp-matern-ls" => Ok(with(imputed, local_search())),
            "gp-matern-polish" => Ok(with(imputed, MaximizerSpec::default())),
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
                Ok(blind(SurrogateSpec::Gp(spec), MaximizerSpec::new(Descend { random: 1000, starts: 10 })))
            }
            "gp-cond" => Ok(with(KernelSpec::default(), candidates())),
            "gp-independent" => {
                Ok(model(SurrogateSpec::PerBranch(GpSpec::default()), MaximizerSpec::default()))
            }
            "gp-matern-noimpute" => {
                let spec = GpSpec { kernel: imputed, ..GpSpec::default() };
                Ok(blind(SurrogateSpec::Gp(spec), candidates()))
            }
            "gp-mondrian" => Ok(with(KernelSpec::Mondrian { trees: 30 }, candidates())),
            "gp-laplace" => Ok(with(laplace, candidates())),
            "gp-laplace-ls" => Ok(with(laplace, local_search())),
            "gp-marginal" => {
                let kernel = KernelSpec::Marginal { inner: matern(), shared: Shared::Inside, offsets: false };
                Ok(with(kernel, MaximizerSpec::default()))
            }
            "tree" => Ok(tree(Nodes::Constant, Some(1))),
            "tree-global" => Ok(tree(Nodes::Constant, None)),
            "tree-linear" => Ok(tree(Nodes::Linear, Some(1))),
            "tree-nonlinear" => Ok(tree(Nodes::Fourier { waves: 64, length: 0.5 }, Some(1))),
            "tree-topk" => Ok(tree(Nodes::Constant, Some(3))),
            "arc" => Ok(arc()),
            "grid" => Ok(StrategySpec::Grid { steps: 10 }),
            "sobol" => Ok(StrategySpec::Sobol {}),
            "lhs" => Ok(StrategySpec::LatinHypercube { count: 50 }),
            "cma" => Ok(StrategySpec::CmaEs(CmaEs::default())),
            "cma-plus" => Ok(StrategySpec::CmaEs(CmaEs { selection: Selection::Plus, ..CmaEs::default() })),
            "smac" => Ok(smac()),
            "smac-racing" => Ok(StrategySpec::Racing { strategy: Box::new(smac()), folds: 5 }),
            "tpe" => Ok(StrategySpec::Tpe(Tpe::default())),
            "hyperband" => StrategySpec::from_json(r#"{"kind":"hyperband"}"#),
            "asha" => StrategySpec::from_json(r#"{"kind":"asha"}"#),
            "bohb" => Ok(bohb()),
            "spearmint" => Ok(spearmint()),
            "fabolas" => Ok(StrategySpec::Fabolas(FabolasSpec::default())),
            _ => kriging(name).ok_or_else(|| SearchError::UnknownStrategy {
                name: name.to_owned(),
                known: STRATEGIES.map(|(name, _)| name).join(", "),
            }),
        }
    }
}

/// SMAC  [Hutter et al. 2011], with the settings of SMAC3 0.2.
fn smac() -> StrategySpec {
    let model = ModelSpec {
        design: DesignSpec::new(DefaultsFirstSpec { then: DesignSpec::new(RandomDesign { count: 1 }) }),
        surrogate: SurrogateSpec::Forest(ForestSpec::default()),
        maximizer: local_search(),
        imputation: Imputation::Default,
        ..ModelSpec::default()
    };
    let strategy = Box::new(StrategySpec::Model(Box::new(model)));
    StrategySpec::Interleaved { strategy, random: Turn::Every(2) }
}

/// Spearmint  [Snoek et al. 2012]: flat priors on length-scales up to 2, a horseshoe of scale 0.1 on the noise, two
/// Sobol points first, anchors and descent. It knows neither conditions nor kinds of parameters: points of the unit
/// cube are rounded only when they are tried.
fn spearmint() -> StrategySpec {
    let surrogate = SurrogateSpec::Gp(GpSpec {
        kernel: KernelSpec::Matern52 { categories: Categories::Index },
        length: Belief { prior: Prior::Flat, low: 1e-2, high: 2.0, start: 1.0 },
        noise: Belief { prior: Prior::Horseshoe { scale: 0.1 }, ..Belief::noise() },
        ..GpSpec::default()
    });
    let strategy = StrategySpec::Model(Box::new(ModelSpec {
        design: DesignSpec::new(Sobol { count: 2 }),
        surrogate,
        maximizer: MaximizerSpec::new(SobolAnchors { points: 20_000, starts: 20 }),
        ..ModelSpec::default()
    }));
    StrategySpec::Blind { strategy: Box::new(strategy), cube: true }
}

/// BOHB  [Falkner et al. 2018]: a third of the configurations at random, the rest from joint densities.
fn bohb() -> StrategySpec {
    let tpe =
        StrategySpec::Tpe(Tpe { startup: 10, good: Good::Quantile(0.15), joint: true, ..Tpe::default() });
    let strategy =
        Box::new(StrategySpec::Interleaved { strategy: Box::new(tpe), random: Turn::Share(1.0 / 3.0) });
    StrategySpec::Hyperband { strategy, eta: 3.0, smallest: 1.0 / 27.0, least: None }
}

impl StrategySpec {
    /// The name it goes by, if it is one of [`STRATEGIES`].
    pub fn name(&self) -> Option<&'static str> {
        let names = STRATEGIES.iter().map(|(name, _)| *name);
        names.into_iter().find(|name| name.parse::<StrategySpec>().is_ok_and(|known| known == *self))
    }

    /// For people: its name, or of which kind a strategy put together by hand is.
    pub fn describe(&self) -> String {
        let kind = || {
            let written = serde_json::to_value(self).ok();
            let kind = written.as_ref().and_then(|written| written.get("kind")?.as_str());
            format!("one of your own, of kind `{}`", kind.unwrap_or("unknown"))
        };
        self.name().map_or_else(kind, |name| format!("`{name}`"))
    }
}

impl Default for StrategySpec {
    fn default() -> Self {
        "auto".parse().expect("the default is one of the names")
    }
}
