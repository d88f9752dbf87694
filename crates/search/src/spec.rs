//! Strategies as data: chosen by name, or part by part. Unknown fields are rejected; `build` checks everything once.
use crate::acquisition::{
    Acquisition, ConfidenceBound, ExpectedImprovement, ProbabilityOfImprovement, Thompson,
};
use crate::design::{DefaultsFirst, Design, LatinHypercube, OnePerBranch, RandomDesign, Sobol};
use crate::error::SearchError;
use crate::maximize::{
    BranchFirst, Combined, Descend, Listed, LocalSearch, Maximizer, Polish, RandomCandidates,
};
use crate::strategy::{Incumbent, ModelBased, Pending, RandomSearch, Strategy};
use arbora_model::{SurrogateSpec, Workers};
use arbora_space::{Branching, Encoding, Imputation, Reach, Space};
use serde::{Deserialize, Serialize};

/// A strategy as data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum StrategySpec {
    /// Draws from the priors.
    Random,
    /// A design, then model, acquisition and maximizer.
    Model(Box<ModelSpec>),
}

/// The parts of a model-based strategy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelSpec {
    /// The first points.
    pub design: DesignSpec,
    /// What is believed.
    pub surrogate: SurrogateSpec,
    /// What is wished for.
    pub acquisition: AcquisitionSpec,
    /// How the best wish is looked for.
    pub maximizer: MaximizerSpec,
    /// What is assumed of running evaluations.
    pub pending: Pending,
    /// What improvements are measured against.
    pub incumbent: Incumbent,
    /// What stands in inactive coordinates.
    pub imputation: Imputation,
}

impl Default for ModelSpec {
    fn default() -> Self {
        Self {
            design: DesignSpec::default(),
            surrogate: SurrogateSpec::default(),
            acquisition: AcquisitionSpec::default(),
            maximizer: MaximizerSpec::default(),
            pending: Pending::default(),
            incumbent: Incumbent::default(),
            imputation: Imputation::Midpoint,
        }
    }
}

/// The first points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum DesignSpec {
    /// Independent draws from the priors.
    Random {
        /// How many.
        count: usize,
    },
    /// Evenly spread points.
    Sobol {
        /// How many.
        count: usize,
    },
    /// Stratified points.
    LatinHypercube {
        /// How many.
        count: usize,
    },
    /// One in every branch, random ones to follow.
    OnePerBranch {
        /// At least as many points in all.
        at_least: usize,
        /// A space of more branches is sampled at random, this many times.
        at_most: usize,
    },
    /// The defaults, then another design.
    DefaultsFirst {
        /// What follows.
        then: Box<DesignSpec>,
    },
}

impl Default for DesignSpec {
    /// One point in each branch, so that no branch is judged unseen; five points at least.
    fn default() -> Self {
        DesignSpec::OnePerBranch { at_least: 5, at_most: 20 }
    }
}

impl DesignSpec {
    fn build(&self) -> Box<dyn Design> {
        match *self {
            DesignSpec::Random { count } => Box::new(RandomDesign { count }),
            DesignSpec::Sobol { count } => Box::new(Sobol { count }),
            DesignSpec::LatinHypercube { count } => Box::new(LatinHypercube { count }),
            DesignSpec::OnePerBranch { at_least, at_most } => Box::new(OnePerBranch { at_least, at_most }),
            DesignSpec::DefaultsFirst { ref then } => Box::new(DefaultsFirst { then: then.build() }),
        }
    }
}

/// What is wished for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum AcquisitionSpec {
    /// Expected improvement, computed as its logarithm so that it is told apart to the far tails.
    #[default]
    #[serde(alias = "log_expected_improvement")]
    ExpectedImprovement,
    /// Probability of improvement.
    ProbabilityOfImprovement,
    /// μ − κσ, the optimist's loss; without `kappa` the schedule of Srinivas et al. 2010.
    LowerConfidenceBound {
        /// Standard deviations of optimism.
        kappa: Option<f64>,
    },
    /// A draw from the posterior over the candidates.
    Thompson,
}

impl AcquisitionSpec {
    fn build(self) -> Result<Box<dyn Acquisition>, SearchError> {
        Ok(match self {
            AcquisitionSpec::ExpectedImprovement => Box::new(ExpectedImprovement::default()),
            AcquisitionSpec::ProbabilityOfImprovement => Box::new(ProbabilityOfImprovement::default()),
            AcquisitionSpec::LowerConfidenceBound { kappa: Some(kappa) }
                if !(kappa.is_finite() && kappa >= 0.0) =>
            {
                return Err(SearchError::BadSetting {
                    setting: "kappa",
                    value: kappa.to_string(),
                    problem: "it must be a finite number, zero or more",
                });
            }
            AcquisitionSpec::LowerConfidenceBound { kappa } => Box::new(ConfidenceBound { kappa }),
            AcquisitionSpec::Thompson => Box::new(Thompson),
        })
    }
}

