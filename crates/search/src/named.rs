//! Strategies by name, so that a row of a table is one word.
use crate::error::SearchError;
use crate::evolution::Selection;
use crate::spec::{DesignSpec, MaximizerSpec, ModelSpec};
use crate::strategy::{CmaEs, Good, Tpe, Turn};
use crate::strategy_spec::{FabolasSpec, StrategySpec};
use arbora_model::kernel::Categories;
use arbora_model::prior::Prior;
use arbora_model::{Belief, ForestSpec, GpSpec, KernelSpec, SurrogateSpec};
use arbora_space::Imputation;
use std::str::FromStr;

/// Every name, with what it stands for. The names are those of the papers' tables.
pub const STRATEGIES: [(&str, &str); 16] = [
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
    ("grid", "every combination of ten values per number, in every branch, in random order"),
    ("sobol", "a scrambled Sobol sequence over all parameters"),
    ("lhs", "Latin hypercubes of fifty points over all parameters"),
    ("cma", "CMA-ES over the cube of all parameters, conditions ignored"),
    ("cma-plus", "the same, parents competing with their offspring"),
    ("smac", "random forest, local search, every second trial at random; the defaults first"),
    ("tpe", "tree-structured Parzen estimator"),
    ("hyperband", "brackets of successive halving from 1/27 of an evaluation, by thirds"),
    ("asha", "asynchronous successive halving from 1/64 of an evaluation, by quarters"),
    ("spearmint", "Gaussian process without conditions, 20000 Sobol anchors polished by descent"),
    ("fabolas", "Gaussian process over configurations and shares of an evaluation; improvement per cost"),
    ("bohb", "Hyperband whose configurations come from TPE, a third of them at random"),
];

/// What the plain rows of the papers maximise over.
const CANDIDATES: MaximizerSpec = MaximizerSpec::Random { count: 1000 };

impl FromStr for StrategySpec {
    type Err = SearchError;

    fn from_str(name: &str) -> Result<Self, SearchError> {
        let with = |kernel: KernelSpec, maximizer: MaximizerSpec| {
            let surrogate = SurrogateSpec::Gp(GpSpec { kernel, ..GpSpec::default() });
            StrategySpec::Model(Box::new(ModelSpec { surrogate, maximizer, ..ModelSpec::default() }))
        };
        let imputed = KernelSpec::Matern52 { categories: Categories::Index };
        match name {
            "random" => Ok(StrategySpec::Random),
            "gp-conditional" => Ok(with(KernelSpec::default(), MaximizerSpec::default())),
            "gp-matern" => Ok(with(imputed, CANDIDATES)),
            "gp-matern-ls" => Ok(with(imputed, MaximizerSpec::default())),
            "grid" => Ok(StrategySpec::Grid { steps: 10 }),
            "sobol" => Ok(StrategySpec::Sobol {}),
            "lhs" => Ok(StrategySpec::LatinHypercube { count: 50 }),
            "cma" => Ok(StrategySpec::CmaEs(CmaEs::default())),
            "cma-plus" => Ok(StrategySpec::CmaEs(CmaEs { selection: Selection::Plus, ..CmaEs::default() })),
            "smac" => Ok(smac()),
            "tpe" => Ok(StrategySpec::Tpe(Tpe::default())),
            "hyperband" => StrategySpec::from_json(r#"{"kind":"hyperband"}"#),
            "asha" => StrategySpec::from_json(r#"{"kind":"asha"}"#),
            "bohb" => Ok(bohb()),
            "spearmint" => Ok(spearmint()),
            "fabolas" => Ok(StrategySpec::Fabolas(FabolasSpec::default())),
            _ => Err(SearchError::UnknownStrategy {
                name: name.to_owned(),
                known: STRATEGIES.map(|(name, _)| name).join(", "),
            }),
        }
    }
}

/// SMAC  [Hutter et al. 2011], with the settings of SMAC3 0.2.
fn smac() -> StrategySpec {
    let model = ModelSpec {
        design: DesignSpec::DefaultsFirst { then: Box::new(DesignSpec::Random { count: 1 }) },
        surrogate: SurrogateSpec::Forest(ForestSpec::default()),
        maximizer: MaximizerSpec::LocalSearch { random: 1000, starts: 10 },
        imputation: Imputation::Default,
        ..ModelSpec::default()
    };
    let strategy = Box::new(StrategySpec::Model(Box::new(model)));
    StrategySpec::Interleaved { strategy, random: Turn::Every(2) }
}

/// Spearmint  [Snoek et al. 2012]: flat priors on length-scales up to 2, a horseshoe of scale 0.1 on the noise, two
/// Sobol points first, anchors and descent. Inactive coordinates stand at their midpoint.
fn spearmint() -> StrategySpec {
    let surrogate = SurrogateSpec::Gp(GpSpec {
        kernel: KernelSpec::Matern52 { categories: Categories::Index },
        length: Belief { prior: Prior::Flat, low: 1e-2, high: 2.0, start: 1.0 },
        noise: Belief { prior: Prior::Horseshoe { scale: 0.1 }, ..Belief::noise() },
        ..GpSpec::default()
    });
    StrategySpec::Model(Box::new(ModelSpec {
        design: DesignSpec::Sobol { count: 2 },
        surrogate,
        maximizer: MaximizerSpec::SobolAnchors { points: 20_000, starts: 20 },
        ..ModelSpec::default()
    }))
}

/// BOHB  [Falkner et al. 2018]: a third of the configurations at random, the rest from joint densities.
fn bohb() -> StrategySpec {
    let tpe = StrategySpec::Tpe(Tpe { startup: 10, good: Good::Quantile(0.15), ..Tpe::default() });
    let strategy =
        Box::new(StrategySpec::Interleaved { strategy: Box::new(tpe), random: Turn::Share(1.0 / 3.0) });
    StrategySpec::Hyperband { strategy, eta: 3.0, smallest: 1.0 / 27.0, least: None }
}

impl Default for StrategySpec {
    fn default() -> Self {
        "gp-conditional".parse().expect("the default is one of the names")
    }
}
