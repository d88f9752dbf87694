//! A confirmation round: the leaders that could not be told apart are evaluated once more, on splits none of them has
//! seen, all on the same ones. Whoever is best on average over everything it was evaluated on wins.
//!
//! Losses on the same split are paired, so what a hard split does to all of them cancels: the mean difference over k
//! splits has standard error s/√k, s the standard deviation of the differences.
use serde::{Deserialize, Serialize};

/// The losses of one trial on fresh splits, in the order of the splits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Confirmation {
    /// The trial.
    pub trial: u64,
    /// One loss per fresh split.
    pub losses: Vec<f64>,
}

/// Two trials on the same splits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paired {
    /// Mean of first minus second.
    pub difference: f64,
    /// Its standard error; infinite with fewer than two splits.
    pub error: f64,
}

impl Confirmation {
    /// Mean over the splits; infinite if there is none.
    pub fn mean(&self) -> f64 {
        if self.losses.is_empty() {
            return f64::INFINITY;
        }
        self.losses.iter().sum::<f64>() / self.losses.len() as f64
    }

    /// Paired comparison with another trial on the splits both have.
    pub fn against(&self, other: &Confirmation) -> Paired {
        let differences: Vec<f64> = self.losses.iter().zip(&other.losses).map(|(a, b)| a - b).collect();
        let n = differences.len() as f64;
        let difference = differences.iter().sum::<f64>() / n.max(1.0);
        let squares: f64 = differences.iter().map(|d| (d - difference).powi(2)).sum();
        let error = if n < 2.0 { f64::INFINITY } else { (squares / (n - 1.0) / n).sqrt() };
        Paired { difference, error }
    }

    /// The best of several by their mean; the earliest where several tie.
    pub fn best(rounds: &[Confirmation]) -> Option<u64> {
        rounds.iter().min_by(|a, b| a.mean().total_cmp(&b.mean())).map(|c| c.trial)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hard_split_cancels() {
        let first = Confirmation { trial: 3, losses: vec![0.1, 0.9, 0.5] };
        let second = Confirmation { trial: 8, losses: vec![0.2, 1.0, 0.6] };
        let paired = first.against(&second);
        assert!((paired.difference + 0.1).abs() < 1e-15 && paired.error < 1e-15);
        assert_eq!(Confirmation::best(&[second, first.clone()]), Some(3));
        assert_eq!(first.against(&Confirmation { trial: 9, losses: vec![0.0] }).error, f64::INFINITY);
    }
}
