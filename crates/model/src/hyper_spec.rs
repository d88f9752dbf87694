//! The settings of one hyper in a spec: its prior, its range, and where a chain starts.
use crate::error::SpecError;
use crate::hyper::{Hyper, Transform, Update};
use crate::prior::HyperPrior;
use serde::{Deserialize, Serialize};

/// Prior, range and start of a positive hyper, in natural units.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HyperSpec {
    /// Density before any data.
    pub prior: HyperPrior,
    /// Lowest value.
    pub low: f64,
    /// Highest value.
    pub high: f64,
    /// Start of a chain that has no state to continue from.
    pub start: f64,
}

impl HyperSpec {
    /// Length-scales on the unit cube: ln ℓ ~ N(0, 1)  [Lévesque et al. 2017].
    pub fn length() -> Self {
        Self { prior: HyperPrior::LogNormal { mu: 0.0, sigma: 1.0 }, low: 1e-2, high: 20.0, start: 1.0 }
    }

    /// Standard deviation of the function, for losses scaled to standard deviation one:
    /// ln σ_f ~ N(0, 1).
    pub fn amplitude() -> Self {
        let (low, high) = (libm::exp(-5.0), libm::exp(5.0));
        Self { prior: HyperPrior::LogNormal { mu: 0.0, sigma: 1.0 }, low, high, start: 1.0 }
    }

    /// Standard deviation of the noise: σ_n ~ horseshoe(1). A chain starts at a variance of 10⁻³.
    pub fn noise() -> Self {
        Self {
            prior: HyperPrior::Horseshoe { scale: 1.0 },
            low: 1e-5,
            high: 1.0,
            start: 0.031_622_776_601_683_79,
        }
    }

    /// The noise that goes with dimension-scaled length-scales: variance ~ log-normal(−4, 1), that
    /// is, ln σ_n ~ N(−2, ½)  [Hvarfner et al. 2024].
    pub fn scaled_noise() -> Self {
        let prior = HyperPrior::LogNormal { mu: -2.0, sigma: 0.5 };
        Self { prior, start: libm::exp(-2.0), ..Self::noise() }
    }

    /// The same settings for one of `dimensions` length-scales. This changes only a
    /// dimension-scaled prior, which then starts at its mode and reaches two deviations beyond its
    /// median.
    #[must_use]
    pub fn for_dimensions(&self, dimensions: usize) -> Self {
        if self.prior != HyperPrior::DimensionScaled {
            return self.clone();
        }
        let (prior, root) = (HyperPrior::scaled(dimensions), (dimensions.max(1) as f64).sqrt());
        let (mu, sigma) = (std::f64::consts::SQRT_2, 3.0_f64.sqrt());
        let (mode, far) = (libm::exp(mu - 3.0) * root, libm::exp(mu + 2.0 * sigma) * root);
        let high = self.high.max(far);
        Self { prior, low: self.low, high, start: mode.clamp(self.low, high) }
    }

    /// Checks the range, the start and the prior. A surrogate calls this when it is built, for each
    /// of its hypers.
    pub fn check(&self, name: &'static str) -> Result<(), SpecError> {
        let Self { low, high, start, .. } = *self;
        if !(low > 0.0 && low < high && high.is_finite()) {
            return Err(SpecError::EmptyRange { hyper: name, low, high });
        }
        if !(low..=high).contains(&start) {
            return Err(SpecError::StartOutside { hyper: name, start, low, high });
        }
        match self.prior.invalid_setting() {
            Some((setting, value)) => Err(SpecError::NotAPrior { hyper: name, setting, value }),
            None => Ok(()),
        }
    }

    /// The hyper with this name, on a log scale.
    pub fn hyper(&self, name: String, update: Update) -> Hyper {
        let range = (self.low, self.high);
        Hyper { name, transform: Transform::Log, range, prior: self.prior, update, start: self.start }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_sound() {
        for spec in
            [HyperSpec::length(), HyperSpec::amplitude(), HyperSpec::noise(), HyperSpec::scaled_noise()]
        {
            assert_eq!(spec.check("any"), Ok(()));
        }
        assert!((HyperSpec::noise().start.powi(2) - 1e-3).abs() < 1e-18);
    }

    #[test]
    fn only_a_dimension_scaled_belief_minds_its_neighbours() {
        assert_eq!(HyperSpec::length().for_dimensions(9), HyperSpec::length());
        let scaled = HyperSpec { prior: HyperPrior::DimensionScaled, ..HyperSpec::length() };
        assert_eq!(scaled.for_dimensions(9).prior, HyperPrior::scaled(9));
        assert!(
            scaled.for_dimensions(9).high > 300.0 && (scaled.for_dimensions(9).start - 0.614).abs() < 1e-3
        );
        for dimensions in [0, 1, 2, 1000] {
            assert_eq!(scaled.for_dimensions(dimensions).check("length"), Ok(()));
        }
    }

    #[test]
    fn nonsense_is_refused_by_name() {
        let base = HyperSpec::length();
        let empty = HyperSpec { low: 3.0, high: 2.0, ..base.clone() }.check("length");
        assert_eq!(empty, Err(SpecError::EmptyRange { hyper: "length", low: 3.0, high: 2.0 }));
        assert!(matches!(
            HyperSpec { low: 0.0, ..base.clone() }.check("length"),
            Err(SpecError::EmptyRange { .. })
        ));
        let outside = HyperSpec { start: 50.0, ..base.clone() }.check("length");
        assert!(matches!(outside, Err(SpecError::StartOutside { start: 50.0, .. })));
        let prior = HyperPrior::LogNormal { mu: 0.0, sigma: -1.0 };
        let improper = HyperSpec { prior, ..base }.check("length");
        assert_eq!(improper, Err(SpecError::NotAPrior { hyper: "length", setting: "sigma", value: -1.0 }));
    }
}
