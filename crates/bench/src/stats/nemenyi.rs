//! Nemenyi's critical difference: how far apart must average ranks be?
//!
//! CD = q √(k(k+1)/6N), q the studentised range with infinite degrees of freedom over √2  [Demšar 2006].
use super::ranks::RankTable;
use crate::error::BenchError;

/// q for k = 2 … 20 methods.
const Q: [(f64, [f64; 19]); 3] = [
    (
        0.01,
        [
            2.576, 2.913, 3.113, 3.255, 3.364, 3.452, 3.526, 3.590, 3.646, 3.696, 3.741, 3.781, 3.818, 3.853,
            3.884, 3.914, 3.941, 3.967, 3.992,
        ],
    ),
    (
        0.05,
        [
            1.960, 2.344, 2.569, 2.728, 2.850, 2.948, 3.031, 3.102, 3.164, 3.219, 3.268, 3.313, 3.354, 3.391,
            3.426, 3.458, 3.489, 3.517, 3.544,
        ],
    ),
    (
        0.10,
        [
            1.645, 2.052, 2.291, 2.460, 2.589, 2.693, 2.780, 2.855, 2.920, 2.978, 3.030, 3.077, 3.120, 3.159,
            3.196, 3.230, 3.261, 3.291, 3.319,
        ],
    ),
];

/// How far a printed average rank may be from the true one: half a unit of one digit after the point, and a bit.
const ROUNDING: f64 = 0.06;

/// Contenders that cannot be told apart, as positions in the order of average rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clique {
    /// The best of them.
    pub first: usize,
    /// The worst of them.
    pub last: usize,
}

/// Average ranks and the difference that matters.
#[derive(Clone, Debug, PartialEq)]
pub struct Nemenyi {
    /// Contenders, best first.
    pub order: Vec<usize>,
    /// Their average ranks, in that order.
    pub ranks: Vec<f64>,
    /// The critical difference.
    pub difference: f64,
}

impl Nemenyi {
    /// Of a table of ranks, at a level of 0.01, 0.05 or 0.1.
    pub fn of(table: &RankTable, level: f64) -> Result<Self, BenchError> {
        Self::of_sound(&table.average(), table.problems(), level)
    }

    /// Of average ranks over N problems, as papers print them: rounded ones need not add up exactly.
    pub fn of_average(average: &[f64], problems: usize, level: f64) -> Result<Self, BenchError> {
        let methods = average.len();
        let k = methods as f64;
        let bad = |problem| BenchError::BadRanks { methods, problem };
        if let Some(rank) = average.iter().find(|rank| !(1.0..=k).contains(*rank)) {
            return Err(bad(format!("they lie between 1 and {methods}, not at {rank}")));
        }
        let (sum, expected) = (average.iter().sum::<f64>(), k * (k + 1.0) / 2.0);
        if (sum - expected).abs() > ROUNDING * k {
            return Err(bad(format!("they add up to {expected}, these to {sum:.4}")));
        }
        if problems == 0 {
            return Err(BenchError::TooFew { what: "problems", least: 1, given: 0 });
        }
        Self::of_sound(average, problems, level)
    }

    fn of_sound(average: &[f64], problems: usize, level: f64) -> Result<Self, BenchError> {
        let difference = Self::critical_difference(average.len(), problems, level)?;
        let mut order: Vec<usize> = (0..average.len()).collect();
        order.sort_by(|&a, &b| average[a].total_cmp(&average[b]));
        let ranks = order.iter().map(|&j| average[j]).collect();
        Ok(Self { order, ranks, difference })
    }

    /// CD for k methods on N problems.
    pub fn critical_difference(methods: usize, problems: usize, level: f64) -> Result<f64, BenchError> {
        let unknown = BenchError::NoCriticalValue { contenders: methods, level };
        let (_, row) = Q.iter().find(|(tabled, _)| (tabled - level).abs() < 1e-12).ok_or(unknown.clone())?;
        let q = methods.checked_sub(2).and_then(|i| row.get(i)).ok_or(unknown)?;
        let (k, n) = (methods as f64, problems as f64);
        Ok(q * (k * (k + 1.0) / (6.0 * n)).sqrt())
    }

    /// Maximal runs of methods whose ranks differ by less than the critical difference: the bars of the diagram.
    pub fn cliques(&self) -> Vec<Clique> {
        let mut found: Vec<Clique> = Vec::new();
        for first in 0..self.ranks.len() {
            let reach = self.ranks.iter().rposition(|r| r - self.ranks[first] < self.difference);
            let last = reach.unwrap_or(first);
            if last > first && found.last().is_none_or(|clique| clique.last < last) {
                found.push(Clique { first, last });
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_differences() {
        let cd = |k, n| Nemenyi::critical_difference(k, n, 0.05).unwrap();
        for (k, n, printed, digits) in [
            (11, 24, 3.08, 5e-3),
            (4, 18, 1.106, 5e-4),
            (8, 18, 2.475, 5e-4),
            (6, 4000, 0.119, 5e-4),
            (6, 300, 0.435, 5e-4),
        ] {
            assert!((cd(k, n) - printed).abs() < digits, "k = {k}, N = {n}: {}", cd(k, n));
        }
        assert!(Nemenyi::critical_difference(21, 10, 0.05).is_err());
        assert!(Nemenyi::critical_difference(5, 10, 0.2).is_err());
    }

    #[test]
    fn printed_ranks_make_the_printed_diagram() {
        // Demšar 2006, Table 6 and § 3.2.2: average ranks over 14 data sets, CD = 1.25 at 0.05 and 1.12 at 0.10; at 0.10 C4.5
        // is worse than both variants with `m`, and C4.5+cf cannot be told apart from anything.
        let ranks = [3.143, 2.000, 2.893, 1.964];
        let strict = Nemenyi::of_average(&ranks, 14, 0.05).unwrap();
        assert!((strict.difference - 1.25).abs() < 5e-3, "{}", strict.difference);
        assert_eq!(strict.order, [3, 1, 2, 0]);
        assert_eq!(strict.cliques(), [Clique { first: 0, last: 3 }]);
        let loose = Nemenyi::of_average(&ranks, 14, 0.10).unwrap();
        assert!((loose.difference - 1.12).abs() < 5e-3, "{}", loose.difference);
        assert_eq!(loose.cliques(), [Clique { first: 0, last: 2 }, Clique { first: 2, last: 3 }]);
    }

    #[test]
    fn what_no_table_ranks_like_is_refused() {
        for (ranks, complaint) in [
            (vec![0.5, 2.5], "between 1 and 2, not at 0.5"),
            (vec![1.0, 1.2], "add up to 3, these to 2.2"),
            (vec![f64::NAN, 1.0], "not at NaN"),
        ] {
            let refused = Nemenyi::of_average(&ranks, 10, 0.05).unwrap_err().to_string();
            assert!(refused.contains(complaint), "{refused}");
        }
        assert!(Nemenyi::of_average(&[1.2, 1.8], 0, 0.05).is_err());
        assert!(Nemenyi::of_average(&[1.0], 10, 0.05).is_err(), "no critical value for one");
    }

    #[test]
    fn bars_are_maximal_and_none_lies_inside_another() {
        let diagram =
            Nemenyi { order: vec![0, 1, 2, 3, 4], ranks: vec![1.0, 1.5, 2.4, 2.6, 4.9], difference: 1.5 };
        assert_eq!(diagram.cliques(), [Clique { first: 0, last: 2 }, Clique { first: 1, last: 3 }]);
    }
}
