//! Wilcoxon's signed-rank test of paired samples.
//!
//! dᵢ = aᵢ − bᵢ, mid-ranks of |d|, T = min(T⁺, T⁻). Exact for n ≤ 25 without ties or zeros: the number of sign patterns
//! with a sum of ranks ≤ T, by counting subsets. Otherwise normal with variance n(n+1)(2n+1)/24 − Σ(t³−t)/48, without
//! continuity correction. Where everything is equal p = 1.
use super::ranks::{mid_ranks, tie_sum};
use crate::error::BenchError;
use arbora_space::normal::cdf;

/// Largest sample with an exact p-value.
const EXACT: usize = 25;

/// What is done with pairs that do not differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Zeros {
    /// They are left out.
    #[default]
    Drop,
    /// They are ranked and then left out  [Pratt 1959].
    Pratt,
    /// Their ranks are divided between both sides  [Demšar 2006].
    Split,
}

impl Zeros {
    /// By name: `drop`, `pratt` or `split`.
    pub fn named(name: &str) -> Result<Self, BenchError> {
        match name {
            "drop" => Ok(Zeros::Drop),
            "pratt" => Ok(Zeros::Pratt),
            "split" => Ok(Zeros::Split),
            _ => Err(BenchError::UnknownZeros { name: name.to_owned() }),
        }
    }
}

/// The outcome of the test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wilcoxon {
    /// T, the smaller sum of ranks.
    pub statistic: f64,
    /// Two-sided.
    pub p: f64,
    /// Pairs that differ.
    pub pairs: usize,
    /// Is p exact?
    pub is_exact: bool,
}

impl Wilcoxon {
    /// Of two paired samples.
    pub fn of(first: &[f64], second: &[f64], zeros: Zeros) -> Result<Self, BenchError> {
        if first.len() != second.len() {
            return Err(BenchError::Unpaired { first: first.len(), second: second.len() });
        }
        let differences: Vec<f64> = first.iter().zip(second).map(|(a, b)| a - b).collect();
        if let Some(index) = differences.iter().position(|d| d.is_nan()) {
            // Infinite losses of the same sign have no difference either.
            let (sample, value) =
                if first[index].is_finite() { ("second", second[index]) } else { ("first", first[index]) };
            return Err(BenchError::BadEntry { sample, index, value });
        }
        Ok(Self::of_differences(&differences, zeros))
    }

    /// Of differences.
    pub fn of_differences(differences: &[f64], zeros: Zeros) -> Self {
        let pairs = differences.iter().filter(|d| **d != 0.0).count();
        if pairs == 0 {
            return Self { statistic: 0.0, p: 1.0, pairs, is_exact: true };
        }
        let kept: Vec<f64> = match zeros {
            Zeros::Drop => differences.iter().copied().filter(|d| *d != 0.0).collect(),
            Zeros::Pratt | Zeros::Split => differences.to_vec(),
        };
        let sizes: Vec<f64> = kept.iter().map(|d| d.abs()).collect();
        let ranks = mid_ranks(&sizes);
        let side = |sign: f64| -> f64 {
            kept.iter().zip(&ranks).filter(|(d, _)| **d * sign > 0.0).map(|(_, r)| r).sum()
        };
        let of_zeros: f64 = kept.iter().zip(&ranks).filter(|(d, _)| **d == 0.0).map(|(_, r)| r).sum();
        let shared = if zeros == Zeros::Split { of_zeros / 2.0 } else { 0.0 };
        let statistic = side(1.0).min(side(-1.0)) + shared;
        let ties = tie_sum(&sizes);
        if pairs <= EXACT && ties == 0.0 && pairs == kept.len() {
            return Self { statistic, p: exact(pairs, statistic), pairs, is_exact: true };
        }
        let p = normal(&kept, statistic, ties, zeros);
        Self { statistic, p, pairs, is_exact: false }
    }
}

/// 2·P(T ≤ t) under equal chances of both signs.
fn exact(n: usize, t: f64) -> f64 {
    let most = n * (n + 1) / 2;
    let mut ways = vec![0.0_f64; most + 1];
    ways[0] = 1.0;
    for rank in 1..=n {
        for sum in (rank..=most).rev() {
            ways[sum] += ways[sum - rank];
        }
    }
    let below: f64 = ways.iter().take(t as usize + 1).sum();
    (2.0 * below / 2.0_f64.powi(n as i32)).min(1.0)
}

