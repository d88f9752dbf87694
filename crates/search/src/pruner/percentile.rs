//! Percentiles: a trial is stopped if its best loss so far is worse than a percentile of what complete trials had at
//! the same step  [median stopping rule, Golovin et al. 2017; as Optuna's `PercentilePruner` and `MedianPruner`].
//!
//! stop ⇔ min_{u ≤ s} v(u) > P_q { vⱼ(s) : j complete and reported step s }
//!
//! P_q interpolates linearly between order statistics and leaves out what is no number. A curve with no number at all
//! is stopped. The percentile counts from the good end: 25 lets the best quarter go on. O(complete trials) a look.
//!
//! Complete trials are the survivors, so the bar rises as the study goes on; and a percentile stops its share of trials
//! even if all are equally good. Prefer `curve`, which asks whether a trial can still win.
use super::interval::Interval;
use super::{Component, Look, Pruner, PrunerContext};
use crate::error::SearchError;
use serde::{Deserialize, Serialize};

/// The median of complete trials at the same step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MedianPruner {
    /// Nothing is stopped before so many trials are complete.
    #[serde(alias = "n_startup_trials")]
    pub startup_trials: usize,
    /// Nothing is stopped before this step.
    #[serde(alias = "n_warmup_steps")]
    pub warmup_steps: u64,
    /// Only the first report at or after every so many steps is judged.
    pub interval_steps: u64,
    /// Complete trials that must have reported this step.
    #[serde(alias = "n_min_trials")]
    pub min_trials: usize,
}

impl Default for MedianPruner {
    fn default() -> Self {
        Self { startup_trials: 5, warmup_steps: 0, interval_steps: 1, min_trials: 1 }
    }
}

impl Component<dyn Pruner> for MedianPruner {
    const KIND: &'static str = "median";

    fn build(&self, context: PrunerContext<'_>) -> Result<Box<dyn Pruner>, SearchError> {
        let Self { startup_trials, warmup_steps, interval_steps, min_trials } = *self;
        PercentilePruner { percentile: 50.0, startup_trials, warmup_steps, interval_steps, min_trials }
            .build(context)
    }
}

/// A percentile of complete trials at the same step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PercentilePruner {
    /// Which percentile, from the good end: between 0 and 100.
    pub percentile: f64,
    /// Nothing is stopped before so many trials are complete.
    #[serde(alias = "n_startup_trials")]
    pub startup_trials: usize,
    /// Nothing is stopped before this step.
    #[serde(alias = "n_warmup_steps")]
    pub warmup_steps: u64,
    /// Only the first report at or after every so many steps is judged.
    pub interval_steps: u64,
    /// Complete trials that must have reported this step.
    #[serde(alias = "n_min_trials")]
    pub min_trials: usize,
}

impl Default for PercentilePruner {
    fn default() -> Self {
        let MedianPruner { startup_trials, warmup_steps, interval_steps, min_trials } =
            MedianPruner::default();
        Self { percentile: 25.0, startup_trials, warmup_steps, interval_steps, min_trials }
    }
}

impl Component<dyn Pruner> for PercentilePruner {
    const KIND: &'static str = "percentile";

    fn build(&self, _context: PrunerContext<'_>) -> Result<Box<dyn Pruner>, SearchError> {
        if !(0.0..=100.0).contains(&self.percentile) {
            let problem = "it must be between 0 and 100";
            let value = self.percentile.to_string();
            return Err(SearchError::BadSetting { setting: "percentile", value, problem });
        }
        let interval = Interval::new(self.warmup_steps, self.interval_steps)?;
        Ok(Box::new(Percentile { interval, spec: *self }))
    }
}

struct Percentile {
    spec: PercentilePruner,
    interval: Interval,
}

impl Pruner for Percentile {
    fn stops(&self, look: &Look<'_>) -> Option<String> {
        let complete = look.complete().count();
        if complete == 0 || complete < self.spec.startup_trials {
            return None;
        }
        let (step, _) = self.interval.due(&look.trial.curve)?;
        let Some(own) = look.trial.curve.least() else {
            return Some(format!("no number up to step {step}"));
        };
        let mut there: Vec<f64> = look.complete().filter_map(|trial| trial.curve.at(step)).collect();
        if there.len() < self.spec.min_trials {
            return None;
        }
        there.retain(|loss| !loss.is_nan());
        let bar = percentile(&mut there, self.spec.percentile)?;
        let name = match self.spec.percentile {
            50.0 => "median".to_owned(),
            other => format!("{other}th percentile"),
        };
        (own > bar).then(|| format!("worse than the {name} of {complete} trials at step {step}"))
    }
}

/// The percentile of some numbers, between two of them by linear interpolation; `None` if there are none.
fn percentile(numbers: &mut [f64], percent: f64) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    let place = percent / 100.0 * (numbers.len().checked_sub(1)?) as f64;
    let (low, part) = (place.floor() as usize, place.fract());
    let high = (low + 1).min(numbers.len() - 1);
    // Two equal infinities have no difference.
    Some(if part == 0.0 || numbers[low] == numbers[high] {
        numbers[low]
    } else {
        numbers[low] + (numbers[high] - numbers[low]) * part
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `numpy.percentile([4, 1, 3, 2], [0, 25, 50, 90, 100])`.
    #[test]
    fn percentiles_are_those_of_numpy() {
        let of = |percent| percentile(&mut [4.0, 1.0, 3.0, 2.0], percent).unwrap();
        assert_eq!([0.0, 25.0, 50.0, 90.0, 100.0].map(of), [1.0, 1.75, 2.5, 3.7, 4.0]);
        assert_eq!(percentile(&mut [], 50.0), None);
        assert_eq!(percentile(&mut [f64::INFINITY, f64::INFINITY], 50.0), Some(f64::INFINITY));
    }
}
