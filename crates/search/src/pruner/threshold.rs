//! Threshold: a trial is stopped once its value leaves a range, or is no number  [as Optuna's `ThresholdPruner`].
//!
//! For values that show a trial to be broken, such as an error of more than guessing. It looks at one curve alone.
use super::interval::Interval;
use super::{Component, Look, Pruner, PrunerContext};
use crate::error::SearchError;
use serde::{Deserialize, Serialize};

/// A range of values that are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ThresholdPruner {
    /// The least value of the objective that may go on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lower: Option<f64>,
    /// The greatest one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upper: Option<f64>,
    /// Nothing is stopped before this step.
    #[serde(alias = "n_warmup_steps")]
    pub warmup_steps: u64,
    /// Only the first report at or after every so many steps is judged.
    pub interval_steps: u64,
}

impl Default for ThresholdPruner {
    fn default() -> Self {
        Self { lower: None, upper: None, warmup_steps: 0, interval_steps: 1 }
    }
}

impl Component<dyn Pruner> for ThresholdPruner {
    const KIND: &'static str = "threshold";

    fn build(&self, context: PrunerContext<'_>) -> Result<Box<dyn Pruner>, SearchError> {
        let bad = |setting, value: f64, problem| {
            Err(SearchError::BadSetting { setting, value: value.to_string(), problem })
        };
        match (self.lower, self.upper) {
            (None, None) => {
                let problem =
                    "give `lower`, `upper` or both, such as {\"kind\": \"threshold\", \"upper\": 1.0}";
                return Err(SearchError::BadSetting { setting: "threshold", value: "none".into(), problem });
            }
            (Some(lower), _) if lower.is_nan() => return bad("lower", lower, "it must be a number"),
            (_, Some(upper)) if upper.is_nan() => return bad("upper", upper, "it must be a number"),
            (Some(lower), Some(upper)) if lower > upper => {
                return bad("lower", lower, "it must not be above `upper`");
            }
            _ => {}
        }
        let ends = [
            (context.loss_of)(self.lower.unwrap_or(f64::NEG_INFINITY)),
            (context.loss_of)(self.upper.unwrap_or(f64::INFINITY)),
        ];
        let interval = Interval::new(self.warmup_steps, self.interval_steps)?;
        Ok(Box::new(Threshold { least: ends[0].min(ends[1]), greatest: ends[0].max(ends[1]), interval }))
    }
}

/// The same in losses.
struct Threshold {
    least: f64,
    greatest: f64,
    interval: Interval,
}

impl Pruner for Threshold {
    fn stops(&self, look: &Look<'_>) -> Option<String> {
        let (step, loss) = self.interval.due(&look.trial.curve)?;
        if loss.is_nan() {
            return Some(format!("no number at step {step}"));
        }
        (loss < self.least || loss > self.greatest)
            .then(|| format!("outside the range that is allowed, at step {step}"))
    }
}