fn normal(kept: &[f64], statistic: f64, ties: f64, zeros: Zeros) -> f64 {
    let n = kept.len() as f64;
    let absent = kept.iter().filter(|d| **d == 0.0).count() as f64;
    let mut mean = n * (n + 1.0) / 4.0;
    let mut variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0;
    let mut ties = ties;
    if zeros == Zeros::Pratt {
        mean -= absent * (absent + 1.0) / 4.0;
        variance -= absent * (absent + 1.0) * (2.0 * absent + 1.0) / 24.0;
        ties -= absent.powi(3) - absent;
    }
    variance -= ties / 48.0;
    if variance <= 0.0 {
        return 1.0;
    }
    (2.0 * cdf((statistic - mean) / variance.sqrt())).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::approx_constant, reason = "a measurement, not a circle")]
    fn the_golden_values() {
        let a = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30];
        let b = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29];
        let test = Wilcoxon::of(&a, &b, Zeros::Drop).unwrap();
        assert_eq!((test.statistic, test.is_exact, test.pairs), (5.0, true, 9));
        assert!((test.p - 0.039_062_5).abs() < 1e-12);
        let differences: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a - b).collect();
        assert!((normal(&differences, 5.0, 0.0, Zeros::Drop) - 0.038_151_7).abs() < 5e-8);
        let with_zero = [1.5, -0.5, 2.0, 0.0, 3.0, -1.0, 0.5];
        for (zeros, statistic, p) in
            [(Zeros::Drop, 4.5, 0.20716), (Zeros::Pratt, 6.5, 0.23420), (Zeros::Split, 7.0, 0.23589)]
        {
            let test = Wilcoxon::of_differences(&with_zero, zeros);
            assert_eq!(test.statistic, statistic, "{zeros:?}");
            assert!((test.p - p).abs() < 5e-6, "{zeros:?}: {}", test.p);
        }
    }

    #[test]
    fn the_exact_distribution_is_that_of_all_sign_patterns() {
        let n = 7;
        for t in 0..=14 {
            let rank_sum = |signs: u32| (0..n).filter(|i| signs >> i & 1 == 1).map(|i| i + 1).sum::<u32>();
            let brute = (0..1_u32 << n).filter(|&signs| rank_sum(signs) <= t).count() as f64;
            let p = (2.0 * brute / f64::from(1_u32 << n)).min(1.0);
            assert_eq!(exact(n as usize, f64::from(t)), p, "T = {t}");
        }
    }

    #[test]
    fn nothing_to_compare_and_nothing_paired() {
        assert_eq!(Wilcoxon::of(&[1.0, 2.0], &[1.0, 2.0], Zeros::Drop).unwrap().p, 1.0);
        assert!(matches!(Wilcoxon::of(&[1.0], &[], Zeros::Drop), Err(BenchError::Unpaired { .. })));
        let missing = Wilcoxon::of(&[1.0, 2.0], &[1.0, f64::NAN], Zeros::Drop);
        assert!(matches!(missing, Err(BenchError::BadEntry { sample: "second", index: 1, .. })));
        let infinite = Wilcoxon::of(&[f64::INFINITY], &[f64::INFINITY], Zeros::Drop);
        assert!(matches!(infinite, Err(BenchError::BadEntry { sample: "first", index: 0, .. })));
    }

    #[test]
    fn the_printed_example() {
        // Demšar 2006, Table 2: areas under curve of C4.5 with and without `m`, times 1000; R⁺ = 93, R⁻ = 12, z = −2.54.
        let plain = [763, 599, 954, 628, 882, 936, 661, 583, 775, 1000, 940, 619, 972, 957].map(f64::from);
        let with_m = [768, 591, 971, 661, 888, 931, 668, 583, 838, 1000, 962, 666, 981, 978].map(f64::from);
        let test = Wilcoxon::of(&plain, &with_m, Zeros::Split).unwrap();
        assert_eq!((test.statistic, test.pairs), (12.0, 12));
        assert!((test.p - 2.0 * cdf(-2.54)).abs() < 2e-4, "{}", test.p);
    }
}
