//! A race over folds: is a trial that is behind after some of its folds still worth the next one?  [racing: Maron &
//! Moore 1994; Hutter et al. 2011]
//!
//! behind ⇔ m̄ > r̄ + c·√(σ²·(1/k + 1/K))
//!
//! m̄ is the mean of the k folds so far, r̄ the mean of the K folds of a rival, σ² the noise of one fold and c a number
//! of standard errors. This one rule serves two races. `AutoClassifier` and the pruner `race` take for rival the median
//! of complete trials, or the tenth best if there are many (an ensemble takes its members from about those), for σ² the
//! median variance of complete trials over their folds, and c = 2: a trial as good as the rival is stopped by mistake
//! in about one of forty looks, one as good as the best hardly ever. The strategy `racing` compares with the incumbent
//! on common folds, where the noise of a fold cancels, and with c = 0.
//!
//! Steps of the pruner are folds, by any name and in any order, each reported with its own loss. O(n log n) a look.
use super::{Component, Look, Pruner, PrunerContext, StepOrder};
use crate::error::{SearchError, at_least_one};
use serde::{Deserialize, Serialize};

/// Stops what is clearly behind after some of its folds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RacePruner {
    /// Nothing is stopped before so many trials are complete: fewer do not show what is good and how noisy a fold is.
    #[serde(alias = "n_startup_trials")]
    pub startup_trials: usize,
    /// The place of the rival among the complete trials, the best being first, if there are more than twice as many.
    pub rival: usize,
    /// c: a trial may be this many standard errors behind.
    pub errors: f64,
}

impl Default for RacePruner {
    fn default() -> Self {
        Self { startup_trials: 8, rival: 10, errors: 2.0 }
    }
}

impl Component<dyn Pruner> for RacePruner {
    const KIND: &'static str = "race";

    fn build(&self, _context: PrunerContext<'_>) -> Result<Box<dyn Pruner>, SearchError> {
        at_least_one("rival", self.rival)?;
        if !(self.errors.is_finite() && self.errors >= 0.0) {
            let (value, problem) = (self.errors.to_string(), "it must be zero or more");
            return Err(SearchError::BadSetting { setting: "errors", value, problem });
        }
        Ok(Box::new(*self))
    }
}

/// A mean over some folds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoldMean {
    /// Of their losses.
    pub mean: f64,
    /// How many.
    pub folds: usize,
}

impl FoldMean {
    /// The mean that nobody may exceed who has run so many folds: this one, the rival's, and what chance allows.
    pub fn bar(self, folds: usize, noise: f64, errors: f64) -> f64 {
        self.mean + errors * (noise * (1.0 / folds as f64 + 1.0 / self.folds as f64)).sqrt()
    }

    /// Is it behind a rival by more than chance allows?
    pub fn is_behind(self, rival: FoldMean, noise: f64, errors: f64) -> bool {
        self.mean > rival.bar(self.folds, noise, errors)
    }
}

impl RacePruner {
    /// The loss to beat: the median of complete trials, or the tenth best; `None` if there is no trial.
    pub fn rival(&self, losses: &[f64]) -> Option<f64> {
        let mut sorted = losses.to_vec();
        sorted.sort_by(f64::total_cmp);
        let place = self.rival.min(losses.len().div_ceil(2));
        sorted.get(place.checked_sub(1)?).copied()
    }

    /// The mean losses beyond which a trial ends after one fold, two folds and so on, by the folds of complete trials;
    /// none before the first race.
    pub fn bars(&self, complete: &[Vec<f64>], folds: usize) -> Vec<f64> {
        match self.field(complete) {
            Some((rival, noise)) => {
                let rival = FoldMean { mean: rival, folds };
                (1..folds).map(|done| rival.bar(done, noise, self.errors)).collect()
            }
            None => Vec::new(),
        }
    }

