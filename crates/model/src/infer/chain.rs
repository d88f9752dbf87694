//! A Markov chain over θ and its updates: proposals from the prior, and slices along one direction
//! [Neal 2003].
use super::LogDensity;
use crate::hyper::{Hyper, Update};
use arbora_space::Rng;

/// Maximum number of steps out at each end.
const MOST_STEPS_OUT: usize = 1000;
/// An interval shorter than this contains only its origin.
const SHORTEST: f64 = 1e-12;

/// Up to this many single hypers, every iteration moves all of them. An update costs as much as
/// there are hypers, so beyond this number an iteration moves a random subset, sized to keep its
/// cost constant.
const ORDINARY: usize = 100;

/// The state of a chain, and the settings of its run.
pub(super) struct Chain {
    pub(super) theta: Vec<f64>,
    /// L(θ), always finite.
    level: f64,
    bounds: Vec<(f64, f64)>,
    joint: Vec<usize>,
    single: Vec<usize>,
    width: f64,
    /// Do intervals step out before they shrink?
    pub(super) grows: bool,
    /// Evaluations of the density so far.
    pub(super) evaluations: usize,
}

impl Chain {
    /// `None` if the density at θ is not finite. Hypers whose range is a single value do not move.
    pub(super) fn at(target: &mut dyn LogDensity, theta: &[f64], width: f64) -> Option<Self> {
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
            evaluations: 1,
        })
    }

    pub(super) fn iterate(&mut self, target: &mut dyn LogDensity, rng: &mut Rng) {
        self.propose_from_prior(target, rng);
        self.move_joint(target, rng);
        rng.shuffle(&mut self.single);
        for position in 0..moved_per_iteration(self.single.len()) {
            self.move_single(self.single[position], target, rng);
        }
    }

    /// Moves the joint hypers, then single ones in random order, until all have moved or the
    /// evaluations are used up. The joint ones always move.
    pub(super) fn iterate_until(&mut self, evaluations: usize, target: &mut dyn LogDensity, rng: &mut Rng) {
        self.propose_from_prior(target, rng);
        self.move_joint(target, rng);
        rng.shuffle(&mut self.single);
        for position in 0..self.single.len() {
            if self.evaluations >= evaluations {
                return;
            }
            self.move_single(self.single[position], target, rng);
        }
    }

    /// Metropolis step with a proposal from the prior, so the priors cancel in the acceptance
    /// ratio.
    pub(super) fn propose_from_prior(&mut self, target: &mut dyn LogDensity, rng: &mut Rng) {
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
        self.evaluations += 1;
        if libm::log(rng.open_unit()) < level - self.level - priors {
            self.theta = proposed;
            self.level = level;
        }
    }

    pub(super) fn move_joint(&mut self, target: &mut dyn LogDensity, rng: &mut Rng) {
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
        let (z, level, evaluations) = step(line, self.level, self.width, self.grows, rng);
        self.evaluations += evaluations;
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
        let (z, level, evaluations) = step(line, self.level, self.width, self.grows, rng);
        drop(along);
        self.evaluations += evaluations;
        self.theta[coordinate] = origin + z;
        self.level = level;
    }
}

/// One univariate update from 0 on a line, where the log density is `level`. Returns the new
/// position, its log density, and the number of evaluations.
fn step(
    mut line: impl FnMut(f64) -> f64,
    level: f64,
    width: f64,
    grows: bool,
    rng: &mut Rng,
) -> (f64, f64, usize) {
    let mut evaluations = 0;
    let height = level + libm::log(rng.open_unit());
    // Comparing with `>` puts NaN, like −∞, outside the slice.
    let mut within = |z: f64| {
        evaluations += 1;
        Some(line(z)).filter(|&here| here > height)
    };
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
            return (z, here, evaluations);
        }
        if z < 0.0 {
            low = z;
        } else {
            high = z;
        }
    }
    (0.0, level, evaluations)
}

/// How many single hypers an iteration moves. They are drawn at random, which leaves the density
/// invariant just as moving all of them does  [random scan: Roberts & Sahu 1997].
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
