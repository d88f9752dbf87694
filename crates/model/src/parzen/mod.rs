//! Parzen densities on the unit interval and over categories, as in TPE, the tree-structured Parzen
//! estimator [Bergstra et al. 2011; hyperopt].
//!
//! A density is a mixture of one component per observation and one for the prior. Weights depend on
//! age: the last [`RECENT`] observations have weight one, earlier ones ramp down linearly to 1/n.
//! Laws: densities integrate to one over the unit interval, probabilities of cells and of
//! categories sum to one; without observations they equal the prior.
mod categories;
mod numbers;

pub use categories::CategoryDensity;
pub use numbers::NumberDensity;

/// Number of observations with the same weight as the prior; older ones have less.
pub const RECENT: usize = 25;

/// Weights of n observations, oldest first.
pub fn weights(n: usize) -> Vec<f64> {
    let fading = n.saturating_sub(RECENT);
    let ramp = |i: usize| {
        let (from, step) = (1.0 / n as f64, (1.0 - 1.0 / n as f64) / (fading.max(2) - 1) as f64);
        from + step * i as f64
    };
    (0..n).map(|i| if i < fading { ramp(i) } else { 1.0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recent_weigh_one_and_the_old_fade_evenly() {
        assert_eq!(weights(25), [1.0; 25]);
        let many = weights(125);
        assert!((many[0] - 1.0 / 125.0).abs() < 1e-15 && (many[99] - 1.0).abs() < 1e-12);
        assert!(many[100..].iter().all(|w| *w == 1.0));
        let steps: Vec<f64> = many[..100].windows(2).map(|p| p[1] - p[0]).collect();
        assert!(steps.iter().all(|s| (s - steps[0]).abs() < 1e-12));
    }
}
