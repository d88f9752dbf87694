//! Hypers: the hyperparameters of a model. The order of a list of hypers is the order of θ.
use crate::prior::HyperPrior;
use arbora_space::Rng;

/// How a hyper maps to a coordinate of θ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transform {
    /// θ is the value itself.
    Natural,
    /// θ is its logarithm; densities include the Jacobian.
    Log,
    /// The value is a whole number in [low, high): θ rounded down. This gives unordered values a
    /// coordinate, along which the density is piecewise constant.
    Step,
}

/// Which slice update moves a hyper  [Spearmint practice; Lévesque et al. 2017].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// Moved together with the other joint hypers, along one random direction.
    Joint,
    /// Moved alone, in the sweep over single coordinates.
    Single,
}

/// One hyper: its name, range, transform and prior.
#[derive(Clone, Debug, PartialEq)]
pub struct Hyper {
    /// Stable across refits and changed spaces, such as `mean` or `length:svm.C`.
    pub name: String,
    /// How it maps to θ.
    pub transform: Transform,
    /// Lowest and highest value, in natural units.
    pub range: (f64, f64),
    /// Density in natural units.
    pub prior: HyperPrior,
    /// How the slice sampler moves it.
    pub update: Update,
    /// Start of a chain that has no state to continue from, in natural units.
    pub start: f64,
}

impl Hyper {
    /// The value, in natural units, at a coordinate of θ.
    pub fn value(&self, coordinate: f64) -> f64 {
        match self.transform {
            Transform::Natural => coordinate,
            Transform::Log => libm::exp(coordinate),
            Transform::Step => coordinate.floor().min(self.range.1 - 1.0).max(self.range.0),
        }
    }

    /// The coordinate of θ for a value in natural units.
    pub fn coordinate(&self, value: f64) -> f64 {
        match self.transform {
            Transform::Natural | Transform::Step => value,
            Transform::Log => libm::log(value),
        }
    }

    /// The derivative of the value with respect to its coordinate.
    pub fn value_slope(&self, coordinate: f64) -> f64 {
        match self.transform {
            Transform::Natural => 1.0,
            Transform::Log => libm::exp(coordinate),
            Transform::Step => 0.0,
        }
    }

    /// The range as coordinates of θ.
    pub fn bounds(&self) -> (f64, f64) {
        (self.coordinate(self.range.0), self.coordinate(self.range.1))
    }

    /// Log density of the coordinate, including the Jacobian; −∞ outside the range.
    pub fn log_density(&self, coordinate: f64) -> f64 {
        let (low, high) = self.bounds();
        if !(low..=high).contains(&coordinate) {
            return f64::NEG_INFINITY;
        }
        let jacobian = match self.transform {
            Transform::Natural | Transform::Step => 0.0,
            Transform::Log => coordinate,
        };
        self.prior.log_density(self.value(coordinate)) + jacobian
    }

    /// Derivative of `log_density` with respect to the coordinate; 0 outside the range.
    pub fn log_density_slope(&self, coordinate: f64) -> f64 {
        let (low, high) = self.bounds();
        if !(low..=high).contains(&coordinate) {
            return 0.0;
        }
        let value = self.value(coordinate);
        match self.transform {
            Transform::Natural => self.prior.log_density_slope(value),
            Transform::Step => 0.0,
            Transform::Log => value * self.prior.log_density_slope(value) + 1.0,
        }
    }

    /// The coordinate of the prior's median, clamped to the range; the middle of the range if the
    /// prior is flat.
    pub fn median(&self) -> f64 {
        let (low, high) = self.range;
        self.coordinate(
            self.prior.median().map_or_else(|| self.inside(0.5), |value| value.max(low).min(high)),
        )
    }

    /// The coordinate of a draw from the prior, restricted to the range: redrawn while outside,
    /// clamped after 100 attempts.
    pub fn sample(&self, rng: &mut Rng) -> f64 {
        let (low, high) = self.range;
        let mut value = low;
        for _ in 0..100 {
            value = self.prior.sample(rng).unwrap_or_else(|| self.inside(rng.unit()));
            if (low..=high).contains(&value) {
                break;
            }
        }
        self.coordinate(value.max(low).min(high))
    }

