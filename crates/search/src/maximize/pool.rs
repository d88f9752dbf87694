//! Candidates gathered, ranked and freed of repetitions.
use super::Candidate;
use crate::unseen::Taken;
use arbora_space::Configuration;
use std::collections::HashMap;

/// Scored configurations, each once. What was scored is never scored again.
#[derive(Default)]
pub struct CandidatePool {
    scores: HashMap<Configuration, f64>,
    order: Vec<Configuration>,
}

impl CandidatePool {
    /// The score of a configuration met before.
    pub fn known(&self, configuration: &Configuration) -> Option<f64> {
        self.scores.get(configuration).copied()
    }

    /// Adds a configuration with its score.
    pub fn add(&mut self, configuration: Configuration, score: f64) {
        // What cannot be scored is not chosen.
        let score = if score.is_nan() { f64::NEG_INFINITY } else { score };
        if self.scores.insert(configuration.clone(), score).is_none() {
            self.order.push(configuration);
        }
    }

    /// Adds configurations, one score each.
    pub fn add_all(&mut self, configurations: Vec<Configuration>, scores: &[f64]) {
        for (configuration, &score) in configurations.into_iter().zip(scores) {
            self.add(configuration, score);
        }
    }

    /// Best first; ties in the order of arrival, so that nothing depends on hashing.
    pub fn ranked(self, taken: &Taken<'_>) -> Vec<Candidate> {
        let CandidatePool { scores, order } = self;
        let mut ranked: Vec<Candidate> = order
            .into_iter()
            .filter(|c| !taken.contains(c))
            .map(|configuration| Candidate { score: scores[&configuration], configuration })
            .collect();
        ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
        ranked
    }

    /// Forgets what is not wished for at all.
    pub(super) fn drop_unwished(&mut self) {
        self.order.retain(|configuration| self.scores[configuration] > f64::NEG_INFINITY);
    }

    /// The best `count`, taken ones included, without giving up the pool.
    pub(super) fn best(&self, count: usize) -> Vec<(Configuration, f64)> {
        let mut all: Vec<(usize, f64)> =
            self.order.iter().enumerate().map(|(i, c)| (i, self.scores[c])).collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        all.truncate(count);
        all.into_iter().map(|(i, score)| (self.order[i].clone(), score)).collect()
    }

    /// The same without their scores.
    pub(super) fn best_places(&self, count: usize) -> Vec<Configuration> {
        self.best(count).into_iter().map(|(configuration, _)| configuration).collect()
    }
}
