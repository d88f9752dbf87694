//! Greedy selection from a pool, with replacement  [Caruana et al. 2004; Lévesque 2018, §4.4].
//!
//! Begin with the N best members, then again and again add the one that leaves the least loss; ties go to the better
//! single member, then to the earlier. Cost O(steps · pool · rows). The best prefix of the list is kept if wanted: a
//! guard against adding for the sake of adding. On few rows it overfits them: bag, or keep the list short.
use super::loss::VoteLoss;
use super::pool::Pool;
use super::votes::Votes;
use crate::error::EvaluationError;
use arbora_space::Rng;
use serde::{Deserialize, Serialize};

/// Which members a step may choose from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Bagging {
    /// All of them.
    #[default]
    None,
    /// A fresh random share of them at every step.
    EachStep {
        /// In (0, 1].
        share: f64,
    },
    /// Several whole selections, each from a random share; their choices are pooled.
    Bags {
        /// Selections.
        count: usize,
        /// In (0, 1].
        share: f64,
    },
}

/// Greedy selection as data.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Greedy {
    /// Members to begin with: the best ones by themselves.
    pub start: usize,
    /// Members in the end, those of the start included.
    pub size: usize,
    /// What is made small.
    pub loss: VoteLoss,
    /// Keep the shortest prefix of least loss instead of all `size`?
    pub best_prefix: bool,
    /// Which members a step may choose from.
    pub bagging: Bagging,
}

impl Default for Greedy {
    fn default() -> Self {
        Self { start: 3, size: 12, loss: VoteLoss::ZeroOne, best_prefix: true, bagging: Bagging::None }
    }
}

impl Greedy {
    /// Positions of the chosen members in the pool; a member may be chosen several times.
    pub fn select(&self, pool: &Pool, rng: &mut Rng) -> Result<Vec<usize>, EvaluationError> {
        if pool.members().is_empty() {
            return Err(EvaluationError::Empty { why: "the pool of an ensemble has no members" });
        }
        let at_least_one = |what, given| {
            if given > 0 { Ok(()) } else { Err(EvaluationError::TooSmall { what, least: 1, given }) }
        };
        at_least_one("the size of an ensemble", self.size)?;
        let everyone: Vec<usize> = (0..pool.members().len()).collect();
        match self.bagging {
            Bagging::None => Ok(self.from(pool, &everyone, 1.0, rng)),
            Bagging::EachStep { share } => Ok(self.from(pool, &everyone, check_share(share)?, rng)),
            Bagging::Bags { count, share } => {
                at_least_one("the number of bags", count)?;
                let share = check_share(share)?;
                let mut chosen = Vec::new();
                for _ in 0..count {
                    let bag = some_of(&everyone, share, rng);
                    chosen.extend(self.from(pool, &bag, 1.0, rng));
                }
                Ok(chosen)
            }
        }
    }

    fn from(&self, pool: &Pool, among: &[usize], share: f64, rng: &mut Rng) -> Vec<usize> {
        let mut chosen = best_alone(pool, among);
        chosen.truncate(self.start.min(self.size));
        let mut votes = pool.votes_of(&chosen);
        let mut losses: Vec<f64> =
            (1..=chosen.len()).map(|n| self.loss.of(&pool.votes_of(&chosen[..n]))).collect();
        while chosen.len() < self.size {
            let open = if share < 1.0 { some_of(among, share, rng) } else { among.to_vec() };
            let (next, loss) = self.best_addition(pool, &votes, &open);
            votes.add(&pool.members()[next].votes);
            chosen.push(next);
            losses.push(loss);
        }
        if self.best_prefix {
            let least = losses.iter().copied().fold(f64::INFINITY, f64::min);
            let shortest = losses.iter().position(|&loss| loss == least).unwrap_or(0);
            chosen.truncate(shortest + 1);
        }
        chosen
    }

    fn best_addition(&self, pool: &Pool, votes: &Votes, open: &[usize]) -> (usize, f64) {
        let judged = open.iter().map(|&member| {
            let member_loss = pool.members()[member].loss;
            (member, self.loss.with(votes, &pool.members()[member].votes), member_loss)
        });
        let best = judged.min_by(|a, b| a.1.total_cmp(&b.1).then(a.2.total_cmp(&b.2)).then(a.0.cmp(&b.0)));
        let (member, loss, _) = best.expect("a bag holds at least one member");
        (member, loss)
    }
}

/// Best first; the earlier where two tie.
fn best_alone(pool: &Pool, among: &[usize]) -> Vec<usize> {
    let mut order = among.to_vec();
    order.sort_by(|&a, &b| pool.members()[a].loss.total_cmp(&pool.members()[b].loss).then(a.cmp(&b)));
    order
}

fn check_share(share: f64) -> Result<f64, EvaluationError> {
    if share > 0.0 && share <= 1.0 {
        return Ok(share);
    }
    Err(EvaluationError::Share { what: "the share of a bag", share, rows: 0 })
}

fn some_of(everyone: &[usize], share: f64, rng: &mut Rng) -> Vec<usize> {
    let mut order = everyone.to_vec();
    rng.shuffle(&mut order);
    order.truncate(((share * everyone.len() as f64).round() as usize).max(1));
    order.sort_unstable();
    order
}
