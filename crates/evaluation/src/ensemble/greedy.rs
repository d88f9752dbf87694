//! Greedy ensemble selection with replacement  [Caruana et al. 2004; Lévesque 2018, §4.4].
//!
//! Start with the N best members, then repeatedly add the member that gives the lowest loss; ties
//! go to the lower own loss, then to the earlier member. Cost O(steps · pool · rows). With
//! `best_prefix`, only the best prefix of the list is kept, which avoids additions that do not help.
//! With few rows, selection overfits them: use bagging, or a short list. Members vote, or predict
//! numbers that are averaged.
use super::candidates::Candidates;
use super::loss::VoteLoss;
use super::pool::Pool;
use super::regression::MeanEnsemble;
use super::ties::TieScale;
use super::voters::{SlotRule, Voters};
use crate::error::EvaluationError;
use arbora_space::Rng;
use serde::{Deserialize, Serialize};

/// Which members each step may choose from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Bagging {
    /// All of them.
    #[default]
    None,
    /// A new random share of them at every step.
    EachStep {
        /// In (0, 1].
        share: f64,
    },
    /// Several complete selections, each from a random share; the results are concatenated.
    Bags {
        /// Number of selections.
        count: usize,
        /// In (0, 1].
        share: f64,
    },
}

/// Greedy selection as plain data.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Greedy {
    /// Number of members to start with: those with the lowest losses of their own.
    pub start: usize,
    /// Final number of members, including the start. Use an odd number, since votes can tie with an
    /// even one.
    pub size: usize,
    /// The loss to minimise.
    pub loss: VoteLoss,
    /// Keep only the shortest prefix with the lowest loss instead of all `size` members?
    pub best_prefix: bool,
    /// Which members each step may choose from.
    pub bagging: Bagging,
}

impl Default for Greedy {
    fn default() -> Self {
        Self { start: 3, size: 13, loss: VoteLoss::ZeroOne, best_prefix: true, bagging: Bagging::None }
    }
}

impl Greedy {
    /// Positions of the chosen members in the pool; a member may occur several times.
    pub fn select(&self, pool: &Pool, rng: &mut Rng) -> Result<Vec<usize>, EvaluationError> {
        self.select_from(&Voters { pool, loss: self.loss, rule: SlotRule::SameLoss }, rng)
    }

    /// Like [`select`](Self::select), for predicted numbers. They are averaged and compared by
    /// squared error, regardless of `loss`.
    pub fn select_means(&self, means: &MeanEnsemble, rng: &mut Rng) -> Result<Vec<usize>, EvaluationError> {
        self.select_from(means, rng)
    }

    fn select_from<C: Candidates>(
        &self,
        candidates: &C,
        rng: &mut Rng,
    ) -> Result<Vec<usize>, EvaluationError> {
        if candidates.count() == 0 {
            return Err(EvaluationError::Empty { why: "the pool of an ensemble has no members" });
        }
        let at_least_one = |what, given| {
            if given > 0 { Ok(()) } else { Err(EvaluationError::TooSmall { what, least: 1, given }) }
        };
        at_least_one("the size of an ensemble", self.size)?;
        let everyone: Vec<usize> = (0..candidates.count()).collect();
        match self.bagging {
            Bagging::None => Ok(self.select_among(candidates, &everyone, 1.0, rng)),
            Bagging::EachStep { share } => {
                Ok(self.select_among(candidates, &everyone, check_share(share)?, rng))
            }
            Bagging::Bags { count, share } => {
                at_least_one("the number of bags", count)?;
                let share = check_share(share)?;
                let mut chosen = Vec::new();
                for _ in 0..count {
                    let bag = some_of(&everyone, share, rng);
                    chosen.extend(self.select_among(candidates, &bag, 1.0, rng));
                }
                Ok(chosen)
            }
        }
    }

    fn select_among<C: Candidates>(
        &self,
        candidates: &C,
        among: &[usize],
        share: f64,
        rng: &mut Rng,
    ) -> Vec<usize> {
        let (mut chosen, mut losses, mut sum) = (Vec::new(), Vec::new(), candidates.empty());
        let mut first = best_by_own_loss(candidates, among, self.start.min(self.size)).into_iter();
        while chosen.len() < self.size {
            let next = first.next().unwrap_or_else(|| {
                let open = if share < 1.0 { some_of(among, share, rng) } else { among.to_vec() };
                best_addition(candidates, &sum, &open)
            });
            losses.push(candidates.loss_with(&sum, next));
            candidates.add(&mut sum, next);
            chosen.push(next);
        }
        if self.best_prefix {
            let least = losses.iter().copied().fold(f64::INFINITY, f64::min);
            let shortest = losses.iter().position(|&loss| candidates.tie_scale().is_least(loss, least));
            let shortest = shortest.unwrap_or(0);
            chosen.truncate(shortest + 1);
        }
        chosen
    }
}

/// The member that gives the lowest loss; ties go to the lower loss of its own, then to the
/// earlier.
fn best_addition<C: Candidates>(candidates: &C, sum: &C::Sum, open: &[usize]) -> usize {
    let tied = candidates.tie_scale().least(open.to_vec(), |member| candidates.loss_with(sum, member));
    let best = TieScale::Own.least(tied, |member| candidates.own_loss(member)).first().copied();
    best.expect("a bag holds at least one member")
}

/// The `count` members with the lowest losses of their own, best first; ties go to the earlier.
fn best_by_own_loss<C: Candidates>(candidates: &C, among: &[usize], count: usize) -> Vec<usize> {
    let (mut open, mut order) = (among.to_vec(), Vec::new());
    while order.len() < count {
        let best = TieScale::Own.least(open.clone(), |member| candidates.own_loss(member)).first().copied();
        let Some(best) = best else { break };
        open.retain(|member| *member != best);
        order.push(best);
    }
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
