//! The most probable θ by global search, with optional local descent  [Zaefferer & Horn 2018, §5].
//!
//! DIRECT within the bounds; with `polish` also L-BFGS-B from the best box and from the given
//! start, and a try of every value of every discrete hyper. A total of 200 evaluations without
//! polish is what the paper's text says; 200 per hyper is what its authors' code does. Few
//! evaluations give a coarse optimum, and on ten points a coarse optimum can predict better than
//! the true one: docs/REPRODUCTION.md, X6. Deterministic: uses no random numbers. For likelihoods
//! with many modes and few hypers; `map` is cheaper if priors are informative.
use crate::direct::Direct;
use arbora_model::component::Component;
use arbora_model::descent::{Descent, Minimum};
use arbora_model::hyper::{Hyper, Transform};
use arbora_model::infer::{Estimate, Inference, InferenceError, LogDensity, Start, with_differences};
use arbora_space::Rng;
use serde::{Deserialize, Serialize};

/// Searches the whole box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GlobalSearch {
    /// Evaluations of the search, per hyper or in total.
    pub evaluations: usize,
    /// Is `evaluations` per hyper?
    pub per_hyper: bool,
    /// What is maximised.
    pub estimate: Estimate,
    /// Improve the best point by gradients?
    pub polish: bool,
}

/// Maximum evaluations of each descent.
const DESCENT: usize = 100;

impl Default for GlobalSearch {
    fn default() -> Self {
        Self { evaluations: 200, per_hyper: true, estimate: Estimate::Likelihood, polish: true }
    }
}

impl Component<dyn Inference> for GlobalSearch {
    const KIND: &'static str = "direct";

    fn build(&self, (): ()) -> Result<Box<dyn Inference>, InferenceError> {
        if self.evaluations == 0 {
            let (kind, field, value) = (Self::KIND, "evaluations", 0);
            return Err(InferenceError::NotPositive { kind, field, value });
        }
        Ok(Box::new(*self))
    }
}

impl Inference for GlobalSearch {
    fn draw(&self, target: &mut dyn LogDensity, start: &Start, _rng: &mut Rng) -> Vec<Vec<f64>> {
        let hypers = target.hypers().to_vec();
        let bounds: Vec<(f64, f64)> = hypers.iter().map(Hyper::bounds).collect();
        let evaluations = self.evaluations * if self.per_hyper { hypers.len().max(1) } else { 1 };
        let mut best = Direct { evaluations, ..Direct::default() }.minimize(&bounds, |points| {
            points.iter().map(|theta| self.negative_density(target, &hypers, theta)).collect()
        });
        if self.polish {
            best = self.descend(target, &hypers, &bounds, best);
            if let Some(other) = self.near_start(target, &hypers, &bounds, start.theta())
                && other.value < best.value
            {
                best = other;
            }
            best = self.climb_stairs(target, &hypers, &bounds, best);
        }
        if target.at_inside(&best.point).is_finite() { vec![best.point] } else { Vec::new() }
    }
}

impl GlobalSearch {
    /// The end of a descent from the given start; `None` if the density there is not finite.
    fn near_start(
        &self,
        target: &mut dyn LogDensity,
        hypers: &[Hyper],
        bounds: &[(f64, f64)],
        given: &[f64],
    ) -> Option<Minimum> {
        let density = target.at_inside(given);
        let value = -self.less_prior(hypers, given, density);
        let given = Minimum { point: given.to_vec(), value, evaluations: 1 };
        density.is_finite().then(|| self.descend(target, hypers, bounds, given))
    }

    fn less_prior(&self, hypers: &[Hyper], theta: &[f64], density: f64) -> f64 {
        let prior = |(hyper, &at): (&Hyper, &f64)| hyper.log_density(at);
        match self.estimate {
            Estimate::Posterior => density,
            Estimate::Likelihood => density - hypers.iter().zip(theta).map(prior).sum::<f64>(),
        }
    }

    fn negative_density(&self, target: &mut dyn LogDensity, hypers: &[Hyper], theta: &[f64]) -> f64 {
        let density = target.at(theta);
        -self.less_prior(hypers, theta, density)
    }

    /// The end of a descent, or its start if nothing is better.
    fn descend(
        &self,
        target: &mut dyn LogDensity,
        hypers: &[Hyper],
        bounds: &[(f64, f64)],
        from: Minimum,
    ) -> Minimum {
        let descent = Descent { evaluations: DESCENT, ..Descent::default() };
        let end = descent.minimize(bounds, &from.point, |theta, gradient| {
            let density = match target.with_gradient(theta, gradient) {
                Some(density) => density,
                None => with_differences(target, theta, gradient),
            };
            for ((slope, hyper), &at) in gradient.iter_mut().zip(hypers).zip(theta) {
                let prior =
                    if self.estimate == Estimate::Likelihood { hyper.log_density_slope(at) } else { 0.0 };
                *slope = prior - *slope;
            }
            -self.less_prior(hypers, theta, density)
        });
        if end.value < from.value { end } else { from }
    }

