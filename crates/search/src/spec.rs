//! A model-based strategy as data. Unknown fields are rejected; `build` checks everything once.
use crate::acquisition::{AcquisitionSpec, ExpectedCost};
use crate::component::PartContext;
use crate::design::DesignSpec;
use crate::error::SearchError;
use crate::maximize::{LISTED, Listed, MaximizerSpec};
use crate::strategy::{Incumbent, ModelBased, Pending};
use arbora_model::{SurrogateSpec, Workers};
use arbora_space::{Branching, Encoding, Imputation, Space};
use serde::{Deserialize, Serialize};

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

impl ModelSpec {
    pub(crate) fn build(&self, space: &Space, workers: &Workers) -> Result<ModelBased, SearchError> {
        if !(self.prior_weight.is_finite() && self.prior_weight >= 0.0) {
            let (value, problem) =
                (self.prior_weight.to_string(), "it must be a finite number, zero or more");
            return Err(SearchError::BadSetting { setting: "prior_weight", value, problem });
        }
        let encoding = Encoding { imputation: self.imputation.clone(), branching: Branching::Literal };
        let context = PartContext { space, encoding: &encoding };
        let cost = match &self.cost {
            Some(cost) => Some((cost.surrogate.build(space.layout(), workers)?, cost.expected)),
            None => None,
        };
        let strategy = ModelBased {
            design: self.design.build(context)?,
            surrogate: self.surrogate.build(space.layout(), workers)?,
            acquisition: self.acquisition.build(context)?,
            maximizer: Box::new(Listed { at_most: LISTED, otherwise: self.maximizer.build(context)? }),
            encoding,
            pending: self.pending,
            incumbent: self.incumbent,
            cost,
            prior_weight: self.prior_weight,
        };
        self.check_parts(&strategy)?;
        Ok(strategy)
    }

    /// Do the parts work together?
    fn check_parts(&self, parts: &ModelBased) -> Result<(), SearchError> {
        if parts.acquisition.is_joint() && !parts.maximizer.scores_once() {
            return Err(SearchError::Incompatible {
                first: format!("acquisition {}", self.acquisition.kind()),
                second: "a maximizer that moves".into(),
                problem: "a draw is joint over one set of candidates; use maximizer random",
            });
        }
        if let Some(other) = self.weighing().filter(|_| !parts.acquisition.is_logarithm()) {
            return Err(SearchError::Incompatible {
                first: other.into(),
                second: "this acquisition".into(),
                problem: "its score is no logarithm that could be divided or weighted; use an improvement",
            });
        }
        Ok(())
    }

    /// What divides or weights the wish, if anything does.
    fn weighing(&self) -> Option<&'static str> {
        self.cost.as_ref().map(|_| "cost").or((self.prior_weight > 0.0).then_some("prior_weight"))
    }
}
