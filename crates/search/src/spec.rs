//! The parts of model-based strategies as data. Unknown fields are rejected; `build` checks everything once.
use crate::acquisition::{
    Acquisition, ConfidenceBound, ExpectedCost, ExpectedImprovement, LogNormalImprovement, MaxValueEntropy,
    ProbabilityOfImprovement, Thompson,
};
use crate::design::{DefaultsFirst, Design, LatinHypercube, OnePerBranch, RandomDesign, Sobol};
use crate::error::SearchError;
use crate::maximize::{
    BranchFirst, BranchRule, Cma, Combined, Descend, DifferentialEvolution, DividedCube, Listed, LocalSearch,
    Maximizer, Polish, RandomCandidates, SobolAnchors,
};
use crate::strategy::{Incumbent, ModelBased, Pending};
use arbora_model::{SurrogateSpec, Workers};
use arbora_space::{Branching, Encoding, Imputation, Reach, Space};
use serde::{Deserialize, Serialize};

fn ten() -> usize {
    10
}

fn five_hundred() -> usize {
    500
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
    /// A model of ln cost to divide wishes by.
    pub cost: Option<CostSpec>,
    /// β: the priors of the space weigh β/t after t trials; 0 leaves them to the draws.
    pub prior_weight: f64,
}

/// Wishes per unit of cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CostSpec {
    /// Of the logarithm of the cost.
    pub surrogate: SurrogateSpec,
    /// What is divided by.
    pub expected: ExpectedCost,
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
            cost: None,
            prior_weight: 0.0,
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
    /// Expected improvement of a positive loss whose logarithm is normal.
    LogNormalImprovement,
    /// What an observation would say about the least loss.
    MaxValueEntropy {
        /// Random points the least loss is looked for at.
        #[serde(default = "five_hundred")]
        anchors: usize,
        /// Least losses imagined per draw of θ.
        #[serde(default = "ten")]
        minima: usize,
    },
}

impl AcquisitionSpec {
    /// Is the score the logarithm of something positive, that can be divided and weighted?
    fn is_logarithm(self) -> bool {
        !matches!(self, AcquisitionSpec::LowerConfidenceBound { .. } | AcquisitionSpec::Thompson)
    }

    fn build(self, space: &Space, encoding: &Encoding) -> Result<Box<dyn Acquisition>, SearchError> {
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
            AcquisitionSpec::LogNormalImprovement => Box::new(LogNormalImprovement),
            AcquisitionSpec::MaxValueEntropy { anchors, minima } => {
                positive("anchors", anchors)?;
                positive("minima", minima)?;
                let (space, encoding) = (space.clone(), encoding.clone());
                Box::new(MaxValueEntropy { space, encoding, anchors, minima })
            }
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
        /// What branches are judged by.
        #[serde(default)]
        rule: BranchRule,
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
    /// A population that evolves.
    DifferentialEvolution {
        /// Most evaluations.
        evaluations: usize,
    },
    /// The cube divided where the wish is high or unknown; for few parameters.
    Direct {
        /// Most evaluations.
        evaluations: usize,
    },
    /// Evolution on the cube of all parameters.
    CmaEs {
        /// Scores per dimension.
        #[serde(default = "two_thousand")]
        per_dimension: usize,
    },
    /// A Sobol grid, then gradients.
    SobolAnchors {
        /// Points of the grid.
        points: usize,
        /// How many of the best are improved by gradients.
        starts: usize,
    },
}

fn two_thousand() -> usize {
    2000
}

impl Default for MaximizerSpec {
    fn default() -> Self {
        MaximizerSpec::Combined { random: 1000, starts: 10, polished: 5 }
    }
}

pub(crate) fn positive(setting: &'static str, count: usize) -> Result<(), SearchError> {
    let problem = "at least one is needed";
    if count > 0 { Ok(()) } else { Err(SearchError::BadSetting { setting, value: "0".into(), problem }) }
}

/// Listing beats searching up to here: a thousand random draws cost as much.
const LISTED: u128 = 2000;

impl MaximizerSpec {
    fn build(self) -> Result<Box<dyn Maximizer>, SearchError> {
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
            MaximizerSpec::BranchFirst { branches, rule, random, starts, polished, reopen } => {
                positive("maximizer.random", random)?;
                positive("maximizer.branches", branches.unwrap_or(1))?;
                let polish = Polish { starts: polished, ..Polish::default() };
                Box::new(BranchFirst {
                    rule,
                    branches,
                    inside: Combined { search: local(random, starts), polish },
                    reopen,
                })
            }
            MaximizerSpec::DifferentialEvolution { evaluations } => {
                positive("maximizer.evaluations", evaluations)?;
                Box::new(DifferentialEvolution { evaluations, ..DifferentialEvolution::default() })
            }
            MaximizerSpec::Direct { evaluations } => {
                positive("maximizer.evaluations", evaluations)?;
                Box::new(DividedCube { evaluations })
            }
            MaximizerSpec::CmaEs { per_dimension } => {
                positive("maximizer.per_dimension", per_dimension)?;
                Box::new(Cma { per_dimension })
            }
            MaximizerSpec::SobolAnchors { points, starts } => {
                positive("maximizer.points", points)?;
                Box::new(SobolAnchors { points, starts, ..SobolAnchors::default() })
            }
        };
        Ok(Box::new(Listed { at_most: LISTED, otherwise }))
    }
}

impl ModelSpec {
    pub(crate) fn build(&self, space: &Space, workers: &Workers) -> Result<ModelBased, SearchError> {
        let is_joint = matches!(self.maximizer, MaximizerSpec::Random { .. });
        if matches!(self.acquisition, AcquisitionSpec::Thompson) && !is_joint {
            return Err(SearchError::Incompatible {
                first: "acquisition thompson".into(),
                second: "a maximizer that moves".into(),
                problem: "a draw is joint over one set of candidates; use maximizer random",
            });
        }
        if let Some(other) = self.weighing().filter(|_| !self.acquisition.is_logarithm()) {
            return Err(SearchError::Incompatible {
                first: other.into(),
                second: "this acquisition".into(),
                problem: "its score is no logarithm that could be divided or weighted; use an improvement",
            });
        }
        if !(self.prior_weight.is_finite() && self.prior_weight >= 0.0) {
            let (value, problem) =
                (self.prior_weight.to_string(), "it must be a finite number, zero or more");
            return Err(SearchError::BadSetting { setting: "prior_weight", value, problem });
        }
        let encoding = Encoding { imputation: self.imputation.clone(), branching: Branching::Literal };
        let cost = match &self.cost {
            Some(cost) => Some((cost.surrogate.build(space.layout(), workers)?, cost.expected)),
            None => None,
        };
        Ok(ModelBased {
            design: self.design.build(),
            surrogate: self.surrogate.build(space.layout(), workers)?,
            acquisition: self.acquisition.build(space, &encoding)?,
            maximizer: self.maximizer.build()?,
            encoding,
            pending: self.pending,
            incumbent: self.incumbent,
            cost,
            prior_weight: self.prior_weight,
        })
    }

    /// What divides or weights the wish, if anything does.
    fn weighing(&self) -> Option<&'static str> {
        self.cost.as_ref().map(|_| "cost").or((self.prior_weight > 0.0).then_some("prior_weight"))
    }
}
