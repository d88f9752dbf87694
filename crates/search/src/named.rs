//! Strategies by name, so that a row of a table is one word.
use crate::error::SearchError;
use crate::spec::{ModelSpec, StrategySpec};
use arbora_model::kernel::Categories;
use arbora_model::{GpSpec, KernelSpec, SurrogateSpec};
use std::str::FromStr;

/// Every name, with what it stands for.
pub const STRATEGIES: [(&str, &str); 3] = [
    ("random", "draws from the priors of the space"),
    ("gp-conditional", "Gaussian process that isolates branches, slice sampling, local search (GP-cond-ls)"),
    ("gp-matern", "Gaussian process on imputed points that knows no branches (GP-matern-ls)"),
];

impl FromStr for StrategySpec {
    type Err = SearchError;

    fn from_str(name: &str) -> Result<Self, SearchError> {
        let with = |kernel: KernelSpec| {
            let surrogate = SurrogateSpec::Gp(GpSpec { kernel, ..GpSpec::default() });
            StrategySpec::Model(Box::new(ModelSpec { surrogate, ..ModelSpec::default() }))
        };
        match name {
            "random" => Ok(StrategySpec::Random),
            "gp-conditional" => Ok(with(KernelSpec::default())),
            "gp-matern" => Ok(with(KernelSpec::Matern52 { categories: Categories::Index })),
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
