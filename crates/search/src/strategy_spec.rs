//! Strategies as data: chosen by name, or part by part. Unknown fields are rejected; `build` checks everything once.
use crate::design::{Grid, LatinHypercube, Sobol};
use crate::error::SearchError;
use crate::spec::{ModelSpec, positive};
use crate::strategy::{CmaEs, Designed, Interleaved, RandomSearch, Strategy, Tpe, Turn};
use arbora_model::Workers;
use arbora_space::Space;
use serde::{Deserialize, Serialize};

/// A strategy as data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum StrategySpec {
    /// Draws from the priors.
    Random,
    /// A design, then model, acquisition and maximizer.
    Model(Box<ModelSpec>),
    /// CMA-ES over the cube of all parameters.
    CmaEs(CmaEs),
    /// Every combination of a few values per parameter, in every branch.
    Grid {
        /// Values per number.
        #[serde(default = "ten")]
        steps: usize,
    },
    /// A strategy with random draws between its suggestions.
    Interleaved {
        /// Whose suggestions.
        strategy: Box<StrategySpec>,
        /// Which trials are random.
        random: Turn,
    },
    /// Latin hypercubes, one after the other.
    LatinHypercube {
        /// Points of each.
        #[serde(default = "fifty")]
        count: usize,
    },
    /// Evenly spread points.
    Sobol {},
    /// The tree-structured Parzen estimator.
    Tpe(Tpe),
}

fn ten() -> usize {
    10
}

fn fifty() -> usize {
    50
}

impl StrategySpec {
    /// Checks everything once and returns the working thing. What it suggests does not depend on the workers.
    pub fn build(&self, space: &Space, workers: &Workers) -> Result<Box<dyn Strategy>, SearchError> {
        match self {
            StrategySpec::Random => Ok(Box::new(RandomSearch)),
            StrategySpec::Model(spec) => Ok(Box::new(spec.build(space, workers)?)),
            StrategySpec::CmaEs(spec) => {
                spec.check()?;
                Ok(Box::new(*spec))
            }
            StrategySpec::Grid { steps } => {
                Ok(Box::new(Designed { design: Box::new(Grid::new(space, *steps)?), round: None }))
            }
            StrategySpec::Interleaved { strategy, random } => {
                random.check()?;
                let strategy = strategy.build(space, workers)?;
                Ok(Box::new(Interleaved { strategy, random: *random }))
            }
            StrategySpec::LatinHypercube { count } => {
                positive("count", *count)?;
                Ok(Box::new(Designed {
                    design: Box::new(LatinHypercube { count: *count }),
                    round: Some(*count),
                }))
            }
            StrategySpec::Sobol {} => {
                Ok(Box::new(Designed { design: Box::new(Sobol { count: usize::MAX }), round: None }))
            }
            StrategySpec::Tpe(spec) => {
                spec.check()?;
                Ok(Box::new(*spec))
            }
        }
    }

    /// Reads a specification from JSON.
    pub fn from_json(text: &str) -> Result<Self, SearchError> {
        serde_json::from_str(text)
            .map_err(|e| SearchError::BadSpec { what: "strategy", problem: e.to_string() })
    }
}