    /// True if the prior on the range is a proper distribution and the range is not a single value.
    pub fn can_be_drawn(&self) -> bool {
        let (low, high) = self.range;
        low < high && (self.prior != HyperPrior::Flat || (low.is_finite() && high.is_finite()))
    }

    /// The value at this fraction of the range; `start` if the range is unbounded.
    fn inside(&self, share: f64) -> f64 {
        let (low, high) = self.range;
        if low.is_finite() && high.is_finite() { low + share * (high - low) } else { self.start }
    }
}

/// θ at the start of every hyper.
pub fn starts(hypers: &[Hyper]) -> Vec<f64> {
    hypers.iter().map(|hyper| hyper.coordinate(hyper.start)).collect()
}

/// The log prior density of θ; −∞ outside the ranges.
pub fn log_prior(hypers: &[Hyper], theta: &[f64]) -> f64 {
    hypers.iter().zip(theta).map(|(hyper, &at)| hyper.log_density(at)).sum()
}

/// The same, with its derivatives written to `gradient`.
pub fn log_prior_with_gradient(hypers: &[Hyper], theta: &[f64], gradient: &mut [f64]) -> f64 {
    for ((slope, hyper), &at) in gradient.iter_mut().zip(hypers).zip(theta) {
        *slope = hyper.log_density_slope(at);
    }
    log_prior(hypers, theta)
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "exact results are compared exactly")]
mod tests {
    use super::*;

    fn hyper(transform: Transform, range: (f64, f64), prior: HyperPrior) -> Hyper {
        Hyper { name: "h".into(), transform, range, prior, update: Update::Single, start: 1.0 }
    }

    #[test]
    fn slope_is_a_central_difference_jacobian_included() {
        for prior in [
            HyperPrior::LogNormal { mu: 0.2, sigma: 1.1 },
            HyperPrior::Horseshoe { scale: 1.0 },
            HyperPrior::Flat,
        ] {
            for transform in [Transform::Natural, Transform::Log] {
                let hyper = hyper(transform, (1e-3, 50.0), prior);
                for coordinate in [0.1, 0.7, 1.9] {
                    let h = 1e-5;
                    let difference =
                        (hyper.log_density(coordinate + h) - hyper.log_density(coordinate - h)) / (2.0 * h);
                    let slope = hyper.log_density_slope(coordinate);
                    assert!((slope - difference).abs() < 1e-5 * slope.abs().max(1e-2), "{hyper:?}");
                }
            }
        }
    }

    #[test]
    fn steps_are_whole_and_keep_their_value() {
        let hyper = hyper(Transform::Step, (0.0, 3.0), HyperPrior::Flat);
        assert_eq!(
            [-0.5, 0.0, 0.99, 1.0, 2.5, 3.0].map(|at| hyper.value(at)),
            [0.0, 0.0, 0.0, 1.0, 2.0, 2.0]
        );
        let mut rng = Rng::new(4);
        for _ in 0..100 {
            let value = hyper.value(hyper.sample(&mut rng));
            assert_eq!(hyper.value(hyper.coordinate(value)), value);
        }
        assert_eq!(hyper.bounds(), (0.0, 3.0));
    }

    #[test]
    fn draws_and_median_stay_in_the_range() {
        let mut rng = Rng::new(2);
        for prior in [
            HyperPrior::LogNormal { mu: 9.0, sigma: 0.1 },
            HyperPrior::Horseshoe { scale: 1.0 },
            HyperPrior::Flat,
        ] {
            let hyper = hyper(Transform::Log, (0.5, 2.0), prior);
            let (low, high) = hyper.bounds();
            assert!((low..=high).contains(&hyper.median()), "{prior:?}");
            for _ in 0..200 {
                assert!((low..=high).contains(&hyper.sample(&mut rng)), "{prior:?}");
            }
        }
    }

    #[test]
    fn a_flat_prior_is_uniform_on_its_range() {
        let hyper = hyper(Transform::Natural, (-1.0, 3.0), HyperPrior::Flat);
        let mut rng = Rng::new(3);
        let n = 10_000;
        let mean = (0..n).map(|_| hyper.sample(&mut rng)).sum::<f64>() / f64::from(n);
        assert!((mean - 1.0).abs() < 4.0 * (16.0_f64 / 12.0 / f64::from(n)).sqrt());
        assert_eq!(hyper.median(), 1.0);
    }
}
