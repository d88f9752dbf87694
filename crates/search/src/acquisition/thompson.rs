//! Thompson sampling: minus one joint draw of the posterior over the candidates  [Thompson 1933].
//!
//! A draw of θ is chosen at random, then f at all candidates of a batch at once; the score is joint over the batch,
//! so it serves maximizers that look at one set of candidates. Cost O(m³) in the candidates: a thousand are ample.
use super::{Acquisition, Component, PartContext, Reference, Utility};
use crate::error::SearchError;
use arbora_model::{JointModel, Model};
use arbora_space::{Points, Rng};
use serde::{Deserialize, Serialize};

/// Believes one draw of the posterior.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thompson {}

impl Component<dyn Acquisition> for Thompson {
    const KIND: &'static str = "thompson";

    fn build(&self, _context: PartContext<'_>) -> Result<Box<dyn Acquisition>, SearchError> {
        Ok(Box::new(*self))
    }
}

struct Draw<'m> {
    joint: &'m dyn JointModel,
    seed: u64,
}

impl Acquisition for Thompson {
    fn over<'m>(
        &self,
        model: &'m dyn Model,
        _reference: &Reference,
        rng: &mut Rng,
    ) -> Result<Box<dyn Utility + 'm>, SearchError> {
        let joint = model.joint().ok_or(SearchError::Incompatible {
            first: "acquisition thompson".into(),
            second: "this surrogate".into(),
            problem: "it has no joint predictions; use a Gaussian process",
        })?;
        Ok(Box::new(Draw { joint, seed: rng.word() }))
    }

    fn is_joint(&self) -> bool {
        true
    }
}

impl Utility for Draw<'_> {
    fn score(&self, at: &Points) -> Vec<f64> {
        match self.joint.sample(at, &mut Rng::new(self.seed)) {
            Ok(drawn) => drawn.into_iter().map(|f| -f).collect(),
            // A covariance that no jitter mends makes nothing choosable here.
            Err(_) => vec![f64::NEG_INFINITY; at.len()],
        }
    }
}
