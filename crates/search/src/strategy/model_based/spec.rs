//! A model-based strategy as data.
use super::{Incumbent, ModelBased, Pending};
use crate::acquisition::{AcquisitionSpec, ExpectedCost};
use crate::component::{Component, PartContext, StrategyContext};
use crate::design::DesignSpec;
use crate::error::SearchError;
use crate::maximize::{LISTED, Listed, MaximizerSpec};
use crate::strategy::{Proposer, Strategy};
use arbora_model::{SurrogateContext, SurrogateSpec};
use arbora_space::{Branching, Encoding, Imputation};
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

impl Component<dyn Strategy> for ModelSpec {
    const KIND: &'static str = "model";

    fn build(&self, context: StrategyContext<'_>) -> Result<Box<dyn Strategy>, SearchError> {
        let StrategyContext { space, workers } = context;
        if !(self.prior_weight.is_finite() && self.prior_weight >= 0.0) {
            let (value, problem) =
                (self.prior_weight.to_string(), "it must be a finite number, zero or more");
            return Err(SearchError::BadSetting { setting: "prior_weight", value, problem });
        }
        let encoding = Encoding { imputation: self.imputation.clone(), branching: Branching::Literal };
        let context = PartContext { space, encoding: &encoding };
        let model = SurrogateContext::new(space.layout(), workers);
        let cost = match &self.cost {
            Some(cost) => Some((cost.surrogate.build(model)?, cost.expected)),
            None => None,
        };
        let design = self.design.build(context)?;
        let acquisition = self.acquisition.build(context)?;
        let otherwise = self.maximizer.build(context)?;
        let strategy = ModelBased {
            design,
            surrogate: self.surrogate.build(model)?,
            acquisition,
            maximizer: Box::new(Listed { at_most: LISTED, otherwise }),
            encoding,
            pending: self.pending,
            incumbent: self.incumbent,
            cost,
            prior_weight: self.prior_weight,
        };
        self.check_parts(&strategy)?;
        Ok(Box::new(strategy))
    }

    fn facts(&self) -> Proposer<'_> {
        Proposer::Model(self)
    }
}

impl ModelSpec {
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
