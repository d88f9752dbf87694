//! A distribution over categories: weighted counts, with the prior as pseudo-counts.
//!
//! p_i ∝ k·prior_i + Σ_{observations of i} w   [hyperopt]
use super::weights;
use arbora_space::Rng;

/// Probabilities of categories.
#[derive(Clone, Debug, PartialEq)]
pub struct CategoryDensity {
    masses: Vec<f64>,
}

impl CategoryDensity {
    /// From observed positions, oldest first, and prior probabilities.
    pub fn new(observed: &[usize], prior: &[f64]) -> Self {
        let k = prior.len() as f64;
        let mut masses: Vec<f64> = prior.iter().map(|p| k * p).collect();
        for (&i, weight) in observed.iter().zip(weights(observed.len())) {
            masses[i] += weight;
        }
        let total: f64 = masses.iter().sum();
        for mass in &mut masses {
            *mass /= total;
        }
        Self { masses }
    }

    /// ln p of a position; −∞ if its probability is zero.
    pub fn ln_mass(&self, position: usize) -> f64 {
        libm::log(self.masses[position])
    }

    /// Draws a position.
    pub fn draw(&self, rng: &mut Rng) -> usize {
        rng.weighted(&self.masses)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masses_sum_to_one_and_the_prior_is_all_there_is_at_first() {
        let prior = [0.5, 0.3, 0.2];
        let none = CategoryDensity::new(&[], &prior);
        for (i, p) in prior.iter().enumerate() {
            assert!((libm::exp(none.ln_mass(i)) - p).abs() < 1e-15);
        }
        let some = CategoryDensity::new(&[2, 2, 0, 2], &prior);
        assert!((some.masses.iter().sum::<f64>() - 1.0).abs() < 1e-15);
        // 3·0.2 + 3 of 3 + 4.
        assert!((some.masses[2] - 3.6 / 7.0).abs() < 1e-15);
    }
}
