//! A confirmation round: evaluates tied leaders once more, all on the same new splits. The trial
//! with the best mean over all its evaluations wins.
//!
//! Losses on the same split are paired, so the difficulty of a split cancels: the mean difference
//! over k splits has standard error s/√k, with s the standard deviation of the differences.
use serde::{Deserialize, Serialize};

/// The losses of one trial on the new splits, in the order of the splits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Confirmation {
    /// The trial.
    pub trial: u64,
    /// One loss per new split.
    pub losses: Vec<f64>,
}

/// Comparison of two trials on the same splits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paired {
    /// Mean of the first minus mean of the second.
    pub difference: f64,
    /// Its standard error; infinite with fewer than two splits.
    pub error: f64,
}

impl Confirmation {
    /// Mean over the splits; infinite without splits.
    pub fn mean(&self) -> f64 {
        if self.losses.is_empty() {
            return f64::INFINITY;
        }
        self.losses.iter().sum::<f64>() / self.losses.len() as f64
    }

    /// Paired comparison with another trial, on the splits both have.
    pub fn against(&self, other: &Confirmation) -> Paired {
        let differences: Vec<f64> = self.losses.iter().zip(&other.losses).map(|(a, b)| a - b).collect();
        let n = differences.len() as f64;
        let difference = differences.iter().sum::<f64>() / n.max(1.0);
        let squares: f64 = differences.iter().map(|d| (d - difference).powi(2)).sum();
        let error = if n < 2.0 { f64::INFINITY } else { (squares / (n - 1.0) / n).sqrt() };
        Paired { difference, error }
    }

    /// The trial with the lowest mean; ties go to the earliest.
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
