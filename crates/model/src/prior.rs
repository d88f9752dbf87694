//! Priors of hypers: densities in natural units.
//!
//! * log-normal: ln p = −ln x − ln σ − ½ ln 2π − (ln x − μ)²/2σ²
//! * dimension-scaled: log-normal with μ = √2 + ½ ln d, σ = √3, median ≈ 4.11·√d, mode ≈ 0.205·√d,
//!   where d is the number of length-scales: distances between random points grow like √d, and so
//!   does the scale on which a function is expected to vary  [Hvarfner et al. 2024]. On its own it
//!   assumes one dimension.
//! * normal: ln p = −ln s − ½ ln 2π − (x − m)²/2s²
//! * horseshoe on x > 0: p = 2/(τ√(2π³)) · e^u·E₁(u), u = x²/2τ²  [Carvalho et al. 2010], exact;
//!   the distribution of |τ·λ·z| with λ half-Cauchy and z normal. It has a pole at zero and a tail
//!   like x⁻², so it favours values near zero but allows any. Do not maximise it in natural units
//!   unless the range has a positive lower bound.
//!
//! Each evaluation takes a few operations (the horseshoe up to a hundred divisions).
use crate::special::{self, HALF_LN_TWO_PI};
use arbora_space::Rng;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// The horseshoe density is evaluated no closer to its pole than this.
const NEAREST_TO_POLE: f64 = 1e-10;
/// Median of |λ·z|, λ half-Cauchy, z normal: quadrature of E[erf(x/λ√2)] = ½ with 25 digits.
const HORSESHOE_MEDIAN: f64 = 0.586_750_983_871_119_5;

/// A density over one hyper, in natural units.
/// Written `"flat"` or `{ log_normal = { mu = 0.0, sigma = 1.0 } }`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum HyperPrior {
    /// All values equally likely; improper unless the range is bounded.
    Flat,
    /// Log-normal, with a median that grows with the number of dimensions; for length-scales.
    DimensionScaled,
    /// The logarithm is normal.
    LogNormal {
        /// Mean of the logarithm.
        mu: f64,
        /// Standard deviation of the logarithm.
        sigma: f64,
    },
    /// Normal.
    Normal {
        /// Mean.
        mean: f64,
        /// Standard deviation.
        sd: f64,
    },
    /// Positive horseshoe.
    Horseshoe {
        /// Scale τ.
        scale: f64,
    },
}

impl HyperPrior {
    /// The dimension-scaled prior for one of `dimensions` length-scales.
    pub fn scaled(dimensions: usize) -> Self {
        let mu = std::f64::consts::SQRT_2 + 0.5 * libm::log(dimensions.max(1) as f64);
        HyperPrior::LogNormal { mu, sigma: 3.0_f64.sqrt() }
    }

    /// ln p(x); −∞ where the density is zero. A flat prior is 0 everywhere.
    pub fn log_density(&self, x: f64) -> f64 {
        match *self {
            HyperPrior::Flat => 0.0,
            HyperPrior::DimensionScaled => Self::scaled(1).log_density(x),
            HyperPrior::LogNormal { mu, sigma } if x > 0.0 => {
                let ln_x = libm::log(x);
                ln_normal(ln_x, mu, sigma) - ln_x
            }
            HyperPrior::Normal { mean, sd } => ln_normal(x, mean, sd),
            HyperPrior::Horseshoe { scale } if x >= 0.0 => {
                let u = horseshoe_argument(x, scale);
                libm::log(2.0 / (scale * (2.0 * PI.powi(3)).sqrt())) + libm::log(special::scaled_e1(u))
            }
            HyperPrior::LogNormal { .. } | HyperPrior::Horseshoe { .. } => f64::NEG_INFINITY,
        }
    }

    /// d ln p/dx; 0 where the density is zero or flat.
    pub fn log_density_slope(&self, x: f64) -> f64 {
        match *self {
            HyperPrior::DimensionScaled => Self::scaled(1).log_density_slope(x),
            HyperPrior::LogNormal { mu, sigma } if x > 0.0 => {
                -(1.0 + (libm::log(x) - mu) / (sigma * sigma)) / x
            }
            HyperPrior::Normal { mean, sd } => (mean - x) / (sd * sd),
            HyperPrior::Horseshoe { scale } if x > NEAREST_TO_POLE => {
                -2.0 * special::e1_excess(horseshoe_argument(x, scale)) / x
            }
            _ => 0.0,
        }
    }

    /// The value with half of the mass below it; `None` for a flat prior.
    pub fn median(&self) -> Option<f64> {
        match *self {
            HyperPrior::Flat => None,
            HyperPrior::DimensionScaled => Self::scaled(1).median(),
            HyperPrior::LogNormal { mu, .. } => Some(libm::exp(mu)),
            HyperPrior::Normal { mean, .. } => Some(mean),
            HyperPrior::Horseshoe { scale } => Some(scale * HORSESHOE_MEDIAN),
        }
    }

