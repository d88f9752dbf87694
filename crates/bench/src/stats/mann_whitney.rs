//! The U test of Mann and Whitney, for runs that are not paired.
//!
//! U = R₁ − n₁(n₁+1)/2. Exact without ties for n₁, n₂ ≤ 20, by counting; otherwise normal with the variance corrected for
//! ties and a continuity correction of ½. With fewer than five runs on a side a p-value is reported but decides nothing.
use super::ranks::{mid_ranks, tie_sum};
use crate::error::BenchError;
use arbora_space::normal::cdf;

const EXACT: usize = 20;

/// The outcome of the test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MannWhitney {
    /// U of the first sample.
    pub statistic: f64,
    /// Two-sided.
    pub p: f64,
    /// Is p exact?
    pub is_exact: bool,
}

impl MannWhitney {
    /// Of two independent samples.
    pub fn of(first: &[f64], second: &[f64]) -> Result<Self, BenchError> {
        let (n, m) = (first.len(), second.len());
        if n.min(m) == 0 {
            return Err(BenchError::TooFew { what: "entries of each sample", least: 1, given: 0 });
        }
        for (sample, values) in [("first", first), ("second", second)] {
            if let Some(index) = values.iter().position(|v| v.is_nan()) {
                return Err(BenchError::BadEntry { sample, index, value: values[index] });
            }
        }
        let all: Vec<f64> = first.iter().chain(second).copied().collect();
        let sum: f64 = mid_ranks(&all)[..n].iter().sum();
        let statistic = sum - (n * (n + 1)) as f64 / 2.0;
        let ties = tie_sum(&all);
        if ties == 0.0 && n.max(m) <= EXACT {
            return Ok(Self { statistic, p: exact(n, m, statistic), is_exact: true });
        }
        Ok(Self { statistic, p: normal(n as f64, m as f64, statistic, ties), is_exact: false })
    }
}

/// Ways to reach U by choosing n of n + m places: the number of partitions of U into at most n parts of at most m.
fn exact(n: usize, m: usize, statistic: f64) -> f64 {
    let most = n * m;
    // ways[k][u]: k places chosen among those seen so far.
    let mut ways = vec![vec![0.0_f64; most + 1]; n + 1];
    ways[0][0] = 1.0;
    for place in 0..n + m {
        for k in (1..=n.min(place + 1)).rev() {
            let below = place + 1 - k;
            if below > m {
                continue;
            }
            for u in (below..=most).rev() {
                ways[k][u] += ways[k - 1][u - below];
            }
        }
    }
    let total: f64 = ways[n].iter().sum();
    let low = statistic.min(most as f64 - statistic) as usize;
    let tail: f64 = ways[n].iter().take(low + 1).sum();
    (2.0 * tail / total).min(1.0)
}

fn normal(n: f64, m: f64, statistic: f64, ties: f64) -> f64 {
    let all = n + m;
    let variance = n * m / 12.0 * ((all + 1.0) - ties / (all * (all - 1.0)));
    if variance <= 0.0 {
        return 1.0;
    }
    let off = ((statistic - n * m / 2.0).abs() - 0.5).max(0.0);
    (2.0 * cdf(-off / variance.sqrt())).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_golden_value() {
        let a = [0.8, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
        let b = [1.15, 0.88, 0.90, 0.74, 1.21];
        let test = MannWhitney::of(&a, &b).unwrap();
        assert_eq!((test.statistic, test.is_exact), (35.0, true));
        assert!((test.p - 0.254_412).abs() < 5e-7, "{}", test.p);
        let other = MannWhitney::of(&b, &a).unwrap();
        assert_eq!((other.statistic, other.p), (15.0, test.p), "two-sided");
    }

    #[test]
    fn what_cannot_be_compared_is_named() {
        assert!(matches!(MannWhitney::of(&[], &[1.0]), Err(BenchError::TooFew { .. })));
        let missing = MannWhitney::of(&[1.0], &[2.0, f64::NAN]);
        assert!(matches!(missing, Err(BenchError::BadEntry { sample: "second", index: 1, .. })));
    }

    #[test]
    fn counting_agrees_with_all_choices() {
        let (n, m) = (3_usize, 4_usize);
        let mut counts = vec![0_u32; n * m + 1];
        for chosen in (0_u32..1 << (n + m)).filter(|c| c.count_ones() as usize == n) {
            let places: Vec<usize> = (0..n + m).filter(|i| chosen >> i & 1 == 1).collect();
            counts[places.iter().enumerate().map(|(k, place)| place - k).sum::<usize>()] += 1;
        }
        let total: u32 = counts.iter().sum();
        for u in 0..=n * m / 2 {
            let tail: u32 = counts[..=u].iter().sum();
            let p = (2.0 * f64::from(tail) / f64::from(total)).min(1.0);
            assert!((exact(n, m, u as f64) - p).abs() < 1e-12, "U = {u}");
        }
    }
}
