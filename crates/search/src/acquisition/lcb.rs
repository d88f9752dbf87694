//! Lower confidence bound  [Cox & John 1992; Srinivas et al. 2010]: as good as the point may reasonably be.
//!
//! score = −(μ − κσ);  κ fixed, or κₜ = √(2 ln(c·t²π²/6δ)) at trial t among c candidates, with which the
//! regret over a finite set is sublinear with probability 1 − δ. The score is not positive, so it is no
//! logarithm; it ignores the best.
use super::improvement::{Improvement, or_level, or_unwished};

/// −(μ − κσ).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LowerConfidenceBound {
    /// κ: standard deviations of optimism.
    pub kappa: f64,
}

impl Default for LowerConfidenceBound {
    fn default() -> Self {
        Self { kappa: 2.0 }
    }
}

impl LowerConfidenceBound {
    /// κₜ of the theory: `trial` counts from 1, `delta` is the probability with which the bound may fail (0.1
    /// is usual).
    pub fn scheduled(trial: usize, candidates: usize, delta: f64) -> Self {
        let (c, t) = (candidates.max(1) as f64, trial.max(1) as f64);
        let inside = c * (t * std::f64::consts::PI).powi(2) / (6.0 * delta);
        Self { kappa: (2.0 * libm::log(inside)).max(0.0).sqrt() }
    }
}

impl Improvement for LowerConfidenceBound {
    fn score(&self, mean: f64, sd: f64, _best: f64) -> f64 {
        or_unwished(self.kappa * sd - mean)
    }

    fn slope(&self, mean: f64, sd: f64, best: f64) -> (f64, f64, f64) {
        or_level((self.score(mean, sd, best), -1.0, self.kappa))
    }

    fn is_logarithm(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::improvement::laws;
    use super::*;

    #[test]
    fn laws_hold() {
        laws::assert_all(&LowerConfidenceBound::default());
        laws::assert_all(&LowerConfidenceBound { kappa: 0.0 });
    }

    #[test]
    fn the_best_does_not_matter_and_doubt_helps() {
        let bound = LowerConfidenceBound::default();
        assert!((bound.score(1.0, 0.5, 3.0) - bound.score(1.0, 0.5, -3.0)).abs() < 1e-300);
        assert!(bound.score(1.0, 0.6, 0.0) > bound.score(1.0, 0.5, 0.0));
    }

    #[test]
    fn the_schedule_follows_its_formula() {
        // √(2 ln(1000·25·π²/0.6)), mpmath.
        let kappa = LowerConfidenceBound::scheduled(5, 1000, 0.1).kappa;
        assert!((kappa - 5.084_666_458_936_147).abs() < 1e-13, "{kappa}");
        assert!(LowerConfidenceBound::scheduled(6, 1000, 0.1).kappa > kappa);
        assert!(LowerConfidenceBound::scheduled(0, 0, 1e9).kappa.abs() < 1e-300);
    }
}
