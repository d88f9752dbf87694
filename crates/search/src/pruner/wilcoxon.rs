//! Wilcoxon: a trial is stopped if it is significantly worse than the best one on the same instances  [as Optuna's
//! `WilcoxonPruner`].
//!
//! Steps are names of folds, instances or tasks, in any order; each value is that of one instance, not a running mean.
//! The differences to the best trial's values on common instances go into a signed-rank test. Below the p-value the
//! trial is stopped, unless its mean is not worse than the best trial's.
//!
//! A test per instance is many tests: at 0.1, a trial as good as the best is stopped more often than once in ten. Show
//! the instances in an order shuffled per trial, so that none decides always first.
use super::signed_rank::p_greater;
use super::{Component, Look, Pruner, PrunerContext, StepOrder};
use crate::error::SearchError;
use serde::{Deserialize, Serialize};

/// A paired test against the best trial.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WilcoxonPruner {
    /// Below this p-value a trial is stopped: between 0 and 1.
    pub p_threshold: f64,
    /// Instances before the first test.
    #[serde(alias = "n_startup_steps")]
    pub startup_steps: usize,
}

impl Default for WilcoxonPruner {
    fn default() -> Self {
        Self { p_threshold: 0.1, startup_steps: 2 }
    }
}

impl Component<dyn Pruner> for WilcoxonPruner {
    const KIND: &'static str = "wilcoxon";

    fn build(&self, _context: PrunerContext<'_>) -> Result<Box<dyn Pruner>, SearchError> {
        if !(0.0..=1.0).contains(&self.p_threshold) {
            let (value, problem) = (self.p_threshold.to_string(), "it must be between 0 and 1");
            return Err(SearchError::BadSetting { setting: "p_threshold", value, problem });
        }
        Ok(Box::new(*self))
    }
}

impl Pruner for WilcoxonPruner {
    fn stops(&self, look: &Look<'_>) -> Option<String> {
        let best = look
            .complete()
            .min_by(|a, b| a.loss().unwrap_or(f64::MAX).total_cmp(&b.loss().unwrap_or(f64::MAX)))?;
        let (own, other) = (look.trial.curve.points(), best.curve.points());
        if own.is_empty() || other.is_empty() || !is_finite(own) || !is_finite(other) {
            return None;
        }
        let paired = own.iter().filter_map(|&(step, loss)| Some(loss - best.curve.at(step)?));
        let differences: Vec<f64> = paired.collect();
        if differences.len() < self.startup_steps.max(2) || mean(own) <= mean(other) {
            return None;
        }
        let p = p_greater(&differences)?;
        (p < self.p_threshold)
            .then(|| format!("worse than the best on {} common steps (p = {p:.2})", differences.len()))
    }

    fn order(&self) -> StepOrder {
        StepOrder::Any
    }
}

fn is_finite(points: &[(u64, f64)]) -> bool {
    points.iter().all(|point| point.1.is_finite())
}

fn mean(points: &[(u64, f64)]) -> f64 {
    points.iter().map(|point| point.1).sum::<f64>() / points.len() as f64
}