    /// One draw; `None` for a flat prior.
    pub fn sample(&self, rng: &mut Rng) -> Option<f64> {
        match *self {
            HyperPrior::Flat => None,
            HyperPrior::DimensionScaled => Self::scaled(1).sample(rng),
            HyperPrior::LogNormal { mu, sigma } => Some(libm::exp(mu + sigma * rng.normal())),
            HyperPrior::Normal { mean, sd } => Some(mean + sd * rng.normal()),
            HyperPrior::Horseshoe { scale } => {
                let half_cauchy = libm::tan(0.5 * PI * rng.open_unit());
                Some(scale * half_cauchy * rng.normal().abs())
            }
        }
    }

    /// The first invalid setting, with its name and value; `None` if all are valid.
    pub fn invalid_setting(&self) -> Option<(&'static str, f64)> {
        let (place, spread) = match *self {
            HyperPrior::Flat | HyperPrior::DimensionScaled => return None,
            HyperPrior::LogNormal { mu, sigma } => (("mu", mu), ("sigma", sigma)),
            HyperPrior::Normal { mean, sd } => (("mean", mean), ("sd", sd)),
            HyperPrior::Horseshoe { scale } => (("scale", scale), ("scale", scale)),
        };
        if !place.1.is_finite() {
            return Some(place);
        }
        (!(spread.1.is_finite() && spread.1 > 0.0)).then_some(spread)
    }
}

/// ln of the normal density at x.
fn ln_normal(x: f64, mean: f64, sd: f64) -> f64 {
    let z = (x - mean) / sd;
    -0.5 * z * z - libm::log(sd) - HALF_LN_TWO_PI
}

/// u = x²/2τ², kept away from the pole.
fn horseshoe_argument(x: f64, scale: f64) -> f64 {
    let ratio = x.max(NEAREST_TO_POLE) / scale;
    0.5 * ratio * ratio
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "exact results are compared exactly")]
mod tests {
    use super::*;

    const PROPER: [HyperPrior; 5] = [
        HyperPrior::DimensionScaled,
        HyperPrior::LogNormal { mu: 0.3, sigma: 0.8 },
        HyperPrior::Normal { mean: -0.4, sd: 1.7 },
        HyperPrior::Horseshoe { scale: 1.0 },
        HyperPrior::Horseshoe { scale: 0.2 },
    ];

    #[test]
    fn horseshoe_matches_high_precision() {
        // mpmath, 60 digits: x, ln p, d ln p/dx at scale 1.
        for (x, value, slope) in [
            (0.01, 0.862_369_474_309_196_7, -21.433_609_031_826_023),
            (0.1, 0.187_578_138_666_777_9, -4.110_716_808_038_015),
            (1.0, -1.450_744_110_538_915, -1.167_057_057_970_623_2),
            (5.0, -3.968_346_559_105_982, -0.373_796_213_961_559_9),
        ] {
            let prior = HyperPrior::Horseshoe { scale: 1.0 };
            assert!((prior.log_density(x) - value).abs() < 1e-13, "{x}");
            assert!((prior.log_density_slope(x) / slope - 1.0).abs() < 1e-13, "{x}");
        }
    }

    #[test]
    fn horseshoe_is_finite_at_its_pole_and_falls_like_an_inverse_square() {
        let prior = HyperPrior::Horseshoe { scale: 1.0 };
        assert!((prior.log_density(0.0) - 2.461_757_737_788_295).abs() < 1e-12);
        assert_eq!(prior.log_density(-1e-9), f64::NEG_INFINITY);
        let ratio = prior.log_density(1e9) - prior.log_density(1e8);
        assert!((ratio + 2.0 * std::f64::consts::LN_10).abs() < 1e-12);
    }

    #[test]
    fn slopes_are_central_differences() {
        for prior in PROPER {
            for x in [0.03, 0.4, 1.0, 2.5, 7.0] {
                let h = 1e-5 * x;
                let difference = (prior.log_density(x + h) - prior.log_density(x - h)) / (2.0 * h);
                let slope = prior.log_density_slope(x);
                assert!((slope - difference).abs() < 1e-5 * slope.abs().max(1e-3), "{prior:?} at {x}");
            }
        }
    }

