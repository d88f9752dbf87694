//! Mid-ranks: 1 for the least, the mean of the places they share for those that tie  [Lévesque 2018, eq. 3.9–3.11].
use crate::error::BenchError;

/// The rank of every entry.
pub fn mid_ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    for tied in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let below = values.iter().filter(|&&v| v < values[tied[0]]).count();
        let rank = below as f64 + f64::midpoint(tied.len() as f64, 1.0);
        for &i in tied {
            ranks[i] = rank;
        }
    }
    ranks
}

/// Σ(t³ − t) over groups of t tied entries.
pub(super) fn tie_sum(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let cubes = |tied: &[f64]| (tied.len() as f64).powi(3) - tied.len() as f64;
    sorted.chunk_by(|a, b| a == b).map(cubes).sum()
}

/// Ranks of k methods on N problems.
#[derive(Clone, Debug, PartialEq)]
pub struct RankTable {
    ranks: Vec<Vec<f64>>,
    ties: f64,
}

impl RankTable {
    /// From losses: one row per problem, one column per method.
    pub fn of(losses: &[Vec<f64>]) -> Result<Self, BenchError> {
        let expected = losses.first().map_or(0, Vec::len);
        for (what, least, given) in [
            ("problems (rows of the table)", 1, losses.len()),
            ("methods (columns of the table)", 2, expected),
        ] {
            if given < least {
                return Err(BenchError::TooFew { what, least, given });
            }
        }
        for (row, line) in losses.iter().enumerate() {
            if line.len() != expected {
                return Err(BenchError::Ragged { row, given: line.len(), expected });
            }
            if let Some(column) = line.iter().position(|v| v.is_nan()) {
                return Err(BenchError::NotANumber { row, column, value: line[column] });
            }
        }
        let ranks = losses.iter().map(|line| mid_ranks(line)).collect();
        Ok(Self { ranks, ties: losses.iter().map(|line| tie_sum(line)).sum() })
    }

    /// As [`RankTable::of`], of two problems at least: one says nothing about chance.
    pub fn of_several(losses: &[Vec<f64>]) -> Result<Self, BenchError> {
        let table = Self::of(losses)?;
        match table.problems() {
            1 => Err(BenchError::TooFew { what: "problems (rows of the table)", least: 2, given: 1 }),
            _ => Ok(table),
        }
    }

    /// k.
    pub fn methods(&self) -> usize {
        self.ranks[0].len()
    }

    /// N.
    pub fn problems(&self) -> usize {
        self.ranks.len()
    }

    /// Ranks on each problem.
    pub fn rows(&self) -> &[Vec<f64>] {
        &self.ranks
    }

    /// Mean rank of each method.
    pub fn average(&self) -> Vec<f64> {
        let n = self.problems() as f64;
        (0..self.methods()).map(|j| self.ranks.iter().map(|row| row[j]).sum::<f64>() / n).collect()
    }

    /// Share of pairwise comparisons each method wins, ties counting half: 1 − (rank − ½)/k.
    pub fn win_rates(&self) -> Vec<f64> {
        let k = self.methods() as f64;
        self.average().into_iter().map(|rank| 1.0 - (rank - 0.5) / k).collect()
    }

    /// Problems won minus problems lost by the first against the second.
    pub fn net_wins(&self, first: usize, second: usize) -> i64 {
        let sign = |row: &Vec<f64>| match row[first].total_cmp(&row[second]) {
            std::cmp::Ordering::Less => 1,
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Greater => -1,
        };
        self.ranks.iter().map(sign).sum()
    }

    pub(super) fn ties(&self) -> f64 {
        self.ties
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_their_places() {
        assert_eq!(mid_ranks(&[3.0, 1.0, 3.0, 2.0]), [3.5, 1.0, 3.5, 2.0]);
        assert_eq!(mid_ranks(&[5.0, 5.0, 5.0]), [2.0; 3]);
        assert_eq!(tie_sum(&[1.0, 2.0, 2.0, 3.0, 3.0, 3.0]), 6.0 + 24.0);
    }

    #[test]
    fn rows_sum_to_what_they_must_and_ignore_monotone_changes() {
        let losses: Vec<Vec<f64>> =
            (0..20).map(|i| (0..5).map(|j| f64::from((i * 7 + j * 3) % 6)).collect()).collect();
        let table = RankTable::of(&losses).unwrap();
        assert!(table.rows().iter().all(|row| row.iter().sum::<f64>() == 15.0));
        let bent = losses.iter().map(|row| row.iter().map(|x| x.exp()).collect()).collect::<Vec<_>>();
        assert_eq!(RankTable::of(&bent).unwrap(), table);
        let wins: f64 = table.win_rates().iter().sum();
        assert!((wins - 2.5).abs() < 1e-12, "win rates average one half");
    }

    #[test]
    fn the_printed_win_rates_of_the_thesis() {
        // Lévesque 2018, Table 3.1: rank 5.58 among 14 is a win rate of 63.71 %; 2.64 among 6, 64.3 %.
        let rate = |rank: f64, k: f64| 1.0 - (rank - 0.5) / k;
        assert!((rate(5.58, 14.0) - 0.6371).abs() < 5e-4);
        assert!((rate(2.64, 6.0) - 0.643).abs() < 5e-4);
    }

    #[test]
    fn what_cannot_be_ranked_is_named() {
        assert!(matches!(RankTable::of(&[]), Err(BenchError::TooFew { .. })));
        let ragged = RankTable::of(&[vec![1.0, 2.0], vec![1.0]]);
        assert_eq!(ragged, Err(BenchError::Ragged { row: 1, given: 1, expected: 2 }));
        let missing = RankTable::of(&[vec![1.0, f64::NAN]]);
        assert!(matches!(missing, Err(BenchError::NotANumber { row: 0, column: 1, .. })));
        let alone = vec![vec![1.0, 2.0]];
        assert!(RankTable::of(&alone).is_ok());
        assert!(matches!(RankTable::of_several(&alone), Err(BenchError::TooFew { least: 2, .. })));
    }
}
