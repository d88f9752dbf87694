//! The two transforms and their inverses.
use crate::surrogate::{Scale, saturate};
use arbora_space::normal;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// How losses are transformed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Output {
    /// A power for each sign, chosen by likelihood.
    YeoJohnson,
    /// Normal scores of the ranks.
    Copula,
}

/// A transform fitted to losses.
pub(super) enum Curve {
    /// λ, on standardised losses.
    Power { scale: Scale, lambda: f64 },
    /// Losses and their normal scores, both ascending and without ties.
    Ranks { scale: Scale, knots: Vec<(f64, f64)> },
}

/// Range of powers to search.
const POWERS: (f64, f64) = (-2.0, 4.0);

impl Curve {
    pub(super) fn of(output: Output, losses: &[f64]) -> Self {
        // Sorted, so that sums do not depend on the order of observations.
        let mut raw: Vec<f64> = losses.iter().map(|&loss| saturate(loss)).collect();
        raw.sort_by(f64::total_cmp);
        let scale = Scale::of(&raw);
        match output {
            Output::YeoJohnson => {
                let standard: Vec<f64> = raw.iter().map(|&loss| scale.standardise(loss)).collect();
                Curve::Power { scale, lambda: likeliest(&standard) }
            }
            Output::Copula => Curve::Ranks { scale, knots: knots(&raw) },
        }
    }

    /// One standard deviation in original units.
    pub(super) fn spread(&self) -> f64 {
        let (Curve::Power { scale, .. } | Curve::Ranks { scale, .. }) = self;
        scale.spread
    }

    /// The transformed loss.
    pub(super) fn transform(&self, loss: f64) -> f64 {
        let loss = saturate(loss);
        match self {
            Curve::Power { scale, lambda } => power(scale.standardise(loss), *lambda),
            Curve::Ranks { knots, .. } => {
                let at = knots.iter().position(|(y, _)| *y >= loss).unwrap_or(knots.len().saturating_sub(1));
                knots.get(at).map_or(loss, |(_, z)| *z)
            }
        }
    }

    /// The inverse and its derivative.
    pub(super) fn inverse(&self, z: f64) -> (f64, f64) {
        match self {
            Curve::Power { scale, lambda } => {
                let (standard, slope) = unpower(z, *lambda);
                (scale.raw(standard), scale.spread * slope)
            }
            Curve::Ranks { scale, knots } => between(knots, z, scale.spread),
        }
    }
}

/// ψ_λ.
fn power(y: f64, lambda: f64) -> f64 {
    let (sign, lambda) = if y >= 0.0 { (1.0, lambda) } else { (-1.0, 2.0 - lambda) };
    let grown = libm::log1p(y.abs());
    sign * if lambda.abs() < 1e-12 { grown } else { libm::expm1(lambda * grown) / lambda }
}

/// ψ_λ⁻¹ and its derivative. Where the curve is bounded, continues along the tangent at its last
/// hundredth.
fn unpower(z: f64, lambda: f64) -> (f64, f64) {
    let (sign, lambda) = if z >= 0.0 { (1.0, lambda) } else { (-1.0, 2.0 - lambda) };
    if lambda.abs() < 1e-12 {
        return (sign * libm::expm1(z.abs()), libm::exp(z.abs()));
    }
    let end = if lambda < 0.0 { 0.99 / -lambda } else { f64::INFINITY };
    let inside = z.abs().min(end);
    let grown = libm::log1p(lambda * inside) / lambda;
    let slope = libm::exp((1.0 - lambda) * grown);
    (sign * (libm::expm1(grown) + slope * (z.abs() - inside)), slope)
}

/// λ with the highest profile likelihood, −(n/2) ln Var ψ + (λ − 1)·Σ sign(y)·ln(|y| + 1); one if
/// all losses are equal.
fn likeliest(sorted: &[f64]) -> f64 {
    let jacobian: f64 = sorted.iter().map(|y| y.signum() * libm::log1p(y.abs())).sum();
    let count = sorted.len() as f64;
    let score = |lambda: f64| {
        let bent: Vec<f64> = sorted.iter().map(|&y| power(y, lambda)).collect();
        let mean = bent.iter().sum::<f64>() / count;
        let variance = bent.iter().map(|z| (z - mean).powi(2)).sum::<f64>() / count;
        -0.5 * count * libm::log(variance) + (lambda - 1.0) * jacobian
    };
    if sorted.first() == sorted.last() {
        return 1.0;
    }
    // The likelihood is unimodal in λ: ternary search down to a thousandth.
    let (mut low, mut high) = POWERS;
    while high - low > 1e-3 {
        let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if score(left) < score(right) { low = left } else { high = right }
    }
    0.5 * (low + high)
}

