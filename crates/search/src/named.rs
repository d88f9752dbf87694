//! Strategies by name, so that a row of a table is one word.
use crate::error::SearchError;
use crate::evolution::Selection;
use crate::spec::{MaximizerSpec, ModelSpec, StrategySpec};
use crate::strategy::CmaEs;
use arbora_model::kernel::Categories;
use arbora_model::{GpSpec, KernelSpec, SurrogateSpec};
use std::str::FromStr;

/// Every name, with what it stands for. The names are those of the papers' tables.
pub const STRATEGIES: [(&str, &str); 9] = [
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
            "cma-plus" => {
                Ok(StrategySpec::CmaEs(CmaEs { selection: Selection::Plus, ..CmaEs::default() }))
            }
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