/// How the best wish is looked for. Spaces of at most 2000 configurations are listed whatever is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum MaximizerSpec {
    /// The best of many draws.
    Random {
        /// How many.
        count: usize,
    },
    /// Exchanges of one parameter at a time.
    LocalSearch {
        /// Random draws that compete to be starts.
        random: usize,
        /// Walkers.
        starts: usize,
    },
    /// Gradients from the best of many draws.
    Descent {
        /// Random draws that compete to be starts.
        random: usize,
        /// How many are improved.
        starts: usize,
    },
    /// Exchanges, then gradients.
    Combined {
        /// Random draws that compete to be starts.
        random: usize,
        /// Walkers.
        starts: usize,
        /// How many of the best are improved by gradients.
        polished: usize,
    },
    /// The most wished-for branches, then points inside them.
    BranchFirst {
        /// How many branches are looked into; without a number all of them.
        branches: Option<usize>,
        /// Random draws that compete to be starts.
        random: usize,
        /// Walkers.
        starts: usize,
        /// How many of the best are improved by gradients.
        polished: usize,
        /// Do parameters that branches share move again once the branch is chosen?
        #[serde(default)]
        reopen: bool,
    },
}

impl Default for MaximizerSpec {
    fn default() -> Self {
        MaximizerSpec::Combined { random: 1000, starts: 10, polished: 5 }
    }
}

/// Listing beats searching up to here: a thousand random draws cost as much.
const LISTED: u128 = 2000;

impl MaximizerSpec {
    fn build(self) -> Result<Box<dyn Maximizer>, SearchError> {
        let positive = |setting: &'static str, count: usize| {
            let problem = "at least one is needed";
            if count > 0 {
                Ok(())
            } else {
                Err(SearchError::BadSetting { setting, value: "0".into(), problem })
            }
        };
        let local = |random, starts| LocalSearch {
            random,
            starts,
            reach: Reach::default(),
            ..LocalSearch::default()
        };
        let otherwise: Box<dyn Maximizer> = match self {
            MaximizerSpec::Random { count } => {
                positive("maximizer.count", count)?;
                Box::new(RandomCandidates { count })
            }
            MaximizerSpec::LocalSearch { random, starts } => {
                positive("maximizer.random", random)?;
                Box::new(local(random, starts))
            }
            MaximizerSpec::Descent { random, starts } => {
                positive("maximizer.random", random)?;
                Box::new(Descend { random, starts, ..Descend::default() })
            }
            MaximizerSpec::Combined { random, starts, polished } => {
                positive("maximizer.random", random)?;
                let polish = Polish { starts: polished, ..Polish::default() };
                Box::new(Combined { search: local(random, starts), polish })
            }
            MaximizerSpec::BranchFirst { branches, random, starts, polished, reopen } => {
                positive("maximizer.random", random)?;
                positive("maximizer.branches", branches.unwrap_or(1))?;
                let polish = Polish { starts: polished, ..Polish::default() };
                Box::new(BranchFirst {
                    branches,
                    inside: Combined { search: local(random, starts), polish },
                    reopen,
                })
            }
        };
        Ok(Box::new(Listed { at_most: LISTED, otherwise }))
    }
}

impl StrategySpec {
    /// Checks everything once and returns the working thing. What it suggests does not depend on the workers.
    pub fn build(&self, space: &Space, workers: &Workers) -> Result<Box<dyn Strategy>, SearchError> {
        match self {
            StrategySpec::Random => Ok(Box::new(RandomSearch)),
            StrategySpec::Model(spec) => Ok(Box::new(spec.build(space, workers)?)),
        }
    }

    /// Reads a specification from JSON.
    pub fn from_json(text: &str) -> Result<Self, SearchError> {
        serde_json::from_str(text)
            .map_err(|e| SearchError::BadSpec { what: "strategy", problem: e.to_string() })
    }
}

impl ModelSpec {
    fn build(&self, space: &Space, workers: &Workers) -> Result<ModelBased, SearchError> {
        let is_joint = matches!(self.maximizer, MaximizerSpec::Random { .. });
        if matches!(self.acquisition, AcquisitionSpec::Thompson) && !is_joint {
            return Err(SearchError::Incompatible {
                first: "acquisition thompson".into(),
                second: "a maximizer that moves".into(),
                problem: "a draw is joint over one set of candidates; use maximizer random",
            });
        }
        Ok(ModelBased {
            design: self.design.build(),
            surrogate: self.surrogate.build(space.layout(), workers)?,
            acquisition: self.acquisition.build()?,
            maximizer: self.maximizer.build()?,
            encoding: Encoding { imputation: self.imputation.clone(), branching: Branching::Literal },
            pending: self.pending,
            incumbent: self.incumbent,
        })
    }
}
