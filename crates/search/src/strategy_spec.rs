//! Strategies as data: chosen by name, or part by part. Unknown fields are rejected; `build` checks everything once.
use crate::cube::varying;
use crate::design::{Grid, LatinHypercube, Sobol};
use crate::error::{SearchError, at_least_one};
use crate::ladder::Ladder;
use crate::spec::ModelSpec;
use crate::strategy::{
    Asha, Blind, CmaEs, Designed, Fabolas, Hyperband, Interleaved, Racing, RandomSearch, Strategy, Then, Tpe,
    Turn, Twin, Widened,
};
use arbora_model::infer::InferenceSpec;
use arbora_model::kernel::Basis;
use arbora_model::{GpSpec, KernelSpec, Workers};
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
    /// Asynchronous successive halving over another strategy.
    Asha {
        /// Where new configurations come from.
        #[serde(default = "random")]
        strategy: Box<StrategySpec>,
        /// η: one in so many goes on, with so many times the effort.
        #[serde(default = "four")]
        eta: f64,
        /// The least share of an evaluation.
        #[serde(default = "one_in_64")]
        smallest: f64,
    },
    /// A strategy that searches as if every parameter were always there.
    Blind {
        /// Whose suggestions.
        strategy: Box<StrategySpec>,
        /// Does it search the unit cube, points rounded only when they are tried?
        #[serde(default)]
        cube: bool,
    },
    /// One strategy for spaces of few parameters, another for larger ones.
    ByWidth {
        /// Parameters that vary, up to which a space counts as narrow.
        columns: usize,
        /// For narrow spaces.
        narrow: Box<StrategySpec>,
        /// For wide ones.
        wide: Box<StrategySpec>,
    },
    /// CMA-ES over the cube of all parameters.
    CmaEs(CmaEs),
    /// Multi-fidelity search: configurations and shares of an evaluation.
    Fabolas(FabolasSpec),
    /// Every combination of a few values per parameter, in every branch.
    Grid {
        /// Values per number.
        #[serde(default = "ten")]
        steps: usize,
    },
    /// Brackets of successive halving over another strategy.
    Hyperband {
        /// Where new configurations come from.
        #[serde(default = "random")]
        strategy: Box<StrategySpec>,
        /// η: one in so many goes on, with so many times the effort.
        #[serde(default = "three")]
        eta: f64,
        /// The least share of an evaluation.
        #[serde(default = "one_in_27")]
        smallest: f64,
        /// The strategy is shown the greatest effort with at least this many losses as if it were full.
        #[serde(default)]
        least: Option<usize>,
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
    /// A race over the folds of a cross-validation.
    Racing {
        /// Where challengers come from.
        strategy: Box<StrategySpec>,
        /// Folds of a whole evaluation.
        folds: u32,
    },
    /// Evenly spread points.
    Sobol {},
    /// One strategy for the first trials, another for the rest.
    Then {
        /// For the first trials.
        first: Box<StrategySpec>,
        /// How many.
        trials: usize,
        /// For the rest.
        then: Box<StrategySpec>,
    },
    /// The tree-structured Parzen estimator.
    Tpe(Tpe),
}

/// Multi-fidelity search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FabolasSpec {
    /// How configurations are compared, for losses and for ln cost; shares are by the context kernel.
    pub kernel: KernelSpec,
    /// How θ is chosen.
    pub infer: InferenceSpec,
    /// Each share is so many times the one before.
    pub eta: f64,
    /// The least share of an evaluation.
    pub smallest: f64,
    /// Random trials on partial shares first.
    pub initial: usize,
    /// Random configurations that compete.
    pub candidates: usize,
    /// The best of them, for which every share is weighed.
    pub finalists: usize,
}

impl Default for FabolasSpec {
    fn default() -> Self {
        Self {
            kernel: KernelSpec::default(),
            infer: InferenceSpec::default(),
            eta: 4.0,
            smallest: 1.0 / 64.0,
            initial: 10,
            candidates: 500,
            finalists: 20,
        }
    }
}

impl FabolasSpec {
    fn build(&self, space: &Space, workers: &Workers) -> Result<Fabolas, SearchError> {
        let ladder = Ladder { eta: self.eta, smallest: self.smallest };
        ladder.check()?;
        if ladder.top() == 0 {
            let (value, problem) = (self.smallest.to_string(), "there must be a share below the whole");
            return Err(SearchError::BadSetting { setting: "smallest", value, problem });
        }
        at_least_one("candidates", self.candidates)?;
        at_least_one("finalists", self.finalists)?;
        let widened = Widened::new(space)?;
        let build = |basis| {
            let (inner, column) = (Box::new(self.kernel.clone()), widened.share().to_owned());
            let kernel = KernelSpec::Context { inner, column, basis };
            GpSpec { kernel, infer: self.infer, ..GpSpec::default() }.build(widened.space().layout(), workers)
        };
        let (loss, cost) = (Box::new(build(Basis::Loss)?), Box::new(build(Basis::Cost)?));
        let Self { initial, candidates, finalists, .. } = *self;
        Ok(Fabolas { widened, loss, cost, ladder, initial, candidates, finalists })
    }
}

#[allow(clippy::unnecessary_box_returns, reason = "the field is a box")]
fn random() -> Box<StrategySpec> {
    Box::new(StrategySpec::Random)
}

fn three() -> f64 {
    3.0
}

