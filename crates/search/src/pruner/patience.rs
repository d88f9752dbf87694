//! Patience: a trial is stopped, or another pruner asked, once it has not improved for some steps  [Prechelt 1998; as
//! Optuna's `PatientPruner`].
//!
//! With more than p+1 reports: min(all but the last p+1) + δ < min(the last p+1). It looks at one curve alone and may
//! stop the best trial there is; with a `pruner` of its own it holds that one back until a trial stands still.
use super::{Component, Look, Pruner, PrunerContext, PrunerSpec, StepOrder};
use crate::error::SearchError;
use serde::{Deserialize, Serialize};

/// Waits for improvement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PatiencePruner {
    /// p: reports without improvement.
    pub patience: usize,
    /// δ: what counts as improvement, in units of the objective.
    pub min_delta: f64,
    /// Who decides once patience is at its end; left out, the trial is stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pruner: Option<PrunerSpec>,
}

impl Default for PatiencePruner {
    fn default() -> Self {
        Self { patience: 10, min_delta: 0.0, pruner: None }
    }
}

impl Component<dyn Pruner> for PatiencePruner {
    const KIND: &'static str = "patience";
    const ALIASES: &'static [&'static str] = &["patient"];

    fn build(&self, context: PrunerContext<'_>) -> Result<Box<dyn Pruner>, SearchError> {
        if !(self.min_delta.is_finite() && self.min_delta >= 0.0) {
            let (value, problem) = (self.min_delta.to_string(), "it must be zero or more");
            return Err(SearchError::BadSetting { setting: "min_delta", value, problem });
        }
        let then = self.pruner.as_ref().map(|pruner| pruner.build(context)).transpose()?;
        Ok(Box::new(Patience { reports: self.patience, min_delta: self.min_delta, then }))
    }
}

struct Patience {
    reports: usize,
    min_delta: f64,
    then: Option<Box<dyn Pruner>>,
}

impl Pruner for Patience {
    fn stops(&self, look: &Look<'_>) -> Option<String> {
        let points = look.trial.curve.points();
        let recent = self.reports.saturating_add(1);
        let split = points.len().checked_sub(recent).filter(|before| *before > 0)?;
        let least =
            |points: &[(u64, f64)]| points.iter().map(|p| p.1).filter(|l| !l.is_nan()).reduce(f64::min);
        let (before, after) = (least(&points[..split]), least(&points[split..]));
        // Without numbers on both sides nothing is said.
        if before? + self.min_delta >= after? {
            return None;
        }
        match &self.then {
            Some(pruner) => pruner.stops(look),
            None => Some(format!("no improvement in the last {recent} reports")),
        }
    }

    fn order(&self) -> StepOrder {
        self.then.as_ref().map_or(StepOrder::Ascending, |pruner| pruner.order())
    }
}
