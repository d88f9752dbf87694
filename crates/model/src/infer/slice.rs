//! Slice sampling of θ: univariate with stepping out  [Neal 2003, §4]; blocks as in Spearmint.
//!
//! Along a unit direction v from θ, with log density L and width w: h = L(θ) + ln U. An interval of
//! length w is placed at random around 0 and grows by w at each end while L > h there. Points are
//! drawn uniformly from it, and it shrinks to each point with L ≤ h, until one lies inside the
//! slice.
//!
//! A continued chain makes `draws` iterations per fit and keeps them all while there are at most
//! `settled` observations. Beyond that, one more observation hardly changes the density, so it
//! makes draws·settled/n iterations (at least one) and keeps the latest `draws` states of the whole
//! chain. Burn-in shortens in the same way. The cost of a fit then grows like n² per iteration and
//! group instead of n³ per draw. With so many observations slices are narrower than w, so a
//! continued chain skips stepping out: the randomly placed interval only shrinks, which also leaves
//! the density invariant  [Neal 2003, §4.1] and saves two evaluations at its ends.
//!
//! One iteration moves the joint hypers together along one random direction, then each single hyper
//! alone, in random order; of more than a hundred only some. It makes d + 1 updates of about six
//! evaluations each (three without stepping out). This needs no gradient and no tuning, but an
//! interval only grows while L > h, so it cannot reach distant modes. Such modes do occur: white
//! noise is explained equally well by noise and by tiny length-scales. Each iteration therefore
//! begins with an independent Metropolis proposal from the prior, accepted with probability min(1,
//! ratio of likelihoods); it leaves the density invariant and costs one evaluation.
use super::chain::Chain;
use super::error::at_least_one;
use super::{Component, Inference, InferenceError, LogDensity, Start};
use arbora_space::Rng;
use serde::{Deserialize, Serialize};

/// Keeps consecutive states of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Slice {
    /// Number of states kept.
    pub draws: usize,
    /// Iterations dropped after a fresh start.
    pub burn_in: usize,
    /// Length of the initial interval, in units of θ.
    pub width: f64,
    /// Beyond this many observations, the chain makes fewer iterations and keeps older states.
    pub settled: usize,
}

impl Default for Slice {
    fn default() -> Self {
        Self { draws: 10, burn_in: 100, width: 1.0, settled: 100 }
    }
}

impl Component<dyn Inference> for Slice {
    const KIND: &'static str = "slice";

    fn build(&self, (): ()) -> Result<Box<dyn Inference>, InferenceError> {
        at_least_one(Self::KIND, "draws", self.draws)?;
        if !(self.width > 0.0 && self.width.is_finite()) {
            return Err(InferenceError::Width { value: self.width });
        }
        at_least_one(Self::KIND, "settled", self.settled)?;
        Ok(Box::new(*self))
    }
}

/// Minimum iterations per fit, so that the chain always moves.
const LEAST_MOVES: usize = 1;
/// Minimum iterations of burn-in.
const LEAST_BURN_IN: usize = 10;

impl Slice {
    /// `count` iterations, fewer beyond `settled` observations.
    fn scaled(&self, count: usize, least: usize, observations: usize) -> usize {
        if observations <= self.settled {
            return count;
        }
        (count * self.settled).div_ceil(observations).max(least).min(count)
    }
}

impl Inference for Slice {
    fn draw(&self, target: &mut dyn LogDensity, start: &Start, rng: &mut Rng) -> Vec<Vec<f64>> {
        let Some(mut chain) = Chain::at(target, start.theta(), self.width) else { return Vec::new() };
        let observations = target.observations();
        chain.grows = observations <= self.settled || matches!(start, Start::Fresh(_));
        let mut states = match start {
            Start::Continue(states) => {
                let moves = self.scaled(self.draws, LEAST_MOVES, observations);
                let kept = states.len().min(self.draws - moves.min(self.draws));
                states[states.len() - kept..].to_vec()
            }
            Start::Fresh(_) => {
                for _ in 0..self.scaled(self.burn_in, LEAST_BURN_IN, observations) {
                    chain.iterate(target, rng);
                }
                Vec::new()
            }
        };
        while states.len() < self.draws {
            chain.iterate(target, rng);
            states.push(chain.theta.clone());
        }
        states
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "exact results are compared exactly")]
mod tests;
