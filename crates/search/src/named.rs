//! Strategies by name, so that a row of a table is one word.
use crate::error::SearchError;
use crate::spec::{MaximizerSpec, ModelSpec, StrategySpec};
use arbora_model::kernel::Categories;
use arbora_model::{GpSpec, KernelSpec, SurrogateSpec};
use std::str::FromStr;

/// Every name, with what it stands for. The names are those of the papers' tables.
pub const STRATEGIES: [(&str, &str); 4] = [
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
