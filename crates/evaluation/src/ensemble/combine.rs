//! Combines the predictions of members: votes, weighted votes, averaged probabilities.
use super::votes::ABSENT;
use crate::error::EvaluationError;
use serde::{Deserialize, Serialize};

/// How to combine predictions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Combiner {
    /// Each member has one vote; the smallest label wins a tie.
    #[default]
    Majority,
    /// Probabilities are averaged, with equal weights.
    Average,
}

impl Combiner {
    /// The class of each row, from class probabilities `members[k][row·classes + class]` weighted
    /// by `weights`. For a majority vote, each member votes for its most probable class.
    pub fn classes(
        self,
        members: &[&[f64]],
        weights: &[f64],
        classes: usize,
    ) -> Result<Vec<u32>, EvaluationError> {
        let mixed = self.probabilities(members, weights, classes)?;
        Ok(mixed.chunks(classes).map(most_probable).collect())
    }

    /// Class probabilities of each row: shares of (weighted) votes, or averages.
    pub fn probabilities(
        self,
        members: &[&[f64]],
        weights: &[f64],
        classes: usize,
    ) -> Result<Vec<f64>, EvaluationError> {
        let size = check_probabilities(members, weights, classes)?;
        let total: f64 = weights.iter().sum();
        let mut mixed = vec![0.0; size];
        for (member, weight) in members.iter().zip(weights) {
            let share = weight / total;
            for (row, row_mixed) in member.chunks(classes).zip(mixed.chunks_mut(classes)) {
                match self {
                    Combiner::Majority => row_mixed[most_probable(row) as usize] += share,
                    Combiner::Average => row_mixed.iter_mut().zip(row).for_each(|(m, p)| *m += share * p),
                }
            }
        }
        Ok(mixed)
    }
}

/// The class with the highest weight for each row of labels `members[k][row]`; the smallest label
/// wins a tie. A member that abstains has [`ABSENT`].
pub fn vote(members: &[&[u32]], weights: &[f64], classes: usize) -> Result<Vec<u32>, EvaluationError> {
    let rows = check(members, weights)?;
    let mut shares = vec![0.0; rows * classes];
    for (member, weight) in members.iter().zip(weights) {
        for (row, &label) in member.iter().enumerate().filter(|(_, label)| **label != ABSENT) {
            if label as usize >= classes {
                return Err(EvaluationError::Label { row, label, classes });
            }
            shares[row * classes + label as usize] += weight;
        }
    }
    Ok(shares.chunks(classes.max(1)).map(most_probable).collect())
}

/// The weighted mean of predicted numbers, row by row.
pub fn average(members: &[&[f64]], weights: &[f64]) -> Result<Vec<f64>, EvaluationError> {
    // With one class, the probabilities are the numbers.
    Combiner::Average.probabilities(members, weights, 1)
}

fn check_probabilities(
    members: &[&[f64]],
    weights: &[f64],
    classes: usize,
) -> Result<usize, EvaluationError> {
    let size = check(members, weights)?;
    if classes == 0 || size % classes != 0 {
        let what = "a member's probabilities";
        return Err(EvaluationError::Length { what, given: size, rows: classes });
    }
    Ok(size)
}

/// Checks lengths and weights, and returns the common length.
fn check<T>(members: &[&[T]], weights: &[f64]) -> Result<usize, EvaluationError> {
    let Some(first) = members.first() else {
        return Err(EvaluationError::Empty { why: "an ensemble needs at least one member" });
    };
    if weights.len() != members.len() {
        let (given, rows) = (weights.len(), members.len());
        return Err(EvaluationError::Length { what: "the weights of an ensemble", given, rows });
    }
    if let Some(other) = members.iter().find(|member| member.len() != first.len()) {
        let (given, rows) = (other.len(), first.len());
        return Err(EvaluationError::Length { what: "a member's predictions", given, rows });
    }
    if let Some(index) = weights.iter().position(|w| !(w.is_finite() && *w >= 0.0)) {
        return Err(EvaluationError::NotFinite { what: "weight", index, value: weights[index] });
    }
    if weights.iter().sum::<f64>() <= 0.0 {
        return Err(EvaluationError::Empty { why: "all weights of the ensemble are zero" });
    }
    Ok(first.len())
}

fn most_probable(row: &[f64]) -> u32 {
    let most = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    row.iter().position(|&p| p == most).unwrap_or(0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn votes_and_averages_can_disagree() {
        let (sure, doubtful): (&[f64], &[f64]) = (&[0.95, 0.05], &[0.4, 0.6]);
        let members = [sure, doubtful, doubtful];
        assert_eq!(Combiner::Majority.classes(&members, &[1.0; 3], 2), Ok(vec![1]));
        assert_eq!(Combiner::Average.classes(&members, &[1.0; 3], 2), Ok(vec![0]));
        assert_eq!(Combiner::Majority.classes(&members, &[3.0, 1.0, 1.0], 2), Ok(vec![0]), "weights count");
        let shares = Combiner::Average.probabilities(&members, &[1.0; 3], 2).unwrap();
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn labels_are_voted_on_with_weights_and_numbers_averaged() {
        let members: [&[u32]; 3] = [&[0, 2, ABSENT], &[1, 1, 1], &[1, 0, ABSENT]];
        assert_eq!(vote(&members, &[1.0; 3], 3), Ok(vec![1, 0, 1]), "ties go to the smallest");
        assert_eq!(vote(&members, &[3.0, 1.0, 1.0], 3), Ok(vec![0, 2, 1]));
        assert!(matches!(vote(&members, &[1.0; 3], 2), Err(EvaluationError::Label { row: 1, label: 2, .. })));
        assert_eq!(average(&[&[1.0, 4.0], &[3.0, 0.0]], &[3.0, 1.0]), Ok(vec![1.5, 3.0]));
        assert!(average(&[&[1.0], &[1.0, 2.0]], &[1.0; 2]).is_err());
    }

    #[test]
    fn a_majority_of_the_sure_is_the_vote_of_labels() {
        let mut rng = arbora_space::Rng::new(3);
        let labels: Vec<Vec<u32>> = (0..5).map(|_| (0..40).map(|_| rng.below(4) as u32).collect()).collect();
        let sure = |member: &Vec<u32>| -> Vec<f64> {
            member.iter().flat_map(|y| (0..4).map(move |c| f64::from(u8::from(c == *y)))).collect()
        };
        let probabilities: Vec<Vec<f64>> = labels.iter().map(sure).collect();
        let weights: Vec<f64> = (0..5).map(|_| rng.unit()).collect();
        let by_labels = vote(&labels.iter().map(Vec::as_slice).collect::<Vec<_>>(), &weights, 4);
        let members: Vec<&[f64]> = probabilities.iter().map(Vec::as_slice).collect();
        assert_eq!(by_labels, Combiner::Majority.classes(&members, &weights, 4));
    }

    #[test]
    fn nonsense_is_named() {
        let member: &[f64] = &[0.5, 0.5];
        assert!(matches!(Combiner::Average.classes(&[], &[], 2), Err(EvaluationError::Empty { .. })));
        assert!(matches!(
            Combiner::Average.classes(&[member], &[0.0], 2),
            Err(EvaluationError::Empty { .. })
        ));
        assert!(matches!(
            Combiner::Average.classes(&[member], &[f64::NAN], 2),
            Err(EvaluationError::NotFinite { index: 0, .. })
        ));
        assert!(matches!(
            Combiner::Average.classes(&[member], &[1.0], 3),
            Err(EvaluationError::Length { .. })
        ));
    }
}