    /// The loss to beat and the noise of one fold.
    fn field(&self, complete: &[Vec<f64>]) -> Option<(f64, f64)> {
        if complete.len() < self.startup_trials {
            return None;
        }
        let means: Vec<f64> = complete.iter().map(|losses| mean(losses)).collect();
        let variances = complete.iter().filter(|losses| losses.len() > 1).map(|losses| variance(losses));
        // Trials that are out of bounds in every fold say nothing of how noisy good ones are.
        Some((self.rival(&means)?, median(variances.collect())?))
    }
}

impl Pruner for RacePruner {
    fn stops(&self, look: &Look<'_>) -> Option<String> {
        let folds = |trial: &crate::trial::Trial| -> Vec<f64> {
            trial.curve.points().iter().map(|(_, loss)| *loss).collect()
        };
        let own = folds(look.trial);
        if own.is_empty() {
            return None;
        }
        if !own.iter().all(|loss| loss.is_finite()) {
            return (look.complete().count() >= self.startup_trials)
                .then(|| format!("no number after {} folds", own.len()));
        }
        let complete: Vec<Vec<f64>> = look
            .complete()
            .map(&folds)
            .filter(|losses| !losses.is_empty() && losses.iter().all(|loss| loss.is_finite()))
            .collect();
        let (rival, noise) = self.field(&complete)?;
        let whole = complete.iter().map(Vec::len).max()?;
        let (own, rival) =
            (FoldMean { mean: mean(&own), folds: own.len() }, FoldMean { mean: rival, folds: whole });
        own.is_behind(rival, noise, self.errors)
            .then(|| format!("behind in the race after {} of {whole} folds", own.folds))
    }

    fn order(&self) -> StepOrder {
        StepOrder::Any
    }
}

fn mean(losses: &[f64]) -> f64 {
    losses.iter().sum::<f64>() / losses.len() as f64
}

fn variance(losses: &[f64]) -> f64 {
    let mean = mean(losses);
    losses.iter().map(|loss| (loss - mean) * (loss - mean)).sum::<f64>() / (losses.len() - 1) as f64
}

fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    let upper = *numbers.get(numbers.len() / 2)?;
    Some(if numbers.len() % 2 == 1 { upper } else { f64::midpoint(numbers[numbers.len() / 2 - 1], upper) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rival_is_the_median_or_the_tenth() {
        let race = RacePruner::default();
        assert_eq!(race.rival(&[3.0, 1.0, 2.0]), Some(2.0));
        let hundred: Vec<f64> = (0..100).map(f64::from).collect();
        assert_eq!(race.rival(&hundred), Some(9.0));
        assert_eq!(race.rival(&[]), None);
    }

    /// By hand: eight trials of losses 0 … 7, two folds each, 0.1 above and below: the fourth is the median, the
    /// variance of a fold 0.02, so the bar after one fold is 3 + 2·√(0.02·(1 + 1/2)) = 3.346.
    #[test]
    fn bars_are_two_standard_errors_above_the_rival() {
        let complete: Vec<Vec<f64>> =
            (0..8).map(|loss| vec![f64::from(loss) - 0.1, f64::from(loss) + 0.1]).collect();
        let bars = RacePruner::default().bars(&complete, 2);
        assert!(bars.len() == 1 && (bars[0] - 3.346_410_161_513_775_4).abs() < 1e-9, "{bars:?}");
        assert!(RacePruner::default().bars(&complete[..7], 2).is_empty());
    }

    #[test]
    fn without_noise_who_is_worse_is_behind_and_equals_are_not() {
        let mean = |mean| FoldMean { mean, folds: 3 };
        assert!(mean(0.2).is_behind(mean(0.1), 0.0, 0.0));
        assert!(!mean(0.1).is_behind(mean(0.1), 0.0, 0.0));
        assert!(!mean(f64::INFINITY).is_behind(mean(f64::INFINITY), 0.0, 0.0));
    }
}
