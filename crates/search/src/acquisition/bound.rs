//! The lower confidence bound as an acquisition: κ given, or the schedule at the present number of trials.
use super::integrated::Integrated;
use super::{Acquisition, Component, LowerConfidenceBound, PartContext, Reference, Utility};
use crate::error::SearchError;
use arbora_model::Model;
use arbora_space::Rng;
use serde::{Deserialize, Serialize};

/// Candidates the schedule reckons with, and the probability with which its bound may fail.
const CANDIDATES: usize = 1000;
const DELTA: f64 = 0.1;

/// μ − κσ, the optimist's loss.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConfidenceBound {
    /// Standard deviations of optimism; `None`: growing with the trials  [Srinivas et al. 2010].
    pub kappa: Option<f64>,
}

impl Component<dyn Acquisition> for ConfidenceBound {
    const KIND: &'static str = "lower_confidence_bound";

    fn build(&self, _context: PartContext<'_>) -> Result<Box<dyn Acquisition>, SearchError> {
        match self.kappa {
            Some(kappa) if !(kappa.is_finite() && kappa >= 0.0) => {
                let (value, problem) = (kappa.to_string(), "it must be a finite number, zero or more");
                Err(SearchError::BadSetting { setting: "kappa", value, problem })
            }
            _ => Ok(Box::new(*self)),
        }
    }
}

impl Acquisition for ConfidenceBound {
    fn over<'m>(
        &self,
        model: &'m dyn Model,
        reference: &Reference,
        _rng: &mut Rng,
    ) -> Result<Box<dyn Utility + 'm>, SearchError> {
        let rule = match self.kappa {
            Some(kappa) => LowerConfidenceBound { kappa },
            None => LowerConfidenceBound::scheduled(reference.observed + 1, CANDIDATES, DELTA),
        };
        Ok(Box::new(Integrated::new(rule, model, reference)))
    }
}
