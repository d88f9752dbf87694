//! Slice sampling with a chain that continues from fit to fit, within a computational budget.
//!
//! One more observation hardly changes the density of θ, so the chain can continue instead of
//! starting again. Each fit spends about `work` operations on updates: many sweeps over all hypers
//! for few observations, part of one sweep for many. The hypers to update are chosen at random,
//! which leaves the density invariant  [random scan: Roberts & Sahu 1997]. Every sweep, or the part
//! that the budget allows, adds a state and drops the oldest one.
//!
//! The more observations, the more similar the draws of θ: beyond `few` observations,
//! draws·√(few/n) states are kept, at least three. So the cost of a fit grows like n², without
//! jumps.
//!
//! A new chain first moves to the most probable θ, by gradients where the target has them, and then
//! burns in for four budgets. Intervals step out during burn-in; later they only shrink  [Neal
//! 2003, §4.1].
use super::chain::Chain;
use super::error::at_least_one;
use super::{Component, Inference, InferenceError, LogDensity, Start};
use crate::descent::Descent;
use crate::hyper::Hyper;
use arbora_space::Rng;
use serde::{Deserialize, Serialize};

/// Keeps the last states of a chain that continues from fit to fit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Persistent {
    /// Number of states kept for few observations.
    pub draws: usize,
    /// Up to this many observations count as few.
    pub few: usize,
    /// Millions of operations that a fit spends on updates.
    pub work: f64,
    /// Length of the initial interval, in units of θ.
    pub width: f64,
}

impl Default for Persistent {
    fn default() -> Self {
        Self { draws: 10, few: 40, work: 100.0, width: 1.0 }
    }
}

impl Component<dyn Inference> for Persistent {
    const KIND: &'static str = "persistent";

    fn build(&self, (): ()) -> Result<Box<dyn Inference>, InferenceError> {
        at_least_one(Self::KIND, "draws", self.draws)?;
        at_least_one(Self::KIND, "few", self.few)?;
        for (field, value) in [("width", self.width), ("work", self.work)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(InferenceError::NotPositiveNumber { kind: Self::KIND, field, value });
            }
        }
        Ok(Box::new(*self))
    }
}

/// Operations of an evaluation besides those on matrices.
const OVERHEAD: f64 = 60_000.0;
/// Minimum evaluations per fit, so that the chain always moves.
const LEAST_EVALUATIONS: usize = 12;
/// Maximum evaluations per fit: a few sweeps are enough.
const MOST_EVALUATIONS: usize = 250;
/// Minimum number of states kept.
const LEAST_DRAWS: usize = 3;
/// Number of budgets that a new chain uses for burn-in.
const BURN_IN: usize = 4;
/// Evaluations with gradient spent on finding the most probable θ.
const CLIMB: usize = 30;
/// Number of observations from which the search for the most probable θ pays off.
const WORTH_CLIMBING: usize = 30;

impl Persistent {
    fn kept(&self, observations: usize) -> usize {
        let share = (self.few as f64 / observations.max(1) as f64).sqrt().min(1.0);
        let least = LEAST_DRAWS.min(self.draws);
        ((self.draws as f64 * share).ceil() as usize).clamp(least, self.draws)
    }

    fn budget(&self, target: &dyn LogDensity) -> usize {
        ((1e6 * self.work / (target.work() + OVERHEAD)) as usize).clamp(LEAST_EVALUATIONS, MOST_EVALUATIONS)
    }
}

impl Inference for Persistent {
    fn draw(&self, target: &mut dyn LogDensity, start: &Start, rng: &mut Rng) -> Vec<Vec<f64>> {
        let (kept, budget) = (self.kept(target.observations()), self.budget(target));
        let is_fresh = matches!(start, Start::Fresh(_));
        let from = match start {
            Start::Fresh(theta) if target.observations() >= WORTH_CLIMBING => climb(target, theta),
            _ => start.theta().to_vec(),
        };
        let Some(mut chain) = Chain::at(target, &from, self.width) else { return Vec::new() };
        chain.grows = is_fresh;
        let mut states = match start {
            Start::Continue(states) => states.clone(),
            Start::Fresh(_) => {
                while chain.evaluations < BURN_IN * budget {
                    chain.iterate_until(BURN_IN * budget, target, rng);
                }
                Vec::new()
            }
        };
        chain.grows = false;
        let mut end = chain.evaluations + budget;
        loop {
            chain.iterate_until(end, target, rng);
            states.push(chain.theta.clone());
            if chain.evaluations < end {
                continue;
            }
            if states.len() >= kept || !is_fresh {
                break;
            }
            end = chain.evaluations + budget;
        }
        states.split_off(states.len().saturating_sub(kept))
    }
}

