//! Wilcoxon's signed-rank test: are differences greater than zero more than by chance?  [Wilcoxon 1945]
//!
//! W = Σ ranks of |dᵢ| with dᵢ > 0, ties sharing their mean rank, zeros counting half (`zsplit`). p is the chance of W
//! or more if every sign is a coin's: counted out for up to 50 differences without ties and zeros and for up to 13 with
//! them, by the normal approximation with correction for ties otherwise. As `scipy.stats.wilcoxon(d,
//! alternative="greater", zero_method="zsplit")`. O(n³) counted out, n ≤ 50.
use arbora_space::normal;

/// Counted out up to here, without ties and zeros.
const COUNTED: usize = 50;
/// And up to here with them.
const COUNTED_TIES: usize = 13;

/// The one-sided p-value of differences; `None` if there are none.
pub(super) fn p_greater(differences: &[f64]) -> Option<f64> {
    let n = differences.len();
    if n == 0 {
        return None;
    }
    let (ranks, ties) = doubled_ranks(differences);
    let signed = |sign: fn(f64) -> bool| -> Vec<u64> {
        differences.iter().zip(&ranks).filter(|(d, _)| sign(**d)).map(|(_, rank)| *rank).collect()
    };
    let (positive, zero) = (signed(|d| d > 0.0), signed(|d| d == 0.0));
    let is_plain = ties.is_empty() && zero.is_empty();
    if (is_plain && n <= COUNTED) || n <= COUNTED_TIES {
        // Zeros count half whatever the signs, so they do not matter.
        let moving = signed(|d| d != 0.0);
        return Some(tail(&moving, positive.iter().sum()));
    }
    let count = n as f64;
    let [positive, zero] = [positive, zero].map(|ranks| ranks.iter().sum::<u64>() as f64);
    let w = 0.5 * positive + 0.25 * zero;
    let mean = count * (count + 1.0) / 4.0;
    let tied: f64 = ties.iter().map(|&t| (t * t * t - t) as f64).sum();
    let variance = (count * (count + 1.0) * (2.0 * count + 1.0) - tied / 2.0) / 24.0;
    if variance <= 0.0 {
        return Some(0.5);
    }
    Some(normal::cdf((mean - w) / variance.sqrt()))
}

/// Twice the rank of each absolute difference, and how large the groups of ties are.
fn doubled_ranks(differences: &[f64]) -> (Vec<u64>, Vec<usize>) {
    let mut order: Vec<usize> = (0..differences.len()).collect();
    order.sort_by(|&a, &b| differences[a].abs().total_cmp(&differences[b].abs()));
    let (mut ranks, mut ties) = (vec![0; differences.len()], Vec::new());
    let mut begin = 0;
    while begin < order.len() {
        let first = differences[order[begin]].abs();
        let size = order[begin..].iter().take_while(|&&i| differences[i].abs() == first).count();
        // Ranks begin+1 … begin+size; twice their mean is their sum's ends added.
        for &i in &order[begin..begin + size] {
            ranks[i] = (2 * begin + size + 1) as u64;
        }
        if size > 1 {
            ties.push(size);
        }
        begin += size;
    }
    (ranks, ties)
}

/// P(Σ of a random subset ≥ at least), all 2ⁿ subsets alike.
fn tail(ranks: &[u64], at_least: u64) -> f64 {
    let most: u64 = ranks.iter().sum();
    let mut chances = vec![0.0; most as usize + 1];
    chances[0] = 1.0;
    let mut reached = 0;
    for &rank in ranks {
        reached += rank;
        for sum in (0..=reached).rev() {
            let with = sum.checked_sub(rank).map_or(0.0, |rest| chances[rest as usize]);
            chances[sum as usize] = 0.5 * (chances[sum as usize] + with);
        }
    }
    chances[at_least as usize..].iter().sum::<f64>().min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(differences: &[f64], p: f64) {
        let found = p_greater(differences).unwrap();
        assert!((found - p).abs() < 1e-12, "{differences:?}: {found} instead of {p}");
    }

    /// Each from `scipy.stats.wilcoxon(d, alternative="greater", zero_method="zsplit").pvalue`, SciPy 1.17.1.
    #[test]
    fn p_values_are_those_of_scipy() {
        check(&[0.1, 0.4, 0.3, 0.2], 0.0625);
        check(&[1.0, 2.0, -3.0, 4.0, 5.0], 0.15625);
        check(&[1.0, 1.0, -1.0, 2.0, 3.0, -2.0], 0.265_625);
        check(&[0.0, 1.0, 2.0, -0.5, 0.0], 0.25);
        check(&[0.0, 0.0], 1.0);
        check(
            &[
                0.646, 1.122, 0.63, -1.003, 1.205, 0.746, -0.237, 0.881, 0.665, 0.594, 0.328, 0.847, -0.436,
                0.137, -0.182, 0.899, 0.34, 0.008, -0.482, 0.043,
            ],
            0.010_742_187_5,
        );
        check(
            &[
                0.3, 0.0, 1.6, 1.3, -2.4, -1.6, 0.1, -0.1, 0.5, 0.5, 2.4, -0.8, -0.1, 2.3, 0.9, 1.0, -0.2,
                -1.3,
            ],
            0.185_759_908_109_039_3,
        );
        check(
            &[
                0.27, 0.21, -1.13, -0.58, 0.03, -0.84, 0.0, 0.2, 0.14, -0.41, 0.69, 0.99, 0.42, -0.72, 0.83,
                -0.4, 0.98, -0.97, 1.01, 0.08, -1.15, -0.21, 0.15, 0.37, -0.88, -1.01, 0.3, -0.37, 0.34,
                0.86, -1.55, 0.35, 1.32, -0.2, -0.71, 0.85, 0.35, 1.0, -0.25, -1.38, -0.01, -0.35, 0.88,
                0.29, -1.53, -1.1, 0.98, 0.78, -0.54, 0.1, 0.55, 0.57, 0.98, 0.36, 0.01, -0.16, 1.16, -2.15,
                -0.04, 0.13,
            ],
            0.363_284_656_975_442_2,
        );
    }

    #[test]
    fn nothing_says_nothing_and_one_says_little() {
        assert_eq!(p_greater(&[]), None);
        check(&[1.0], 0.5);
        check(&[-1.0], 1.0);
    }
}