    #[test]
    fn densities_integrate_to_one_half_below_the_median() {
        for prior in PROPER {
            let median = prior.median().unwrap();
            let normal = matches!(prior, HyperPrior::Normal { .. });
            // x = median ± e^t for the normal, median·e^t for positive quantities: trapezia in t.
            let (mut below, mut above) = (0.0, 0.0);
            let step = 0.005;
            for i in -8000..8000 {
                let offset = libm::exp((f64::from(i) + 0.5) * step);
                if normal {
                    below += libm::exp(prior.log_density(median - offset)) * offset * step;
                    above += libm::exp(prior.log_density(median + offset)) * offset * step;
                } else {
                    let x = median * offset;
                    let mass = libm::exp(prior.log_density(x)) * x * step;
                    if i < 0 { below += mass } else { above += mass }
                }
            }
            assert!((below - 0.5).abs() < 1e-5 && (above - 0.5).abs() < 1e-5, "{prior:?} {below} {above}");
        }
    }

    #[test]
    fn draws_follow_the_density() {
        // Probabilities of the two intervals beside the median by quadrature, compared with the
        // fraction of draws.
        for prior in PROPER {
            let median = prior.median().unwrap();
            let spread = if let HyperPrior::Normal { sd, .. } = prior { sd } else { 0.5 * median };
            let edges = [median - spread, median, median + spread];
            let steps = 20_000;
            let width = spread / f64::from(steps);
            let mass = |from: f64| -> f64 {
                (0..steps)
                    .map(|i| libm::exp(prior.log_density(from + (f64::from(i) + 0.5) * width)) * width)
                    .sum()
            };
            let inner = [mass(edges[0]), mass(edges[1])];
            let mut counts = [0.0; 2];
            let draws = 20_000;
            let mut rng = Rng::new(5);
            for _ in 0..draws {
                let x = prior.sample(&mut rng).unwrap();
                if (edges[0]..edges[1]).contains(&x) {
                    counts[0] += 1.0;
                } else if (edges[1]..edges[2]).contains(&x) {
                    counts[1] += 1.0;
                }
            }
            for (count, mass) in counts.iter().zip(inner) {
                let error = 4.0 * (mass * (1.0 - mass) / f64::from(draws)).sqrt();
                assert!((count / f64::from(draws) - mass).abs() < error, "{prior:?}: {count} {mass}");
            }
        }
    }

    /// Median e^√2·√d ≈ 4.11·√d, mode ≈ 0.205·√d, where the derivative of the density vanishes.
    #[test]
    fn the_scaled_prior_grows_like_the_root_of_the_dimension() {
        for (dimensions, root) in [(1, 1.0), (4, 2.0), (100, 10.0)] {
            let prior = HyperPrior::scaled(dimensions);
            assert!((prior.median().unwrap() / root - 4.113_250_378_782_928).abs() < 1e-12);
            let mode = libm::exp(std::f64::consts::SQRT_2 - 3.0) * root;
            assert!((mode / root - 0.205).abs() < 5e-4);
            assert!((prior.log_density_slope(mode) * mode).abs() < 1e-12);
        }
        assert_eq!(HyperPrior::scaled(1).log_density(0.7), HyperPrior::DimensionScaled.log_density(0.7));
    }

    #[test]
    fn a_flat_prior_has_no_median_and_no_draw() {
        assert_eq!(HyperPrior::Flat.median(), None);
        assert_eq!(HyperPrior::Flat.sample(&mut Rng::new(0)), None);
        assert_eq!(HyperPrior::Flat.log_density(-7.0), 0.0);
    }

    #[test]
    fn settings_that_make_no_distribution_are_named() {
        assert_eq!(HyperPrior::Horseshoe { scale: 0.0 }.invalid_setting(), Some(("scale", 0.0)));
        assert_eq!(HyperPrior::LogNormal { mu: 0.0, sigma: -1.0 }.invalid_setting(), Some(("sigma", -1.0)));
        assert_eq!(HyperPrior::Normal { mean: 0.0, sd: f64::INFINITY }.invalid_setting().unwrap().0, "sd");
        for prior in PROPER {
            assert_eq!(prior.invalid_setting(), None);
        }
    }

    #[test]
    fn the_written_form_is_strict() {
        let read = |text: &str| serde_json::from_str::<HyperPrior>(text);
        for prior in PROPER.into_iter().chain([HyperPrior::Flat]) {
            assert_eq!(read(&serde_json::to_string(&prior).unwrap()).unwrap(), prior);
        }
        assert_eq!(read(r#""flat""#).unwrap(), HyperPrior::Flat);
        assert_eq!(read(r#"{"horseshoe":{"scale":2.0}}"#).unwrap(), HyperPrior::Horseshoe { scale: 2.0 });
        assert!(read(r#"{"horseshoe":{"scale":2.0,"tau":1.0}}"#).is_err());
        assert!(read(r#"{"flat":{"scale":2.0}}"#).is_err());
    }
}
