//! Ensembles of numbers: the mean of the members, compared by squared error. This includes
//! probabilities, with one row per class; their squared error is the Brier score divided by the
//! number of classes.
//!
//! Adding member h to m others changes the mean to (m·f̄ + f_h)/(m + 1): O(rows) per candidate.
use super::candidates::Candidates;
use super::ties::TieScale;
use crate::error::EvaluationError;

/// The predictions of all members, and the true values.
#[derive(Clone, Debug, PartialEq)]
pub struct MeanEnsemble {
    truth: Vec<f64>,
    members: Vec<Member>,
}

#[derive(Clone, Debug, PartialEq)]
struct Member {
    trial: u64,
    loss: f64,
    predictions: Vec<f64>,
}

/// The sum of the predictions of some members.
#[derive(Clone, Debug, PartialEq)]
pub struct Mean {
    sum: Vec<f64>,
    count: usize,
}

impl MeanEnsemble {
    /// An empty pool for rows with these true values.
    pub fn new(truth: Vec<f64>) -> Result<Self, EvaluationError> {
        finite("the truth of row", &truth)?;
        Ok(Self { truth, members: Vec::new() })
    }

    /// Adds a trial with one number per row; returns its mean squared error.
    pub fn push(&mut self, trial: u64, predictions: Vec<f64>) -> Result<f64, EvaluationError> {
        if predictions.len() != self.truth.len() {
            let (given, rows) = (predictions.len(), self.truth.len());
            return Err(EvaluationError::Length { what: "a member's predictions", given, rows });
        }
        finite("the prediction of row", &predictions)?;
        let loss = self.squared_error(predictions.iter().copied());
        self.members.push(Member { trial, loss, predictions });
        Ok(loss)
    }

    /// Number of members in the pool.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Is the pool empty?
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Mean squared error of the mean of these members.
    pub fn loss(&self, chosen: &[usize]) -> f64 {
        let mean = self.sum_of(chosen);
        self.squared_error(mean.sum.iter().map(|sum| sum / mean.count as f64))
    }

    fn squared_error(&self, predictions: impl Iterator<Item = f64>) -> f64 {
        let squares = predictions.zip(&self.truth).map(|(prediction, truth)| (prediction - truth).powi(2));
        squares.sum::<f64>() / self.truth.len() as f64
    }
}

impl Candidates for MeanEnsemble {
    type Sum = Mean;

    fn count(&self) -> usize {
        self.members.len()
    }

    fn trial(&self, member: usize) -> u64 {
        self.members[member].trial
    }

    fn own_loss(&self, member: usize) -> f64 {
        self.members[member].loss
    }

    fn empty(&self) -> Mean {
        Mean { sum: vec![0.0; self.truth.len()], count: 0 }
    }

    fn add(&self, mean: &mut Mean, member: usize) {
        let predictions = &self.members[member].predictions;
        mean.sum.iter_mut().zip(predictions).for_each(|(sum, prediction)| *sum += prediction);
        mean.count += 1;
    }

    fn loss_with(&self, mean: &Mean, member: usize) -> f64 {
        let count = (mean.count + 1) as f64;
        let rows = mean.sum.iter().zip(&self.members[member].predictions);
        self.squared_error(rows.map(|(sum, prediction)| (sum + prediction) / count))
    }

    fn tie_scale(&self) -> TieScale {
        TieScale::Own
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
    use super::super::greedy::{Bagging, Greedy};
    use super::*;
    use arbora_space::Rng;

    fn select(pool: &MeanEnsemble, greedy: &Greedy) -> Vec<usize> {
        greedy.select_means(pool, &mut Rng::new(0)).unwrap()
    }

    fn random_pool() -> MeanEnsemble {
        let mut rng = Rng::new(4);
        let mut numbers = |n: usize| (0..n).map(|_| rng.normal()).collect::<Vec<f64>>();
        let mut pool = MeanEnsemble::new(numbers(20)).unwrap();
        for trial in 0..8 {
            pool.push(trial, numbers(20)).unwrap();
        }
        pool
    }

    #[test]
    fn errors_that_cancel_beat_the_best_single_member() {
        let mut pool = MeanEnsemble::new(vec![0.0, 0.0]).unwrap();
        for (trial, member) in [vec![0.3, 0.3], vec![0.5, -0.5], vec![-0.5, 0.5]].into_iter().enumerate() {
            pool.push(trial as u64, member).unwrap();
        }
        let chosen = select(&pool, &Greedy { start: 1, size: 6, ..Greedy::default() });
        assert!(pool.loss(&chosen) < pool.loss(&[0]), "{chosen:?}");
        assert!(matches!(
            pool.push(3, vec![f64::NAN, 0.0]),
            Err(EvaluationError::NotFinite { index: 0, .. })
        ));
        assert!(matches!(pool.push(3, vec![0.0]), Err(EvaluationError::Length { given: 1, rows: 2, .. })));
    }

    #[test]
    fn the_loss_of_a_list_is_what_selection_saw() {
        let pool = random_pool();
        let chosen = select(&pool, &Greedy { start: 1, size: 10, ..Greedy::default() });
        let best_single = (0..8).map(|h| pool.loss(&[h])).fold(f64::INFINITY, f64::min);
        assert!(pool.loss(&chosen) <= best_single);
        for n in 1..chosen.len() {
            assert!(pool.loss(&chosen[..n]) > pool.loss(&chosen), "the shortest list of least loss");
        }
    }

    #[test]
    fn every_step_is_the_best_there_is() {
        let pool = random_pool();
        let whole = Greedy { start: 2, size: 7, best_prefix: false, ..Greedy::default() };
        let chosen = select(&pool, &whole);
        for n in 2..7 {
            let with = |h: usize| pool.loss(&[&chosen[..n], &[h]].concat());
            let least = (0..pool.len()).map(with).fold(f64::INFINITY, f64::min);
            assert!((with(chosen[n]) - least).abs() <= 1e-15, "step {n}");
        }
        let bags = Greedy { bagging: Bagging::Bags { count: 3, share: 0.5 }, ..whole };
        assert_eq!(select(&pool, &bags).len(), 21);
    }
}