    /// Tries every value of every discrete hyper in turn, and descends from each improvement.
    fn climb_stairs(
        &self,
        target: &mut dyn LogDensity,
        hypers: &[Hyper],
        bounds: &[(f64, f64)],
        mut best: Minimum,
    ) -> Minimum {
        let stairs = hypers.iter().enumerate().filter(|(_, hyper)| hyper.transform == Transform::Step);
        for (i, hyper) in stairs {
            let mut level = hyper.range.0;
            while level < hyper.range.1 {
                let mut point = best.point.clone();
                point[i] = level + 0.5;
                let value = self.negative_density(target, hypers, &point);
                if value < best.value {
                    best = self.descend(target, hypers, bounds, Minimum { point, value, evaluations: 1 });
                }
                level += 1.0;
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbora_model::prior::HyperPrior;
    use arbora_model::testing::{Toy, assert_inference_laws, natural};

    #[test]
    fn laws_hold() {
        for estimate in [Estimate::Likelihood, Estimate::Posterior] {
            for polish in [true, false] {
                assert_inference_laws(&GlobalSearch {
                    estimate,
                    polish,
                    evaluations: 40,
                    ..GlobalSearch::default()
                });
            }
        }
    }

    /// Two bowls, the deeper one far from the start, where a descent finds the other one.
    #[test]
    fn the_deeper_of_two_bowls_is_found() {
        let bowl = |x: f64, c: f64, depth: f64| depth * (-40.0 * (x - c) * (x - c)).exp();
        let density =
            move |theta: &[f64]| bowl(theta[0], -1.5, 1.0) + bowl(theta[0], 1.37, 2.0) - theta[1].powi(2);
        let mut toy = Toy::new(vec![natural("x", (-3.0, 2.0)), natural("y", (-1.0, 3.0))], density);
        let start = Start::Continue(vec![vec![-1.4, 0.1]]);
        let draws = GlobalSearch::default().draw(&mut toy, &start, &mut Rng::new(0));
        assert!((draws[0][0] - 1.37).abs() < 1e-3 && draws[0][1].abs() < 1e-3, "{draws:?}");
    }

    #[test]
    fn every_level_is_tried() {
        let level =
            Hyper { transform: Transform::Step, prior: HyperPrior::Flat, ..natural("level", (0.0, 9.0)) };
        let density = |theta: &[f64]| f64::from(theta[0].floor() == 7.0) - (theta[1] - 0.5).powi(2);
        let mut toy = Toy::new(vec![level, natural("x", (0.0, 4.0))], density);
        let search = GlobalSearch { evaluations: 3, per_hyper: false, ..GlobalSearch::default() };
        let draws = search.draw(&mut toy, &Start::Fresh(vec![0.0, 0.0]), &mut Rng::new(0));
        assert!(draws[0][0].floor() == 7.0 && (draws[0][1] - 0.5).abs() < 1e-3, "{draws:?}");
    }

    /// Without polish, θ is the best centre of a box, and the evaluation budget is kept.
    #[test]
    fn without_polish_the_budget_is_all_there_is() {
        let counted = std::rc::Rc::new(std::cell::Cell::new(0));
        let asked = counted.clone();
        let density = move |theta: &[f64]| {
            asked.set(asked.get() + 1);
            -(theta[0] - 0.4).powi(2) - (theta[1] - 0.8).powi(2)
        };
        let mut toy = Toy::new(vec![natural("x", (0.0, 1.0)), natural("y", (0.0, 1.0))], density);
        let search =
            GlobalSearch { evaluations: 30, per_hyper: false, polish: false, ..GlobalSearch::default() };
        let draws = search.draw(&mut toy, &Start::Fresh(vec![0.4, 0.8]), &mut Rng::new(0));
        // The last round of divisions is completed, and the result is evaluated once more.
        assert!((30..=50).contains(&counted.get()), "{}", counted.get());
        let is_centre =
            |x: f64| (1..=6).any(|k| ((x * 3f64.powi(k) * 2.0) % 2.0 - 1.0).abs() < 1e-9) || x == 0.5;
        assert!(draws[0].iter().all(|&x| is_centre(x)), "{draws:?}");
        assert!((draws[0][0] - 0.4).abs() < 0.1 && (draws[0][1] - 0.8).abs() < 0.1, "{draws:?}");
    }
}
