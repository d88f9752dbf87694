//! What a process believes of its length-scales and noise before any data.
use super::GpSpec;
use crate::belief::Belief;
use crate::prior::Prior;
use serde::{Deserialize, Serialize};

/// What is believed of length-scales and noise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LengthPrior {
    /// What `length` and `noise` say.
    #[default]
    LogNormal,
    /// Length-scales that grow with the number of columns compared at once, the noise that goes with them
    /// [Hvarfner et al. 2024]; of `length` the range is kept and `noise` is not looked at.
    DimensionScaled,
}

impl GpSpec {
    /// The length-scales and the noise that `prior` makes of what is given.
    pub(super) fn beliefs(&self) -> (Belief, Belief) {
        match self.prior {
            LengthPrior::LogNormal => (self.length.clone(), self.noise.clone()),
            LengthPrior::DimensionScaled => {
                (Belief { prior: Prior::DimensionScaled, ..self.length.clone() }, Belief::scaled_noise())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prior_by_dimension_keeps_the_range_and_brings_its_noise() {
        let plain = GpSpec::default();
        let scaled = GpSpec { prior: LengthPrior::DimensionScaled, ..plain.clone() };
        assert_eq!(plain.beliefs(), (plain.length.clone(), plain.noise.clone()));
        let (length, noise) = scaled.beliefs();
        assert_eq!(
            (length.prior, length.low, length.high),
            (Prior::DimensionScaled, plain.length.low, plain.length.high)
        );
        assert_eq!(noise, Belief::scaled_noise());
    }
}