/// The most probable θ near a start; the start itself if there is no gradient.
fn climb(target: &mut dyn LogDensity, from: &[f64]) -> Vec<f64> {
    let bounds: Vec<(f64, f64)> = target.hypers().iter().map(Hyper::bounds).collect();
    if target.with_gradient(from, &mut vec![0.0; from.len()]).is_none() {
        return from.to_vec();
    }
    let descent = Descent { evaluations: CLIMB, ..Descent::default() };
    let lowest = descent.minimize(&bounds, from, |theta, gradient| {
        let value = target.with_gradient(theta, gradient).unwrap_or(f64::NEG_INFINITY);
        for slope in gradient.iter_mut() {
            *slope = -*slope;
        }
        -value
    });
    if lowest.value.is_finite() { lowest.point } else { from.to_vec() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Toy, assert_inference_laws, joint, natural};

    /// A budget for this many evaluations of a toy target, which costs its overhead only.
    fn of_evaluations(count: usize) -> Persistent {
        Persistent { work: count as f64 * OVERHEAD / 1e6, ..Persistent::default() }
    }

    #[test]
    fn laws_hold() {
        assert_inference_laws(&Persistent::default());
        assert_inference_laws(&Persistent { draws: 1, few: 1, ..of_evaluations(1) });
    }

    #[test]
    fn states_are_fewer_and_moves_shorter_with_more_observations() {
        let persistent = Persistent::default();
        let kept: Vec<usize> = (1..2000).map(|n| persistent.kept(n)).collect();
        assert!(kept.is_sorted_by(|a, b| a >= b) && kept.windows(2).all(|pair| pair[0] - pair[1] <= 1));
        assert_eq!((kept[0], kept[39], kept[1998]), (10, 10, 3));
        assert_eq!(Persistent { draws: 2, ..persistent }.kept(2000), 2);
        let toy = Toy::new(vec![natural("x", (0.0, 1.0))], |_| 0.0);
        assert_eq!(of_evaluations(100).budget(&toy), 100);
        assert_eq!(of_evaluations(1).budget(&toy), LEAST_EVALUATIONS);
        assert_eq!(of_evaluations(10_000).budget(&toy), MOST_EVALUATIONS);
    }

    #[test]
    fn a_chain_that_goes_on_follows_the_density_though_no_fit_makes_a_whole_sweep() {
        // Eight correlated normals: x₀ is standard, the others are x₀ plus independent noise.
        let hypers: Vec<Hyper> = (0..8)
            .map(|i| {
                let hyper = natural(&format!("x{i}"), (-50.0, 50.0));
                if i < 2 { joint(hyper) } else { hyper }
            })
            .collect();
        let mut target = Toy::new(hypers, |x| {
            let others: f64 = x[1..].iter().map(|other| (other - x[0]).powi(2)).sum();
            -0.5 * (x[0] * x[0] + others)
        });
        let persistent = Persistent { draws: 4, ..of_evaluations(LEAST_EVALUATIONS) };
        let mut rng = Rng::new(5);
        let mut states = persistent.draw(&mut target, &Start::Fresh(vec![3.0; 8]), &mut rng);
        let fits = 60_000;
        let (mut mean, mut square, mut product) = (0.0, 0.0, 0.0);
        for _ in 0..fits {
            let before = states.clone();
            states = persistent.draw(&mut target, &Start::Continue(states), &mut rng);
            assert_eq!(states.len(), 4);
            assert!(states.starts_with(&before[1..]) || states[0] != before[1], "the oldest go first");
            let x = &states[3];
            (mean, square, product) = (mean + x[0], square + x[5] * x[5], product + x[0] * x[5]);
        }
        let count = f64::from(fits);
        // Var x₅ = 2, Cov(x₀, x₅) = 1; autocorrelation dies out within about twenty fits.
        assert!((mean / count).abs() < 0.08, "{}", mean / count);
        assert!((square / count - 2.0).abs() < 0.2, "{}", square / count);
        assert!((product / count - 1.0).abs() < 0.12, "{}", product / count);
    }

    #[test]
    fn a_chain_begins_at_the_most_probable_theta() {
        struct Many(Toy);
        impl LogDensity for Many {
            fn hypers(&self) -> &[Hyper] {
                self.0.hypers()
            }
            fn observations(&self) -> usize {
                WORTH_CLIMBING
            }
            fn at(&mut self, theta: &[f64]) -> f64 {
                self.0.at(theta)
            }
            fn along<'a>(&'a mut self, theta: &[f64], coordinate: usize) -> Box<dyn FnMut(f64) -> f64 + 'a> {
                self.0.along(theta, coordinate)
            }
            fn with_gradient(&mut self, theta: &[f64], gradient: &mut [f64]) -> Option<f64> {
                self.0.with_gradient(theta, gradient)
            }
        }
        // So narrow and so far away that slice sampling alone would not get there.
        let far = |x: f64| -0.5 * ((x - 40.0) / 1e-3).powi(2);
        let toy = Toy::new(vec![natural("x", (-50.0, 50.0))], move |theta| far(theta[0]))
            .with(|theta, gradient| gradient[0] = -(theta[0] - 40.0) / 1e-6);
        let draws = of_evaluations(20).draw(&mut Many(toy), &Start::Fresh(vec![-40.0]), &mut Rng::new(1));
        assert!(draws.iter().all(|theta| (theta[0] - 40.0).abs() < 0.01), "{draws:?}");
    }
}
