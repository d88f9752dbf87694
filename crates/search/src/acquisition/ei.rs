//! Expected improvement  [Jones, Schonlau & Welch 1998], as a logarithm  [Ament et al. 2023].
//!
//! EI = E[max(0, best − ξ − f)] = σ·h(z),  z = (best − μ − ξ)/σ,  h(z) = φ(z) + z·Φ(z);
//! score = ln σ + ln h(z),  ∂/∂μ = −Φ(z)/(σ·h(z)),  ∂/∂σ = φ(z)/(σ·h(z)).
//! Certain points: EI = max(0, best − ξ − μ).
//!
//! Its trust in σ is complete: a model with too small an amplitude stops exploring.
use super::improvement::{CERTAIN, Improvement, check_margin, is_zero, or_level, or_unwished};
use super::integrated::integrated;
use super::{Acquisition, Component, PartContext};
use crate::error::SearchError;
use arbora_model::special::{log_h, log_h_with_slope};
use arbora_space::normal;
use serde::{Deserialize, Serialize};

/// ln EI.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ExpectedImprovement {
    /// ξ: a gain smaller than this is none.
    #[serde(skip_serializing_if = "is_zero")]
    pub margin: f64,
}

impl Component<dyn Acquisition> for ExpectedImprovement {
    const KIND: &'static str = "expected_improvement";
    const ALIASES: &'static [&'static str] = &["log_expected_improvement"];

    fn build(&self, _context: PartContext<'_>) -> Result<Box<dyn Acquisition>, SearchError> {
        check_margin(self.margin)?;
        Ok(Box::new(*self))
    }
}

integrated!(ExpectedImprovement);

impl ExpectedImprovement {
    /// EI itself, in the units of the loss.
    pub fn amount(&self, mean: f64, sd: f64, best: f64) -> f64 {
        let gain = best - mean - self.margin;
        if sd < CERTAIN { gain.max(0.0) } else { sd * libm::exp(log_h(gain / sd)) }
    }
}

impl Improvement for ExpectedImprovement {
    fn score(&self, mean: f64, sd: f64, best: f64) -> f64 {
        let gain = best - mean - self.margin;
        if sd < CERTAIN {
            return or_unwished(libm::log(gain.max(0.0)));
        }
        or_unwished(libm::log(sd) + log_h(gain / sd))
    }

    fn slope(&self, mean: f64, sd: f64, best: f64) -> (f64, f64, f64) {
        let gain = best - mean - self.margin;
        if sd < CERTAIN {
            let gain = gain.max(0.0);
            return or_level((libm::log(gain), -gain.recip(), 0.0));
        }
        let z = gain / sd;
        let (log_h, cdf_over_h) = log_h_with_slope(z);
        // φ/h = 1 − z·Φ/h, written so that nothing cancels.
        let density_over_h =
            if z < 0.0 { 1.0 - z * cdf_over_h } else { normal::density(z) * libm::exp(-log_h) };
        or_level((libm::log(sd) + log_h, -cdf_over_h / sd, density_over_h / sd))
    }
}

#[cfg(test)]
mod tests {
    use super::super::improvement::laws;
    use super::*;
    use arbora_space::Rng;

    const EI: ExpectedImprovement = ExpectedImprovement { margin: 0.0 };

    #[test]
    fn laws_hold() {
        laws::assert_all(&EI);
        laws::assert_all(&ExpectedImprovement { margin: 0.7 });
    }

    #[test]
    fn known_value() {
        // A worked example; the wrong sign of the gain would give 0.390581035741.
        assert!((EI.amount(0.3, 0.7, 0.1) - 0.190_581_035_741).abs() < 1e-12);
        assert!((EI.score(0.3, 0.7, 0.1) - libm::log(0.190_581_035_741)).abs() < 1e-11);
    }

    #[test]
    fn known_values_of_paths() {
        // The two paths of the worked tree, whose means and variances the tree-structured process is tested for.
        for (mean, variance, improvement) in [
            (0.436_719_969_8, 0.323_643_486_0_f64, 0.165_119_671_2),
            (0.625_714_575_6, 0.616_686_589_1, 0.176_997_624_8),
        ] {
            assert!((EI.amount(mean, variance.sqrt(), 0.3) - improvement).abs() < 1e-10, "{mean}");
        }
    }

    #[test]
    fn it_is_the_mean_of_the_improvement() {
        let mut rng = Rng::new(21);
        for (mean, sd, best, margin) in [(0.3, 0.7, 0.1, 0.0), (-1.0, 0.2, -0.9, 0.05), (2.0, 1.5, 0.0, 0.0)]
        {
            let n = 100_000;
            let (mut sum, mut squares) = (0.0, 0.0);
            for _ in 0..n {
                let gain = (best - margin - (mean + sd * rng.normal())).max(0.0);
                sum += gain;
                squares += gain * gain;
            }
            let average = sum / f64::from(n);
            let error = ((squares / f64::from(n) - average * average) / f64::from(n)).sqrt();
            let exact = ExpectedImprovement { margin }.amount(mean, sd, best);
            assert!((average - exact).abs() < 4.0 * error, "{average} {exact} {error}");
        }
    }

    #[test]
    fn it_exceeds_the_certain_gain_and_grows_with_doubt() {
        for i in -30..30 {
            let mean = 0.2 * f64::from(i);
            let mut last = f64::NEG_INFINITY;
            for sd in [1e-13, 1e-3, 0.1, 0.5, 1.0, 3.0, 10.0] {
                let score = EI.score(mean, sd, 0.0);
                assert!(score >= last - 1e-15 * last.abs(), "mean {mean}, sd {sd}");
                assert!(EI.amount(mean, sd, 0.0) >= (-mean).max(0.0) * (1.0 - 1e-15));
                last = score;
            }
        }
    }

    #[test]
    fn it_stays_apart_from_zero_where_the_amount_has_underflowed() {
        let mut last = f64::INFINITY;
        for exponent in 0..=9 {
            let mean = 10.0_f64.powi(exponent);
            let (score, in_mean, in_sd) = EI.slope(mean, 1.0, 0.0);
            assert!(score < last && score.is_finite());
            // ln h ≈ −z²/2: the slopes tend to −|z| and z².
            if exponent >= 3 {
                assert!((in_mean / -mean - 1.0).abs() < 1e-5 && (in_sd / (mean * mean) - 1.0).abs() < 1e-5);
            }
            last = score;
        }
    }

    #[test]
    fn certain_points_score_their_gain() {
        assert!((EI.score(1.0, 0.0, 3.0) - std::f64::consts::LN_2).abs() < 1e-15);
        let (score, in_mean, in_sd) = EI.slope(1.0, 0.0, 3.0);
        assert!(score > 0.69 && (in_mean + 0.5).abs() < 1e-15 && in_sd.abs() < 1e-15);
        assert!(EI.score(3.0, 0.0, 3.0).is_infinite() && EI.amount(3.0, 0.0, 3.0).abs() < 1e-300);
    }
}
