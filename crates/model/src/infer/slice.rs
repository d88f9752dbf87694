//! Slice sampling of θ, univariate with stepping out  [Neal 2003, §4]; blocks as in Spearmint.
//!
//! Along a unit direction v from θ, with L the log density and width w:
//!
//! h = L(θ) + ln U; an interval of length w laid at random over 0 grows by w at each end while L > h there;
//! points are drawn uniformly from it, and it shrinks to each one with L ≤ h, until one lies inside the
//! slice.
//!
//! A chain that goes on makes `draws` iterations per fit and keeps them all while there are at most `settled`
//! observations; beyond, one more observation hardly moves the density, so it makes draws·settled/n iterations (one
//! at least) and keeps the latest `draws` states of the whole chain. Burning in shortens alike. The cost of a fit
//! then grows like n² per iteration and group rather than n³ per draw. The slices of so many observations are
//! narrower than w, so a chain that goes on leaves out the growing: the interval laid at random is shrunk only, which
//! keeps the density as well  [Neal 2003, §4.1] and saves the two looks beyond its ends.
//!
//! One iteration moves the joint hypers together along one random direction, then each single hyper on its
//! own, in random order; of more than a hundred only some. It costs about six evaluations per update (three without growing), d + 1 updates. The density needs no
//! gradient and no tuning, but the interval only grows through where L > h, so far-apart modes are out of its reach.
//! They are real: white noise is explained as well by noise as by tiny length-scales. Each iteration therefore begins
//! with one hop, an independent Metropolis proposal from the prior, accepted with probability min(1, ratio of
//! likelihoods); it leaves the density invariant and costs one evaluation.
use super::error::at_least_one;
use super::{Component, Inference, InferenceError, LogDensity, Start};
use crate::hyper::{Hyper, Update};
use arbora_space::Rng;
use serde::{Deserialize, Serialize};

/// Most times an interval grows at each end.
const MOST_STEPS_OUT: usize = 1000;
/// An interval shorter than this holds nothing but its origin.
const SHORTEST: f64 = 1e-12;

/// Keeps consecutive states of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Slice {
    /// States kept.
    pub draws: usize,
    /// Iterations forgotten at a fresh start.
    pub burn_in: usize,
    /// Length of the first interval, in units of θ.
    pub width: f64,
    /// Beyond so many observations the chain moves less and keeps more of what it has.
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

/// Single hypers up to which every iteration moves them all. An update costs as much as there are hypers: beyond, an
/// iteration moves so many of them, drawn anew, that it costs what it costs at this number.
const ORDINARY: usize = 100;

/// A chain never stands still, and never skips forgetting its start altogether.
const LEAST_MOVES: usize = 1;
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

/// A chain's state, and what stays the same while it runs.
struct Chain {
    theta: Vec<f64>,
    /// L(θ), always finite.
    level: f64,
    bounds: Vec<(f64, f64)>,
    joint: Vec<usize>,
    single: Vec<usize>,
    width: f64,
    /// Do intervals grow before they shrink?
    grows: bool,
}

impl Chain {
    /// `None` if the density is not finite at θ. Hypers with no room to move take no part.
    fn at(target: &mut dyn LogDensity, theta: &[f64], width: f64) -> Option<Self> {
        let level = target.at_inside(theta);
        let hypers = target.hypers();
        let movable = |update| -> Vec<usize> {
            let free = |&i: &usize| hypers[i].update == update && hypers[i].range.0 < hypers[i].range.1;
            (0..hypers.len()).filter(free).collect()
        };
        level.is_finite().then(|| Self {
            theta: theta.to_vec(),
            level,
            bounds: hypers.iter().map(Hyper::bounds).collect(),
            joint: movable(Update::Joint),
            single: movable(Update::Single),
            width,
            grows: true,
        })
    }

    fn iterate(&mut self, target: &mut dyn LogDensity, rng: &mut Rng) {
        self.hop(target, rng);
        self.move_joint(target, rng);
        rng.shuffle(&mut self.single);
        for position in 0..moved_per_iteration(self.single.len()) {
            self.move_single(self.single[position], target, rng);
        }
    }

