//! Random numbers: a seeded, portable generator with one independent stream per trial.
//!
//! `ChaCha8` gives the same values on all platforms and in all versions. The distributions below
//! are our own functions of its 64-bit words, so a stored seed always gives the same numbers.
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng as _, SeedableRng};

/// The generator for all random choices.
#[derive(Clone, Debug)]
pub struct Rng(ChaCha8Rng);

impl Rng {
    /// Stream 0 of a seed.
    pub fn new(seed: u64) -> Self {
        Self::for_trial(seed, 0)
    }

    /// The stream of one trial; it does not depend on how many numbers other trials used.
    ///
    /// ```
    /// # use arbora_space::Rng;
    /// let a = Rng::for_trial(7, 3).unit();
    /// assert_eq!(a, Rng::for_trial(7, 3).unit());
    /// assert_ne!(a, Rng::for_trial(7, 4).unit());
    /// ```
    pub fn for_trial(seed: u64, trial: u64) -> Self {
        let mut inner = ChaCha8Rng::seed_from_u64(seed);
        inner.set_stream(trial);
        Self(inner)
    }

    /// A new generator for a sub-task, so that sub-tasks do not affect each other.
    #[must_use]
    pub fn fork(&mut self) -> Self {
        Self::new(self.word())
    }

    /// The next 64 random bits.
    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Uniform on [0, 1), in multiples of 2⁻⁵³.
    pub fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Uniform on the open interval (0, 1).
    pub fn open_unit(&mut self) -> f64 {
        ((self.word() >> 12) as f64 + 0.5) * (1.0 / (1u64 << 52) as f64)
    }

    /// Uniform on {0, …, n−1}, without modulo bias (Lemire's multiply-and-reject).
    ///
    /// # Panics
    /// If `n` is zero.
    pub fn below(&mut self, n: usize) -> usize {
        assert!(n > 0, "a draw from an empty range");
        let n = n as u64;
        let threshold = n.wrapping_neg() % n;
        loop {
            let wide = u128::from(self.word()) * u128::from(n);
            if (wide as u64) >= threshold {
                return (wide >> 64) as usize;
            }
        }
    }

    /// Standard normal, by inverting the distribution function.
    pub fn normal(&mut self) -> f64 {
        crate::normal::quantile(self.open_unit())
    }

    /// An index with probability proportional to its weight.
    ///
    /// # Panics
    /// If the weights do not sum to a positive number.
    pub fn weighted(&mut self, weights: &[f64]) -> usize {
        let total: f64 = weights.iter().sum();
        assert!(total > 0.0, "a draw from weights that sum to nothing");
        let mut left = self.unit() * total;
        let mut last = 0;
        for (i, &w) in weights.iter().enumerate() {
            if w > 0.0 {
                if left < w {
                    return i;
                }
                left -= w;
                last = i;
            }
        }
        last
    }

    /// Fisher–Yates shuffle.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_means_the_same_numbers_for_ever() {
        let mut rng = Rng::for_trial(42, 7);
        let drawn = [rng.word(), rng.word(), rng.word()];
        let mut again = Rng::for_trial(42, 7);
        assert_eq!(drawn, [again.word(), again.word(), again.word()]);
    }

    #[test]
    fn variates_have_their_moments() {
        let mut rng = Rng::new(1);
        let n = 100_000;
        let (mut mean, mut square) = (0.0, 0.0);
        let mut counts = [0usize; 3];
        for _ in 0..n {
            let z = rng.normal();
            mean += z / f64::from(n);
            square += z * z / f64::from(n);
            counts[rng.weighted(&[1.0, 0.0, 3.0])] += 1;
        }
        assert!(mean.abs() < 4.0 / f64::from(n).sqrt());
        assert!((square - 1.0).abs() < 4.0 * (2.0 / f64::from(n)).sqrt());
        assert_eq!(counts[1], 0);
        assert!((counts[0] as f64 / f64::from(n) - 0.25).abs() < 4.0 * (0.1875 / f64::from(n)).sqrt());
    }

    #[test]
    fn shuffling_keeps_everything() {
        let mut items: Vec<usize> = (0..50).collect();
        Rng::new(3).shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
    }
}
