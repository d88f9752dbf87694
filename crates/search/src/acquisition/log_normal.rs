//! Expected improvement of a positive loss whose logarithm is normal  [Hutter et al. 2009, for SMAC].
//!
//! ln y ~ N(μ, σ²):  EI = best·Φ(v) − e^{μ+σ²/2}·Φ(v−σ),  v = (ln best − μ)/σ.
//!
//! The prediction's mean m and standard deviation s are those of y, so σ² = ln(1 + s²/m²) and e^{μ+σ²/2} = m; the
//! score is ln EI, ∂EI/∂m at fixed σ is −Φ(v−σ) and ∂EI/∂σ is m·φ(v−σ). A mean that is not positive belongs to no
//! log-normal: it scores its certain gain, the limit from above. A best that is not positive leaves nothing to gain on
//! a logarithmic scale; plain improvement is what remains. For losses of any sign take
//! [`ExpectedImprovement`](super::ExpectedImprovement).
use super::improvement::{CERTAIN, Improvement, or_level, or_unwished};
use super::integrated::integrated;
use super::{Acquisition, Component, ExpectedImprovement, PartContext};
use crate::error::SearchError;
use arbora_model::special::{ln_cdf, ln_cdf_slope, log_h, log1mexp};
use serde::{Deserialize, Serialize};

/// ½ ln 2π.
const HALF_LN_TAU: f64 = 0.918_938_533_204_672_8;

/// Below this σ a difference is taken as an integral: Simpson's rule is then exact to a part in 10¹².
const NARROW: f64 = 0.02;

/// ln EI of a log-normal loss.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogNormalImprovement {}

impl Component<dyn Acquisition> for LogNormalImprovement {
    const KIND: &'static str = "log_normal_improvement";

    fn build(&self, _context: PartContext<'_>) -> Result<Box<dyn Acquisition>, SearchError> {
        Ok(Box::new(*self))
    }
}

integrated!(LogNormalImprovement);

/// σ and v.
fn moments(mean: f64, sd: f64, best: f64) -> (f64, f64) {
    let sigma = libm::log1p((sd / mean).powi(2)).sqrt();
    (sigma, (libm::log(best) - libm::log(mean)) / sigma + 0.5 * sigma)
}

/// ln φ(z).
fn ln_density(z: f64) -> f64 {
    -0.5 * z * z - HALF_LN_TAU
}

/// ln R′(x) = ln h(x) − ln φ(x), R = Φ/φ; −2 ln|x| far below, to a part in 10⁹.
fn ln_ratio_slope(x: f64) -> f64 {
    if x < -1e5 { -2.0 * libm::log(-x) } else { log_h(x) - ln_density(x) }
}

/// ln EI. With best·φ(v) = m·φ(v−σ) it is ln best + ln φ(v) + ln(R(v) − R(v−σ)): below zero, where Φ has lost what
/// matters, R has not.
fn ln_amount(mean: f64, best: f64, (sigma, v): (f64, f64)) -> f64 {
    if v >= 0.0 {
        let (gain, loss) = (libm::log(best) + ln_cdf(v), libm::log(mean) + ln_cdf(v - sigma));
        return if loss < gain { gain + log1mexp(loss - gain) } else { f64::NEG_INFINITY };
    }
    let difference = if sigma < NARROW {
        let [a, b, c] = [v - sigma, v - 0.5 * sigma, v].map(ln_ratio_slope);
        let top = a.max(b).max(c);
        let mean = (libm::exp(a - top) + 4.0 * libm::exp(b - top) + libm::exp(c - top)) / 6.0;
        libm::log(sigma) + top + libm::log(mean)
    } else {
        libm::log(ln_cdf_slope(v).recip() - ln_cdf_slope(v - sigma).recip())
    };
    libm::log(best) + ln_density(v) + difference
}

fn is_plain(sd: f64, best: f64) -> bool {
    sd.is_nan() || best <= 0.0 || sd < CERTAIN
}

impl Improvement for LogNormalImprovement {
    fn score(&self, mean: f64, sd: f64, best: f64) -> f64 {
        if is_plain(sd, best) {
            return ExpectedImprovement::default().score(mean, sd, best);
        }
        if mean <= 0.0 {
            return or_unwished(libm::log(best - mean));
        }
        or_unwished(ln_amount(mean, best, moments(mean, sd, best)))
    }

    fn slope(&self, mean: f64, sd: f64, best: f64) -> (f64, f64, f64) {
        if is_plain(sd, best) {
            return ExpectedImprovement::default().slope(mean, sd, best);
        }
        let score = self.score(mean, sd, best);
        if mean <= 0.0 {
            return or_level((score, -(best - mean).recip(), 0.0));
        }
        let (sigma, v) = moments(mean, sd, best);
        // ∂ ln EI/∂σ = best·φ(v)/EI;  Φ(v−σ)/EI = that times R(v−σ)/m.
        let by_sigma = libm::exp(libm::log(best) + ln_density(v) - score);
        let by_forward = if v < 0.0 {
            by_sigma / (mean * ln_cdf_slope(v - sigma))
        } else {
            libm::exp(ln_cdf(v - sigma) - score)
        };
        let share = sd / mean;
        let sigma_by_sd = share / (sigma * mean * (1.0 + share * share));
        or_level((score, -by_forward - by_sigma * sigma_by_sd * share, by_sigma * sigma_by_sd))
    }
}

#[cfg(test)]
mod tests {
    use super::super::improvement::laws;
    use super::*;
    use arbora_space::Rng;

    const RULE: LogNormalImprovement = LogNormalImprovement {};

    fn raw(mu: f64, sigma: f64) -> (f64, f64) {
        let mean = libm::exp(mu + 0.5 * sigma * sigma);
        (mean, mean * libm::expm1(sigma * sigma).sqrt())
    }

    #[test]
    fn laws_hold() {
        // A mean of zero is the end of the log-normals.
        laws::assert_all_beside_kinks(&RULE, 0.1);
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
