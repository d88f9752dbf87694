//! Local search over one-exchange neighbourhoods, as in SMAC  [Hutter et al. 2011; the `-ls` of Lévesque et al. 2017].
//!
//! Starts: evaluated configurations of highest utility and the best of many random draws. From each, neighbours in
//! random order; move to the first that gains more than 10⁻⁶ (on the logarithm of EI); stop where none does.
//! All walkers go in lock-step so that one batch scores a few neighbours of each: the model's solves run at the
//! speed of matrix products, not of vectors. What was scored once is remembered.
use super::pool::CandidatePool;
use super::{Component, Gather, Maximizer, PartContext, RandomCandidates, Region};
use crate::acquisition::Utility;
use crate::error::{SearchError, at_least_one};
use arbora_space::{Configuration, Reach, Rng};
use serde::{Deserialize, Serialize};

/// The papers' gain of 10⁻⁵ is on EI; on its logarithm 10⁻⁶ asks for one part in a million.
const GAIN: f64 = 1e-6;

/// Neighbours of one walker scored per round: enough for a batch over all walkers, few enough that a first
/// improvement found early wastes little. Chosen by the suggestion benchmark.
const PER_ROUND: usize = 6;

/// Evaluated configurations that compete to be starts, the best by loss: past the first hundred, none of a long
/// history has a neighbourhood worth wishing for, and scoring them all would cost more than the search.
const VISITED: usize = 100;

/// Moves per walker: a guard, walks end long before.
const STEPS: usize = 100;

/// Walks from several starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LocalSearch {
    /// Random draws that compete to be starts and candidates.
    pub random: usize,
    /// Walkers: half from evaluated configurations, half from random draws.
    pub starts: usize,
}

impl Default for LocalSearch {
    fn default() -> Self {
        Self { random: 1000, starts: 10 }
    }
}

struct Walker {
    at: Configuration,
    score: f64,
    /// Neighbours not looked at yet, next one last.
    ahead: Vec<Configuration>,
    moves: usize,
}

impl Component<dyn Maximizer> for LocalSearch {
    const KIND: &'static str = "local_search";

    fn build(&self, _context: PartContext<'_>) -> Result<Box<dyn Maximizer>, SearchError> {
        at_least_one("maximizer.random", self.random)?;
        Ok(Box::new(*self))
    }
}

impl Gather for LocalSearch {
    fn gather(
        &self,
        wish: &dyn Utility,
        within: &Region<'_>,
        pool: &mut CandidatePool,
        rng: &mut Rng,
    ) -> Result<(), SearchError> {
        self.walk(wish, within, pool, rng).map(drop)
    }
}

impl LocalSearch {
    /// Gathers, and says where the walks ended: each place once, the best first.
    pub(super) fn walk(
        &self,
        wish: &dyn Utility,
        within: &Region<'_>,
        pool: &mut CandidatePool,
        rng: &mut Rng,
    ) -> Result<Vec<Configuration>, SearchError> {
        RandomCandidates { count: self.random }.gather_promising(wish, within, pool, rng)?;
        let mut walkers = self.start(wish, within, pool, rng);
        let mut ends: Vec<Walker> = Vec::new();
        while !walkers.is_empty() && !within.interrupt.is_raised() {
            ends.extend(round(&mut walkers, wish, within, pool, rng));
        }
        ends.sort_by(|a, b| b.score.total_cmp(&a.score));
        let mut places: Vec<Configuration> = Vec::new();
        for Walker { at, .. } in ends {
            if !places.contains(&at) {
                places.push(at);
            }
        }
        Ok(places)
    }

    fn start(
        &self,
        wish: &dyn Utility,
        within: &Region<'_>,
        pool: &mut CandidatePool,
        rng: &mut Rng,
    ) -> Vec<Walker> {
        let from_visited = self.starts.div_ceil(2).min(within.visited.len());
        let mut starts = pool.best(self.starts - from_visited);
        let visited: Vec<Configuration> = within.visited.iter().take(VISITED).map(|c| (*c).clone()).collect();
        let scores = within.score(wish, &visited);
        let mut ranked: Vec<(Configuration, f64)> = visited.into_iter().zip(scores).collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
        ranked.truncate(from_visited);
        for (configuration, score) in ranked {
            pool.add(configuration.clone(), score);
            starts.push((configuration, score));
        }
        let walker = |(at, score): (Configuration, f64)| {
            let ahead = look_around(&at, within, rng);
            Walker { at, score, ahead, moves: 0 }
        };
        starts.into_iter().map(walker).collect()
    }
}

/// Scores the next few neighbours of every walker, moves those that improve; takes out those that are done.
fn round(
    walkers: &mut Vec<Walker>,
    wish: &dyn Utility,
    within: &Region<'_>,
    pool: &mut CandidatePool,
    rng: &mut Rng,
) -> Vec<Walker> {
    let chunks: Vec<Vec<Configuration>> =
        walkers.iter_mut().map(|w| w.ahead.split_off(w.ahead.len().saturating_sub(PER_ROUND))).collect();
    let mut fresh: Vec<Configuration> = Vec::new();
    for configuration in chunks.iter().flatten() {
        if pool.known(configuration).is_none() {
            fresh.push(configuration.clone());
        }
    }
    let scores = within.score(wish, &fresh);
    pool.add_all(fresh, &scores);
    for (walker, chunk) in walkers.iter_mut().zip(chunks) {
        let better = chunk.into_iter().rev().find_map(|c| {
            let score = pool.known(&c)?;
            (score > walker.score + GAIN).then_some((c, score))
        });
        if let Some((at, score)) = better {
            walker.moves += 1;
            walker.ahead = if walker.moves < STEPS { look_around(&at, within, rng) } else { Vec::new() };
            (walker.at, walker.score) = (at, score);
        }
    }
    walkers.extract_if(.., |w| w.ahead.is_empty()).collect()
}

fn look_around(at: &Configuration, within: &Region<'_>, rng: &mut Rng) -> Vec<Configuration> {
    let mut around = within.space.neighbours(at, Reach::default(), rng);
    rng.shuffle(&mut around);
    around
}
