//! The default: extrapolates learning curves, and stops a trial that has little chance to become the best.
//!
//! At the trial's last step s with loss v, complete trials that came as far say how a curve that stands at v ends: a
//! straight line from the loss at s to the final loss, with residuals of Student's distribution (the mathematics are in
//! `forecast`). With f* the least final loss so far, the trial is stopped if
//!
//! P(final < f* | v, s) < limit  and  P(final < f* | v, s) < ½·P(final < f*).
//!
//! The second is the chance of any trial, its curve not looked at: after n trials that is about 1/n and sooner or later
//! below every limit, which is no reason to stop a trial of which nothing bad is known.
//!
//! It needs no number of steps, no rungs and no scale: where early values say nothing about the end nothing is stopped;
//! where they say much, bad trials end at once. A curve that is better than those of all other
//! trials at its last step is never stopped, whatever the forecast, and one that is no number is. Before
//! `startup_trials` are complete nothing is. The final loss told need not be the last value reported.
//!
//! Cf. freeze-thaw [Swersky et al. 2014] and the extrapolation of Domhan et al. [2015], which fit shapes of curves, one
//! by one; here curves of other configurations are the shape. O(n log n) a look: 0.2 ms for 1000 trials of 100 steps.
//! Not for objectives whose steps are not comparable between trials (minutes on machines of unequal speed).
use super::interval::Interval;
use super::{Component, Look, Pruner, PrunerContext};
use crate::error::SearchError;
use serde::{Deserialize, Serialize};

/// Stops what will hardly become the best.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CurvePruner {
    /// The chance to become the best below which a trial is stopped: above 0 and below 1.
    pub limit: f64,
    /// Nothing is stopped before so many trials are complete.
    #[serde(alias = "n_startup_trials")]
    pub startup_trials: usize,
    /// Nothing is stopped before this step.
    #[serde(alias = "n_warmup_steps")]
    pub warmup_steps: u64,
    /// Only the first report at or after every so many steps is judged.
    pub interval_steps: u64,
}

impl Default for CurvePruner {
    fn default() -> Self {
        Self { limit: 0.05, startup_trials: 5, warmup_steps: 0, interval_steps: 1 }
    }
}

impl Component<dyn Pruner> for CurvePruner {
    const KIND: &'static str = "curve";

    fn build(&self, _context: PrunerContext<'_>) -> Result<Box<dyn Pruner>, SearchError> {
        if !(self.limit > 0.0 && self.limit < 1.0) {
            let (value, problem) = (self.limit.to_string(), "it must be above 0 and below 1");
            return Err(SearchError::BadSetting { setting: "limit", value, problem });
        }
        let interval = Interval::new(self.warmup_steps, self.interval_steps)?;
        Ok(Box::new(Extrapolation { limit: self.limit, startup: self.startup_trials, interval }))
    }
}

struct Extrapolation {
    limit: f64,
    startup: usize,
    interval: Interval,
}

impl Pruner for Extrapolation {
    fn stops(&self, look: &Look<'_>) -> Option<String> {
        let losses = || look.complete().filter_map(crate::trial::Trial::loss);
        let best = losses().reduce(f64::min)?;
        if losses().count() < self.startup {
            return None;
        }
        let (step, own) = self.interval.due(&look.trial.curve)?;
        // Without a forecast for numbers there is none for what is no number, either.
        if own.is_nan() || own == f64::INFINITY {
            return Some(format!("no number at step {step}"));
        }
        let forecast = look.history.forecast(look.trial)?;
        let chance = forecast.own.chance_below(best);
        let is_hopeless = chance < self.limit && chance < 0.5 * forecast.anyone.chance_below(best);
        let is_ahead = || {
            look.others().filter_map(|t| t.curve.reaching(step)).all(|other| other.is_nan() || other > own)
        };
        (is_hopeless && !is_ahead()).then(|| {
            format!("{:.1} % chance to become the best, by its curve up to step {step}", 100.0 * chance)
        })
    }
}