fn four() -> f64 {
    4.0
}

fn one_in_27() -> f64 {
    1.0 / 27.0
}

fn one_in_64() -> f64 {
    1.0 / 64.0
}

fn ten() -> usize {
    10
}

fn fifty() -> usize {
    50
}

impl StrategySpec {
    /// What this comes to in a space: one of the two, if it is chosen by width.
    pub fn within(&self, space: &Space) -> &StrategySpec {
        match self {
            StrategySpec::ByWidth { columns, narrow, wide } => {
                if varying(space).len() <= *columns {
                    narrow.within(space)
                } else {
                    wide.within(space)
                }
            }
            other => other,
        }
    }

    /// The model it asks in a space after so many trials, however deep it lies; `None` if it asks none.
    pub fn model(&self, space: &Space, trials: usize) -> Option<&ModelSpec> {
        match self.within(space) {
            StrategySpec::Model(spec) => Some(spec),
            StrategySpec::Then { first, trials: until, then } => {
                if trials < *until { first } else { then }.model(space, trials)
            }
            StrategySpec::Asha { strategy, .. }
            | StrategySpec::Blind { strategy, .. }
            | StrategySpec::Hyperband { strategy, .. }
            | StrategySpec::Interleaved { strategy, .. }
            | StrategySpec::Racing { strategy, .. } => strategy.model(space, trials),
            _ => None,
        }
    }

    /// Checks everything once and returns the working thing. What it suggests does not depend on the workers.
    pub fn build(&self, space: &Space, workers: &Workers) -> Result<Box<dyn Strategy>, SearchError> {
        match self {
            StrategySpec::Random => Ok(Box::new(RandomSearch)),
            StrategySpec::Model(spec) => Ok(Box::new(spec.build(space, workers)?)),
            StrategySpec::Asha { strategy, eta, smallest } => {
                let ladder = Ladder { eta: *eta, smallest: *smallest };
                ladder.check()?;
                Ok(Box::new(Asha { strategy: strategy.build(space, workers)?, ladder }))
            }
            StrategySpec::Blind { strategy, cube } => {
                let twin = Twin::of(space, *cube)?;
                Ok(Box::new(Blind::new(strategy.build(&twin.space, workers)?, twin)))
            }
            StrategySpec::CmaEs(spec) => {
                spec.check()?;
                Ok(Box::new(*spec))
            }
            StrategySpec::Fabolas(spec) => Ok(Box::new(spec.build(space, workers)?)),
            StrategySpec::Grid { steps } => {
                Ok(Box::new(Designed { design: Box::new(Grid::new(space, *steps)?), round: None }))
            }
            StrategySpec::Hyperband { strategy, eta, smallest, least } => {
                let ladder = Ladder { eta: *eta, smallest: *smallest };
                ladder.check()?;
                let strategy = strategy.build(space, workers)?;
                Ok(Box::new(Hyperband { strategy, ladder, least: *least }))
            }
            StrategySpec::ByWidth { narrow, wide, .. } => {
                // Both are built, so that a mistake in either shows in every space.
                narrow.build(space, workers).and(wide.build(space, workers))?;
                self.within(space).build(space, workers)
            }
            StrategySpec::Interleaved { strategy, random } => {
                random.check()?;
                let strategy = strategy.build(space, workers)?;
                Ok(Box::new(Interleaved { strategy, random: *random }))
            }
            StrategySpec::LatinHypercube { count } => {
                at_least_one("count", *count)?;
                Ok(Box::new(Designed {
                    design: Box::new(LatinHypercube { count: *count }),
                    round: Some(*count),
                }))
            }
            StrategySpec::Racing { strategy, folds } => {
                at_least_one("folds", *folds as usize)?;
                Ok(Box::new(Racing { strategy: strategy.build(space, workers)?, folds: *folds }))
            }
            StrategySpec::Then { first, trials, then } => {
                let (first, rest) = (first.build(space, workers)?, then.build(space, workers)?);
                Ok(Box::new(Then { first, trials: *trials, rest }))
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

#[cfg(test)]
mod tests {
    use super::*;
    use arbora_space::Param;

    #[test]
    fn the_width_of_a_space_chooses_and_both_are_checked() {
        let space = |columns: usize| {
            let fixed = Param::integer("fixed", 1, 1);
            let params = (0..columns).map(|i| Param::real(format!("x{i}"), 0.0, 1.0));
            Space::new(params.chain([fixed]).collect::<Vec<_>>()).unwrap()
        };
        let boxed = |name: &str| Box::new(name.parse::<StrategySpec>().unwrap());
        let spec = StrategySpec::ByWidth { columns: 3, narrow: boxed("tpe"), wide: boxed("random") };
        assert_eq!(*spec.within(&space(3)), *boxed("tpe"), "what is fixed does not count");
        assert_eq!(*spec.within(&space(4)), *boxed("random"));
        let nested = StrategySpec::ByWidth { columns: 9, narrow: Box::new(spec), wide: boxed("cma") };
        assert_eq!(*nested.within(&space(4)), *boxed("random"));
        let lhs = StrategySpec::LatinHypercube { count: 0 };
        let wrong = StrategySpec::ByWidth { columns: 3, narrow: boxed("random"), wide: Box::new(lhs) };
        assert!(wrong.build(&space(1), &Workers::serial()).is_err(), "the other half is looked at too");
    }
}
