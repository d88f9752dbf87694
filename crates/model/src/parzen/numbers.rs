//! A density on the unit interval: normals around the observations and one for the prior, truncated
//! to [0, 1].
//!
//! p(u) = Σᵢ wᵢ·N(u; μᵢ, σᵢ) / Σᵢ wᵢ·(Φ((1−μᵢ)/σᵢ) − Φ(−μᵢ/σᵢ))  [Bergstra et al. 2011; hyperopt]
//!
//! σᵢ is the larger distance to a neighbour among the sorted means, clipped to [σ₀/min(100, 1+n),
//! σ₀]; the prior keeps its own σ₀.
use super::weights;
use arbora_space::{Rng, normal};

/// No component is narrower than the prior divided by this.
const NARROWEST: f64 = 100.0;

/// A mixture of truncated normals.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberDensity {
    /// Weight, mean, standard deviation; means are ascending.
    components: Vec<(f64, f64, f64)>,
    /// Mass inside the unit interval before truncation.
    inside: f64,
}

impl NumberDensity {
    /// From observed positions, oldest first, and the mean and standard deviation of the prior on
    /// the unit interval. A uniform prior is N(½, 1).
    pub fn new(observed: &[f64], (mean, sd): (f64, f64)) -> Self {
        let mut components: Vec<(f64, f64, f64)> =
            observed.iter().zip(weights(observed.len())).map(|(&u, w)| (w, u, f64::NAN)).collect();
        components.push((1.0, mean, sd));
        components.sort_by(|a, b| a.1.total_cmp(&b.1));
        let narrowest = sd / NARROWEST.min(1.0 + components.len() as f64);
        let means: Vec<f64> = components.iter().map(|c| c.1).collect();
        for (i, component) in components.iter_mut().enumerate().filter(|(_, c)| c.2.is_nan()) {
            let left = if i > 0 { means[i] - means[i - 1] } else { 0.0 };
            let right = means.get(i + 1).map_or(0.0, |next| next - means[i]);
            component.2 = left.max(right).clamp(narrowest, sd);
        }
        let inside = components.iter().map(|&(w, m, s)| w * span(m, s, (0.0, 1.0))).sum();
        Self { components, inside }
    }

    /// ln p(u).
    pub fn ln_density(&self, u: f64) -> f64 {
        let part = |&(w, m, s): &(f64, f64, f64)| w * normal::density((u - m) / s) / s;
        libm::log(self.components.iter().map(part).sum::<f64>() / self.inside)
    }

    /// ln of the probability of a cell, for quantised numbers.
    pub fn ln_mass(&self, cell: (f64, f64)) -> f64 {
        libm::log(self.components.iter().map(|&(w, m, s)| w * span(m, s, cell)).sum::<f64>() / self.inside)
    }

    /// Draws a position in [0, 1].
    pub fn draw(&self, rng: &mut Rng) -> f64 {
        let shares: Vec<f64> = self.components.iter().map(|&(w, m, s)| w * span(m, s, (0.0, 1.0))).collect();
        let (_, m, s) = self.components[rng.weighted(&shares)];
        // By inversion, in the tail where Φ keeps its digits.
        let (low, high) = ((0.0 - m) / s, (1.0 - m) / s);
        let is_mirrored = low > 0.0;
        let (a, b) = if is_mirrored { (-high, -low) } else { (low, high) };
        let z = normal::quantile(normal::cdf(a) + rng.unit() * (normal::cdf(b) - normal::cdf(a)));
        (m + s * if is_mirrored { -z } else { z }).clamp(0.0, 1.0)
    }
}

/// Probability of an interval under N(m, s), without cancellation in the upper tail.
fn span(m: f64, s: f64, (low, high): (f64, f64)) -> f64 {
    let (a, b) = ((low - m) / s, (high - m) / s);
    if a > 0.0 { normal::cdf(-a) - normal::cdf(-b) } else { normal::cdf(b) - normal::cdf(a) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mixtures() -> Vec<NumberDensity> {
        let mut rng = Rng::new(1);
        let spread: Vec<f64> = (0..40).map(|_| rng.unit()).collect();
        vec![
            NumberDensity::new(&[], (0.5, 1.0)),
            NumberDensity::new(&[0.3], (0.5, 1.0)),
            NumberDensity::new(&[0.0, 1.0, 1.0, 0.5, 0.5], (0.5, 1.0)),
            NumberDensity::new(&spread, (0.2, 0.1)),
            NumberDensity::new(&spread, (1.7, 0.4)),
        ]
    }

    #[test]
    fn densities_integrate_to_one() {
        for mixture in mixtures() {
            // Simpson over 4000 panels: components are no narrower than a hundredth of the prior.
            let n = 4000;
            let weight = |i: usize| {
                if i == 0 || i == n {
                    1.0
                } else if i % 2 == 1 {
                    4.0
                } else {
                    2.0
                }
            };
            let sum: f64 =
                (0..=n).map(|i| weight(i) * libm::exp(mixture.ln_density(i as f64 / n as f64))).sum();
            assert!((sum / (3.0 * n as f64) - 1.0).abs() < 1e-9, "{sum}");
        }
    }

    #[test]
    fn masses_of_cells_sum_to_one_and_agree_with_the_density() {
        for mixture in mixtures() {
            let mass = |i: i32, n: i32| {
                libm::exp(mixture.ln_mass((f64::from(i) / f64::from(n), f64::from(i + 1) / f64::from(n))))
            };
            let total: f64 = (0..7).map(|i| mass(i, 7)).sum();
            assert!((total - 1.0).abs() < 1e-12, "{total}");
            let fine = mass(50_000, 100_000) * 1e5;
            assert!((fine / libm::exp(mixture.ln_density(0.500_005)) - 1.0).abs() < 1e-6);
        }
    }

    #[test]
    fn draws_follow_the_masses() {
        let mut rng = Rng::new(2);
        for mixture in mixtures() {
            let n = 20_000;
            let mut counts = [0.0; 5];
            for _ in 0..n {
                let u = mixture.draw(&mut rng);
                assert!((0.0..=1.0).contains(&u));
                counts[((u * 5.0) as usize).min(4)] += 1.0 / f64::from(n);
            }
            for (i, count) in counts.iter().enumerate() {
                let p = libm::exp(mixture.ln_mass((i as f64 / 5.0, (i + 1) as f64 / 5.0)));
                assert!(
                    (count - p).abs() < 4.0 * (p * (1.0 - p) / f64::from(n)).sqrt() + 1e-12,
                    "{count} {p}"
                );
            }
        }
    }

    #[test]
    fn widths_are_the_larger_gap_within_their_limits() {
        let mixture = NumberDensity::new(&[0.1, 0.2, 0.21], (0.5, 1.0));
        let widths: Vec<f64> = mixture.components.iter().map(|c| c.2).collect();
        // Four components: none is narrower than 1/5.
        for (width, expected) in widths.iter().zip([0.2, 0.2, 0.29, 1.0]) {
            assert!((width - expected).abs() < 1e-12, "{widths:?}");
        }
    }
}
