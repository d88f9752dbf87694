//! Special functions for priors and acquisitions, accurate where textbook formulas lose all digits.
//!
//! With x = −z, Mills' ratio R(x) = Φ(z)/φ(z) = √(π/2)·erfcx(x/√2) and its continued fraction
//! 1/R = x + 1/(x + 2/(x + 3/(x + …)))  [Abramowitz & Stegun 26.2.14]:
//!
//! * ln Φ(z) = ln R − x²/2 − ½ ln 2π in the lower tail, log1p(−Φ(−z)) in the upper one;
//! * h(z) = φ(z) + z·Φ(z), the expected improvement of a unit normal; ln h is finite wherever z² is
//!   [Ament et al. 2023, §A.1];
//! * e^u·E₁(u), used by the horseshoe density.
//!
//! Deep in the tail, (ln h)′ = s(x) = x + 2/(x + 3/(x + …)) and h = φ/(1 + x·s). Neither subtracts,
//! so the derivative keeps its digits, unlike exp(ln Φ − ln h), a difference of two numbers near
//! −z²/2. Each call costs a few dozen operations.
use arbora_space::normal;
use errorfunctions::RealErrorFunctions;
use std::f64::consts::{FRAC_1_SQRT_2, LN_2, PI};

/// ½ ln 2π.
pub(crate) const HALF_LN_TWO_PI: f64 = 0.918_938_533_204_672_8;
/// Below this z we use the continued fraction instead of erfcx; it then needs at most 32 terms.
const DEEP_TAIL: f64 = -5.0;

/// erfcx(x) = e^{x²}·erfc(x).
pub fn erfcx(x: f64) -> f64 {
    RealErrorFunctions::erfcx(x)
}

/// ln(1 − eˣ) for x ≤ 0, without cancellation at either end  [Mächler 2012].
pub fn log1mexp(x: f64) -> f64 {
    if x > -LN_2 { libm::log(-libm::expm1(x)) } else { libm::log1p(-libm::exp(x)) }
}

/// ln Φ(z).
pub fn ln_cdf(z: f64) -> f64 {
    if z > 0.0 {
        libm::log1p(-normal::cdf(-z))
    } else if z > -1.0 {
        libm::log(normal::cdf(z))
    } else {
        libm::log(0.5 * erfcx(-z * FRAC_1_SQRT_2)) - 0.5 * z * z
    }
}

/// (ln Φ)′(z) = φ(z)/Φ(z).
pub fn ln_cdf_slope(z: f64) -> f64 {
    if z > -1.0 { normal::density(z) / normal::cdf(z) } else { mills_ratio(-z).recip() }
}

/// ln h(z), h(z) = φ(z) + z·Φ(z).
pub fn log_h(z: f64) -> f64 {
    log_h_with_slope(z).0
}

/// ln h(z) and its derivative Φ(z)/h(z).
pub fn log_h_with_slope(z: f64) -> (f64, f64) {
    let x = -z;
    if z > -1.0 {
        let cdf = normal::cdf(z);
        let h = normal::density(z) + z * cdf;
        (libm::log(h), cdf / h)
    } else if z > DEEP_TAIL {
        let ratio = mills_ratio(x);
        let left = 1.0 - x * ratio;
        (libm::log(left) - 0.5 * x * x - HALF_LN_TWO_PI, ratio / left)
    } else {
        let slope = deep_slope(x);
        (-0.5 * x * x - HALF_LN_TWO_PI - libm::log1p(x * slope), slope)
    }
}

/// R(x) = Φ(−x)/φ(x).
fn mills_ratio(x: f64) -> f64 {
    (0.5 * PI).sqrt() * erfcx(x * FRAC_1_SQRT_2)
}

/// x + 2/(x + 3/(x + …)) for x ≥ 5, evaluated from the back; the number of terms falls like 1/x².
fn deep_slope(x: f64) -> f64 {
    let terms = 8 + (600.0 / (x * x)) as u32;
    let tail = (3..terms).rev().fold(x, |tail, k| x + f64::from(k) / tail);
    x + 2.0 / tail
}

/// e^u·E₁(u) for u > 0.
pub fn scaled_e1(u: f64) -> f64 {
    (u + e1_excess(u)).recip()
}

/// 1/(e^u·E₁(u)) − u for u > 0, which rises from 0 to 1. Minus this over u is the logarithmic
/// derivative of e^u·E₁(u), without the terms that cancel.
///
/// Power series for E₁ below one, above it the continued fraction
/// 1/(e^u·E₁) = u + 1 − 1/(u + 3 − 4/(u + 5 − 9/(u + 7 − …)))
/// [Abramowitz & Stegun 5.1.11, 5.1.22].
pub fn e1_excess(u: f64) -> f64 {
    if u <= 1.0 { (libm::exp(u) * e1_series(u)).recip() - u } else { 1.0 - e1_tail(u) }
}

/// E₁(u) = −γ − ln u − Σ_{k≥1} (−u)ᵏ/(k·k!).
fn e1_series(u: f64) -> f64 {
    const EULER_GAMMA: f64 = 0.577_215_664_901_532_9;
    let (mut power, mut sum) = (1.0, 0.0);
    for k in 1..=20 {
        let k = f64::from(k);
        power *= -u / k;
        sum += power / k;
    }
    -EULER_GAMMA - libm::log(u) - sum
}

/// 1/(u + 3 − 4/(u + 5 − 9/(u + 7 − …))), evaluated from the back; the number of terms falls like
/// 1/u.
fn e1_tail(u: f64) -> f64 {
    let terms = 8 + (100.0 / u) as u32;
    let start = u + f64::from(2 * terms + 1);
    let denominator = (2..=terms).rev().fold(start, |deeper, k| {
        let k = f64::from(k);
        u + 2.0 * k - 1.0 - k * k / deeper
    });
    denominator.recip()
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "exact results are compared exactly")]
mod tests;
