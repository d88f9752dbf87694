//! Hypers: what a model tunes about itself. The order of a list of hypers is the order of θ.
use crate::prior::Prior;

/// How a hyper is written as a coordinate of θ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transform {
    /// θ is the quantity itself.
    Natural,
    /// θ is its logarithm; densities carry the Jacobian.
    Log,
}

/// Which slice update moves a hyper  [Spearmint practice; Lévesque et al. 2017].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// Moved together with the other joint ones, along one random direction.
    Joint,
    /// Moved on its own, in the sweep over single coordinates.
    Single,
}

/// One hyper: its name, the range it is kept in, how θ writes it, what was believed before any data.
#[derive(Clone, Debug, PartialEq)]
pub struct Hyper {
    /// Stable across refits and changed spaces, such as `mean` or `length:svm.C`.
    pub name: String,
    /// How θ writes it.
    pub transform: Transform,
    /// Lowest and highest value, in natural units.
    pub range: (f64, f64),
    /// Density in natural units.
    pub prior: Prior,
    /// How the slice sampler moves it.
    pub update: Update,
    /// Where a chain starts that remembers nothing, in natural units.
    pub start: f64,
}

impl Hyper {
    /// The natural quantity that a coordinate of θ stands for.
    pub fn value(&self, coordinate: f64) -> f64 {
        match self.transform {
            Transform::Natural => coordinate,
            Transform::Log => libm::exp(coordinate),
        }
    }

    /// The coordinate of θ that stands for a natural quantity.
    pub fn coordinate(&self, value: f64) -> f64 {
        match self.transform {
            Transform::Natural => value,
            Transform::Log => libm::log(value),
        }
    }

    /// The range as coordinates of θ.
    pub fn bounds(&self) -> (f64, f64) {
        (self.coordinate(self.range.0), self.coordinate(self.range.1))
    }

    /// Log density of the coordinate, Jacobian included; −∞ outside the range.
    pub fn log_density(&self, coordinate: f64) -> f64 {
        let (low, high) = self.bounds();
        if !(low..=high).contains(&coordinate) {
            return f64::NEG_INFINITY;
        }
        let jacobian = match self.transform {
            Transform::Natural => 0.0,
            Transform::Log => coordinate,
        };
        self.prior.log_density(self.value(coordinate)) + jacobian
    }
}
