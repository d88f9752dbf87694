//! Numerical derivatives for targets without a gradient.
use super::LogDensity;
use crate::hyper::Hyper;

/// Value and central differences, one-sided at a bound: for inferences that need a gradient and
/// targets without one.
pub fn with_differences(target: &mut dyn LogDensity, theta: &[f64], gradient: &mut [f64]) -> f64 {
    /// Cube root of the machine epsilon: balances rounding error against curvature.
    const STEP: f64 = 6e-6;
    let bounds: Vec<(f64, f64)> = target.hypers().iter().map(Hyper::bounds).collect();
    for (i, (slope, (low, high))) in gradient.iter_mut().zip(bounds).enumerate() {
        let reach = STEP * theta[i].abs().max(1.0);
        let (below, above) = ((theta[i] - reach).max(low), (theta[i] + reach).min(high));
        let mut along = target.along(theta, i);
        *slope = if above > below { (along(above) - along(below)) / (above - below) } else { 0.0 };
    }
    target.at(theta)
}