    /// The priors cancel in the ratio of densities, for the proposal is drawn from them.
    fn hop(&mut self, target: &mut dyn LogDensity, rng: &mut Rng) {
        let prior = |hypers: &[Hyper], theta: &[f64]| -> f64 {
            hypers.iter().zip(theta).map(|(hyper, &at)| hyper.log_density(at)).sum()
        };
        let hypers = target.hypers();
        let proposed: Vec<f64> = hypers
            .iter()
            .zip(&self.theta)
            .map(|(hyper, &at)| if hyper.can_be_drawn() { hyper.sample(rng) } else { at })
            .collect();
        let priors = prior(hypers, &proposed) - prior(hypers, &self.theta);
        let level = target.at_inside(&proposed);
        if libm::log(rng.open_unit()) < level - self.level - priors {
            self.theta = proposed;
            self.level = level;
        }
    }

    fn move_joint(&mut self, target: &mut dyn LogDensity, rng: &mut Rng) {
        if self.joint.is_empty() {
            return;
        }
        let direction = unit_direction(self.joint.len(), rng);
        let mut moved = self.theta.clone();
        let line = |z: f64| {
            for (&i, v) in self.joint.iter().zip(&direction) {
                moved[i] = self.theta[i] + z * v;
                if !inside(self.bounds[i], moved[i]) {
                    return f64::NEG_INFINITY;
                }
            }
            target.at(&moved)
        };
        let (z, level) = step(line, self.level, self.width, self.grows, rng);
        for (&i, v) in self.joint.iter().zip(&direction) {
            self.theta[i] += z * v;
        }
        self.level = level;
    }

    fn move_single(&mut self, coordinate: usize, target: &mut dyn LogDensity, rng: &mut Rng) {
        let (origin, bounds) = (self.theta[coordinate], self.bounds[coordinate]);
        let mut along = target.along(&self.theta, coordinate);
        let line = |z: f64| {
            if inside(bounds, origin + z) { along(origin + z) } else { f64::NEG_INFINITY }
        };
        let (z, level) = step(line, self.level, self.width, self.grows, rng);
        drop(along);
        self.theta[coordinate] = origin + z;
        self.level = level;
    }
}

/// One univariate update from 0 on a line, where the log density is `level`: the new place and its level.
fn step(mut line: impl FnMut(f64) -> f64, level: f64, width: f64, grows: bool, rng: &mut Rng) -> (f64, f64) {
    let height = level + libm::log(rng.open_unit());
    // Asking for > makes NaN, like −∞, a place outside the slice.
    let mut within = |z: f64| Some(line(z)).filter(|&here| here > height);
    let mut high = width * rng.unit();
    let mut low = high - width;
    let steps_out = if grows { MOST_STEPS_OUT } else { 0 };
    for _ in 0..steps_out {
        if within(low).is_none() {
            break;
        }
        low -= width;
    }
    for _ in 0..steps_out {
        if within(high).is_none() {
            break;
        }
        high += width;
    }
    while high - low >= SHORTEST {
        let z = low + (high - low) * rng.unit();
        if let Some(here) = within(z) {
            return (z, here);
        }
        if z < 0.0 {
            low = z;
        } else {
            high = z;
        }
    }
    (0.0, level)
}

/// How many of so many single hypers an iteration moves: which ones is drawn, which keeps the density as well as
/// moving all of them does  [random scan: Roberts & Sahu 1997].
fn moved_per_iteration(single: usize) -> usize {
    if single <= ORDINARY { single } else { (ORDINARY * ORDINARY).div_ceil(single) }
}

fn inside((low, high): (f64, f64), coordinate: f64) -> bool {
    (low..=high).contains(&coordinate)
}

/// Uniform on the sphere.
fn unit_direction(dimensions: usize, rng: &mut Rng) -> Vec<f64> {
    let mut direction: Vec<f64> = (0..dimensions).map(|_| rng.normal()).collect();
    let length = direction.iter().map(|v| v * v).sum::<f64>().sqrt();
    for v in &mut direction {
        *v /= length;
    }
    direction
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "what is exact is claimed exactly")]
mod tests;
