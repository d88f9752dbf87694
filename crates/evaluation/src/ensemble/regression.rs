//! Ensembles of numbers: the mean of the members, judged by its squared error, chosen greedily with replacement.
//!
//! Adding member h to m others moves the mean to (m·f̄ + f_h)/(m + 1): O(rows) per candidate.
use crate::error::EvaluationError;

/// Predictions of numbers by every member, and the truth.
#[derive(Clone, Debug, PartialEq)]
pub struct MeanEnsemble {
    truth: Vec<f64>,
    members: Vec<Vec<f64>>,
}

impl MeanEnsemble {
    /// Nobody yet; the true numbers of the rows.
    pub fn new(truth: Vec<f64>) -> Result<Self, EvaluationError> {
        finite("the truth of row", &truth)?;
        Ok(Self { truth, members: Vec::new() })
    }

    /// A member joins the pool.
    pub fn push(&mut self, predictions: Vec<f64>) -> Result<(), EvaluationError> {
        if predictions.len() != self.truth.len() {
            let (given, rows) = (predictions.len(), self.truth.len());
            return Err(EvaluationError::Length { what: "a member's predictions", given, rows });
        }
        finite("the prediction of row", &predictions)?;
        self.members.push(predictions);
        Ok(())
    }

    /// Mean squared error of the mean of these members.
    pub fn loss(&self, chosen: &[usize]) -> f64 {
        let m = chosen.len() as f64;
        let mean = |row: usize| chosen.iter().map(|&h| self.members[h][row]).sum::<f64>() / m;
        let squares = self.truth.iter().enumerate().map(|(row, truth)| (mean(row) - truth).powi(2));
        squares.sum::<f64>() / self.truth.len() as f64
    }

    /// At most `size` members, chosen one after the other with replacement; the shortest list of least loss.
    pub fn select(&self, size: usize) -> Result<Vec<usize>, EvaluationError> {
        if self.members.is_empty() {
            return Err(EvaluationError::Empty { why: "the pool of an ensemble has no members" });
        }
        let mut sum = vec![0.0; self.truth.len()];
        let (mut chosen, mut best) = (Vec::new(), (f64::INFINITY, 0));
        while chosen.len() < size.max(1) {
            let count = (chosen.len() + 1) as f64;
            let loss = |member: &[f64]| {
                let rows = sum.iter().zip(member).zip(&self.truth);
                rows.map(|((s, p), t)| ((s + p) / count - t).powi(2)).sum::<f64>() / self.truth.len() as f64
            };
            let judged = self.members.iter().enumerate().map(|(h, member)| (loss(member), h));
            let (loss, next) = judged.min_by(|a, b| a.0.total_cmp(&b.0)).expect("the pool is not empty");
            sum.iter_mut().zip(&self.members[next]).for_each(|(s, p)| *s += p);
            chosen.push(next);
            if loss < best.0 {
                best = (loss, chosen.len());
            }
        }
        chosen.truncate(best.1);
        Ok(chosen)
    }
}

fn finite(what: &'static str, numbers: &[f64]) -> Result<(), EvaluationError> {
    match numbers.iter().position(|x| !x.is_finite()) {
        None => Ok(()),
        Some(index) => Err(EvaluationError::NotFinite { what, index, value: numbers[index] }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_that_cancel_beat_the_best_single_member() {
        let mut pool = MeanEnsemble::new(vec![0.0, 0.0]).unwrap();
        for member in [vec![0.3, 0.3], vec![0.5, -0.5], vec![-0.5, 0.5]] {
            pool.push(member).unwrap();
        }
        let chosen = pool.select(6).unwrap();
        assert!(pool.loss(&chosen) < pool.loss(&[0]), "{chosen:?}");
        assert!(matches!(pool.push(vec![f64::NAN, 0.0]), Err(EvaluationError::NotFinite { index: 0, .. })));
        assert!(matches!(pool.push(vec![0.0]), Err(EvaluationError::Length { given: 1, rows: 2, .. })));
    }

    #[test]
    fn the_loss_of_a_list_is_what_selection_saw() {
        let mut rng = arbora_space::Rng::new(4);
        let mut numbers = |n: usize| (0..n).map(|_| rng.normal()).collect::<Vec<f64>>();
        let mut pool = MeanEnsemble::new(numbers(20)).unwrap();
        for _ in 0..8 {
            pool.push(numbers(20)).unwrap();
        }
        let chosen = pool.select(10).unwrap();
        let best_single = (0..8).map(|h| pool.loss(&[h])).fold(f64::INFINITY, f64::min);
        assert!(pool.loss(&chosen) <= best_single);
        for n in 1..chosen.len() {
            assert!(pool.loss(&chosen[..n]) > pool.loss(&chosen), "the shortest list of least loss");
        }
    }
}
