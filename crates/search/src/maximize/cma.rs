//! CMA-ES on the cube of all parameters, restarted until its evaluations are spent.
//!
//! σ₀ = 0.2; the first run starts at the best configuration so far, later ones anywhere. Conditions and categories
//! are unknown to it, so it suits flat, mostly continuous spaces and utilities without slope; in trees prefer local
//! search. Cost: `per_dimension`·d scores in batches of 4 + ⌊3 ln d⌋.
use super::pool::CandidatePool;
use super::{Component, Gather, Maximizer, PartContext, Region};
use crate::acquisition::Utility;
use crate::cube;
use crate::error::{SearchError, at_least_one};
use crate::evolution::{Offspring, Selection, State};
use arbora_space::Rng;
use serde::{Deserialize, Serialize};

/// First standard deviation along every edge.
const SIGMA: f64 = 0.2;

/// A run that gains nothing for so many generations is over.
const PATIENCE: usize = 12;

/// Evolution of candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Cma {
    /// Scores per dimension of the space.
    pub per_dimension: usize,
}

impl Default for Cma {
    fn default() -> Self {
        Self { per_dimension: 2000 }
    }
}

impl Component<dyn Maximizer> for Cma {
    const KIND: &'static str = "cma_es";

    fn build(&self, _context: PartContext<'_>) -> Result<Box<dyn Maximizer>, SearchError> {
        at_least_one("maximizer.per_dimension", self.per_dimension)?;
        Ok(Box::new(*self))
    }
}

impl Gather for Cma {
    fn gather(
        &self,
        wish: &dyn Utility,
        within: &Region<'_>,
        pool: &mut CandidatePool,
        rng: &mut Rng,
    ) -> Result<(), SearchError> {
        let columns = cube::varying(within.space);
        let mut left = self.per_dimension * columns.len().max(1);
        let mut start: Vec<f64> = vec![0.5; columns.len()];
        if let Some(best) = within.visited.first() {
            let mut place = cube::widened(within.space, &columns, &start);
            cube::move_to(within.space, best, &mut place);
            start = columns.iter().map(|&c| place[c]).collect();
        }
        // An anchor that nothing can forbid: there is always a candidate.
        let anchor = vec![within.space.sample(rng)?];
        let scores = within.score(wish, &anchor);
        pool.add_all(anchor, &scores);
        while left > 0 && !within.interrupt.is_raised() {
            run(State::start(start, SIGMA), &columns, &mut left, wish, within, pool, rng);
            start = columns.iter().map(|_| rng.unit()).collect();
        }
        Ok(())
    }
}

/// One run, until it stops gaining or nothing is left to spend.
fn run(
    mut state: State,
    columns: &[usize],
    left: &mut usize,
    wish: &dyn Utility,
    within: &Region<'_>,
    pool: &mut CandidatePool,
    rng: &mut Rng,
) {
    let lambda = state.rates().lambda;
    let (mut best, mut idle) = (f64::INFINITY, 0);
    while *left > 0 && !within.interrupt.is_raised() && idle < PATIENCE && !state.has_converged() {
        *left = left.saturating_sub(lambda);
        let sampler = state.sampler();
        let places: Vec<Vec<f64>> = (0..lambda).map(|_| sampler.draw(rng)).collect();
        let losses = losses(&places, columns, wish, within, pool);
        let least = losses.iter().copied().fold(f64::INFINITY, f64::min);
        idle = if least < best - 1e-9 * best.abs().min(1e9) { 0 } else { idle + 1 };
        best = best.min(least);
        let offspring: Vec<Offspring> =
            places.into_iter().zip(losses).map(|(place, loss)| Offspring { place, loss }).collect();
        state = state.next(&offspring, Selection::Comma);
    }
}

/// Minus the score of what each place stands for; forbidden places come last.
fn losses(
    places: &[Vec<f64>],
    columns: &[usize],
    wish: &dyn Utility,
    within: &Region<'_>,
    pool: &mut CandidatePool,
) -> Vec<f64> {
    let found: Vec<_> = places
        .iter()
        .map(|place| cube::proposable_at(within.space, &cube::widened(within.space, columns, place)))
        .collect();
    let allowed: Vec<_> = found.iter().flatten().cloned().collect();
    let scores = within.score(wish, &allowed);
    pool.add_all(allowed, &scores);
    let mut scores = scores.into_iter();
    let mut loss =
        |is_allowed: bool| if is_allowed { scores.next().map_or(f64::MAX, |s| -s) } else { f64::MAX };
    found.iter().map(|f| loss(f.is_some())).map(|l| if l.is_nan() { f64::MAX } else { l }).collect()
}