/// Distinct losses and the normal scores of their middle ranks.
fn knots(sorted: &[f64]) -> Vec<(f64, f64)> {
    let count = sorted.len() as f64;
    let edge = 1.0 / (4.0 * libm::pow(count, 0.25) * (PI * libm::log(count.max(2.0))).sqrt());
    let mut knots: Vec<(f64, f64)> = Vec::new();
    let mut first = 0;
    for run in sorted.chunk_by(|a, b| a.to_bits() == b.to_bits()) {
        let rank = first as f64 + 0.5 * run.len() as f64;
        let share = (rank / count).clamp(edge.min(0.5), 1.0 - edge.min(0.5));
        first += run.len();
        let z = normal::quantile(share);
        // Ranks beyond the edge are equal; a small step keeps the inverse defined.
        let z = knots.last().map_or(z, |(_, before)| z.max(before + 1e-6));
        knots.push((run[0], z));
    }
    knots
}

/// Linear interpolation between the two knots around z, or extrapolation from the last two.
fn between(knots: &[(f64, f64)], z: f64, spread: f64) -> (f64, f64) {
    match knots {
        [] => (z, 1.0),
        [(y, at)] => (y + spread * (z - at), spread),
        _ => {
            let above = knots.iter().position(|(_, at)| *at >= z).unwrap_or(knots.len() - 1).max(1);
            let ((y0, z0), (y1, z1)) = (knots[above - 1], knots[above]);
            let is_outside = z < knots[0].1 || z > knots[knots.len() - 1].1;
            // Beyond the ends the last two knots are unreliable: use one deviation per unit.
            let slope = if is_outside { spread } else { (y1 - y0) / (z1 - z0) };
            let (y, at) = if z > z1 { (y1, z1) } else { (y0, z0) };
            (y + slope * (z - at), slope)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_back_undoes_the_way_there() {
        for lambda in [-1.5, 0.0, 0.5, 1.0, 2.0, 3.5] {
            for y in [-3.0, -0.4, 0.0, 0.1, 2.0] {
                let z = power(y, lambda);
                let (back, slope) = unpower(z, lambda);
                let is_beyond =
                    lambda < 0.0 && z > 0.99 / -lambda || lambda > 2.0 && z < -0.99 / (lambda - 2.0);
                assert!(is_beyond || (back - y).abs() < 1e-9, "{lambda} {y}: {back}");
                let difference = (unpower(z + 1e-6, lambda).0 - unpower(z - 1e-6, lambda).0) / 2e-6;
                assert!(
                    (slope - difference).abs() < 1e-4 * slope.max(1.0),
                    "{lambda} {y}: {slope} {difference}"
                );
            }
        }
        assert!((power(1.0, 2.0) - 1.5).abs() < 1e-15 && (power(-1.0, 2.0) + 2.0_f64.ln()).abs() < 1e-15);
    }

    #[test]
    fn a_heavy_upper_tail_gets_a_small_power() {
        let heavy: Vec<f64> = (0..200).map(|i| libm::exp(0.03 * f64::from(i))).collect();
        let Curve::Power { lambda, .. } = Curve::of(Output::YeoJohnson, &heavy) else { unreachable!() };
        assert!(lambda < 0.5, "{lambda}");
        let even: Vec<f64> = (0..200).map(|i| normal::quantile((f64::from(i) + 0.5) / 200.0)).collect();
        let Curve::Power { lambda, .. } = Curve::of(Output::YeoJohnson, &even) else { unreachable!() };
        assert!((lambda - 1.0).abs() < 0.01, "{lambda}");
    }

    #[test]
    fn ranks_come_back_as_losses() {
        let losses = [3.0, -1.0, 100.0, 3.0, 7.0];
        let curve = Curve::of(Output::Copula, &losses);
        for loss in losses {
            assert!((curve.inverse(curve.transform(loss)).0 - loss).abs() < 1e-9, "{loss}");
        }
        assert!(
            curve.transform(-1.0) < curve.transform(3.0) && curve.transform(7.0) < curve.transform(100.0)
        );
    }
}
