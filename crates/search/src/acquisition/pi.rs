//! Probability of improvement  [Kushner 1964], as a logarithm.
//!
//! z = (best − μ − ξ)/σ,  score = ln Φ(z),  ∂/∂μ = −λ/σ,  ∂/∂σ = −λ·z/σ,  λ = φ(z)/Φ(z).
//! Certain points: 0 if they improve by more than ξ, else −∞.
//!
//! It likes small sure gains: without a margin it digs where it stands.
use super::improvement::{CERTAIN, Improvement, check_margin, is_zero, or_level, or_unwished};
use super::integrated::integrated;
use super::{Acquisition, Component, PartContext};
use crate::error::SearchError;
use arbora_model::special::{ln_cdf, ln_cdf_slope};
use serde::{Deserialize, Serialize};

/// ln Φ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ProbabilityOfImprovement {
    /// ξ: a gain smaller than this is none.
    #[serde(skip_serializing_if = "is_zero")]
    pub margin: f64,
}

impl Component<dyn Acquisition> for ProbabilityOfImprovement {
    const KIND: &'static str = "probability_of_improvement";

    fn build(&self, _context: PartContext<'_>) -> Result<Box<dyn Acquisition>, SearchError> {
        check_margin(self.margin)?;
        Ok(Box::new(*self))
    }
}

integrated!(ProbabilityOfImprovement);

impl Improvement for ProbabilityOfImprovement {
    fn score(&self, mean: f64, sd: f64, best: f64) -> f64 {
        let gain = best - mean - self.margin;
        if sd < CERTAIN {
            return if gain > 0.0 { 0.0 } else { f64::NEG_INFINITY };
        }
        or_unwished(ln_cdf(gain / sd))
    }

    fn slope(&self, mean: f64, sd: f64, best: f64) -> (f64, f64, f64) {
        let score = self.score(mean, sd, best);
        if sd < CERTAIN {
            return (score, 0.0, 0.0);
        }
        let z = (best - mean - self.margin) / sd;
        let steepness = ln_cdf_slope(z) / sd;
        or_level((score, -steepness, -steepness * z))
    }
}

#[cfg(test)]
mod tests {
    use super::super::improvement::laws;
    use super::*;
    use arbora_space::Rng;

    const PI: ProbabilityOfImprovement = ProbabilityOfImprovement { margin: 0.0 };

    #[test]
    fn laws_hold() {
        laws::assert_all(&PI);
        laws::assert_all(&ProbabilityOfImprovement { margin: 0.7 });
    }

    #[test]
    fn it_is_the_share_of_draws_that_improve() {
        let mut rng = Rng::new(22);
        for (mean, sd, best, margin) in [(0.3, 0.7, 0.1, 0.0), (-1.0, 0.2, -0.9, 0.05), (2.0, 1.5, 0.0, 0.0)]
        {
            let n = 100_000;
            let better = (0..n).filter(|_| mean + sd * rng.normal() < best - margin).count() as f64;
            let exact = libm::exp(ProbabilityOfImprovement { margin }.score(mean, sd, best));
            let error = (exact * (1.0 - exact) / f64::from(n)).sqrt();
            assert!((better / f64::from(n) - exact).abs() < 4.0 * error, "{better} {exact}");
        }
    }

    #[test]
    fn doubt_helps_only_those_that_would_not_improve() {
        assert!(PI.score(1.0, 2.0, 0.0) > PI.score(1.0, 1.0, 0.0));
        assert!(PI.score(-1.0, 2.0, 0.0) < PI.score(-1.0, 1.0, 0.0));
    }

    #[test]
    fn certain_points_improve_or_do_not() {
        assert!(PI.score(1.0, 0.0, 1.5).abs() < 1e-300);
        assert!(PI.score(1.5, 0.0, 1.5).is_infinite());
    }
}
