//! Expected improvement of a positive loss whose logarithm is normal  [Hutter et al. 2009, for SMAC].
//!
//! ln y ~ N(μ, σ²):  EI = best·Φ(v) − e^{μ+σ²/2}·Φ(v−σ),  v = (ln best − μ)/σ.
//!
//! The prediction's mean m and standard deviation s are those of y, so σ² = ln(1 + s²/m²) and e^{μ+σ²/2} = m; the
//! score is ln EI, ∂EI/∂m at fixed σ is −Φ(v−σ) and ∂EI/∂σ is m·φ(v−σ). A mean that is not positive belongs to no
//! log-normal: it scores its certain gain, the limit from above. A best that is not positive leaves nothing to gain on
//! a logarithmic scale; plain improvement is what remains. For losses of any sign take
//! [`ExpectedImprovement`](super::ExpectedImprovement).
use super::ExpectedImprovement;
use super::improvement::{CERTAIN, Improvement, or_level, or_unwished};
use arbora_model::special::{ln_cdf, log1mexp};

/// Below this σ a log-normal is a normal, and its formula a difference of equals.
const NARROW: f64 = 1e-6;

/// ln EI of a log-normal loss.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LogNormalImprovement;

/// σ and v − σ.
fn moments(mean: f64, sd: f64, best: f64) -> (f64, f64) {
    let sigma = libm::log1p((sd / mean).powi(2)).sqrt();
    (sigma, (libm::log(best) - libm::log(mean)) / sigma - 0.5 * sigma)
}

fn is_normal(mean: f64, sd: f64, best: f64) -> bool {
    best <= 0.0 || sd < CERTAIN || (mean > 0.0 && sd < NARROW * mean)
}

impl Improvement for LogNormalImprovement {
    fn score(&self, mean: f64, sd: f64, best: f64) -> f64 {
        if sd.is_nan() || is_normal(mean, sd, best) {
            return ExpectedImprovement::default().score(mean, sd, best);
        }
        if mean <= 0.0 {
            return or_unwished(libm::log(best - mean));
        }
        let (sigma, below) = moments(mean, sd, best);
        let (gain, loss) = (libm::log(best) + ln_cdf(below + sigma), libm::log(mean) + ln_cdf(below));
        // EI is positive; where rounding says otherwise it is as good as nothing.
        or_unwished(if loss < gain { gain + log1mexp(loss - gain) } else { f64::NEG_INFINITY })
    }

    fn slope(&self, mean: f64, sd: f64, best: f64) -> (f64, f64, f64) {
        if sd.is_nan() || is_normal(mean, sd, best) {
            return ExpectedImprovement::default().slope(mean, sd, best);
        }
        let score = self.score(mean, sd, best);
        if mean <= 0.0 {
            return or_level((score, -(best - mean).recip(), 0.0));
        }
        let (sigma, below) = moments(mean, sd, best);
        let ln_phi = -0.5 * below * below - 0.5 * libm::log(2.0 * std::f64::consts::PI);
        let by_sigma = libm::exp(libm::log(mean) + ln_phi - score);
        let share = sd / mean;
        let sigma_by_sd = share / (sigma * mean * (1.0 + share * share));
        let by_mean = -libm::exp(ln_cdf(below) - score) - by_sigma * sigma_by_sd * share;
        or_level((score, by_mean, by_sigma * sigma_by_sd))
    }
}

#[cfg(test)]
mod tests {
    use super::super::improvement::laws;
    use super::*;
    use arbora_space::Rng;

    const RULE: LogNormalImprovement = LogNormalImprovement;

    fn raw(mu: f64, sigma: f64) -> (f64, f64) {
        let mean = libm::exp(mu + 0.5 * sigma * sigma);
        (mean, mean * libm::expm1(sigma * sigma).sqrt())
    }

    #[test]
    fn laws_hold() {
        laws::assert_all(&RULE);
    }

    #[test]
    fn known_value() {
        let (mean, sd) = raw(-1.0, 0.5);
        let ei = libm::exp(RULE.score(mean, sd, libm::exp(-1.2)));
        assert!((ei - 0.027_057_301_383).abs() < 1e-12, "{ei}");
    }

    #[test]
    fn it_is_the_mean_of_the_improvement() {
        let mut rng = Rng::new(31);
        for (mu, sigma, best) in [(-1.0, 0.5, 0.3), (0.2, 1.2, 1.0), (2.0, 0.1, 7.0)] {
            let n = 100_000;
            let (mut sum, mut squares) = (0.0, 0.0);
            for _ in 0..n {
                let gain = (best - libm::exp(mu + sigma * rng.normal())).max(0.0);
                sum += gain;
                squares += gain * gain;
            }
            let average = sum / f64::from(n);
            let error = ((squares / f64::from(n) - average * average) / f64::from(n)).sqrt();
            let (mean, sd) = raw(mu, sigma);
            let exact = libm::exp(RULE.score(mean, sd, best));
            assert!((average - exact).abs() < 4.0 * error, "{average} {exact}");
        }
    }
}
