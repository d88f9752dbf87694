//! What a process believes of its length-scales and noise before any data, and when.
use super::GpSpec;
use crate::belief::Belief;
use crate::prior::Prior;
use arbora_space::Layout;
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
    /// The second where more than [`NARROW`] columns vary, the first elsewhere: in wide spaces short length-scales make
    /// every place look new, in narrow ones long length-scales and much noise smooth away what can be learnt.
    Fitting,
}

/// Columns that may vary before length-scales are believed to grow with their number. Chosen on problems of 2 to 38
/// parameters: up to 7 the plain belief was ahead, from 14 on the scaled one.
pub const NARROW: usize = 10;

impl GpSpec {
    /// The length-scales and the noise that `prior` makes of what is given.
    pub(super) fn beliefs(&self, layout: &Layout) -> (Belief, Belief) {
        let varying = layout.columns.iter().filter(|column| !column.is_fixed).count();
        match self.prior {
            LengthPrior::LogNormal => (self.length.clone(), self.noise.clone()),
            LengthPrior::Fitting if varying <= NARROW => (self.length.clone(), self.noise.clone()),
            LengthPrior::DimensionScaled | LengthPrior::Fitting => {
                (Belief { prior: Prior::DimensionScaled, ..self.length.clone() }, Belief::scaled_noise())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbora_space::{Param, Space};

    #[test]
    fn the_belief_follows_the_columns_that_vary() {
        let beliefs = |prior, columns: usize, fixed: i64| {
            let varying = (0..columns).map(|i| Param::real(format!("x{i}"), 0.0, 1.0));
            let fixed = (0..fixed).map(|i| Param::integer(format!("k{i}"), i, i));
            let space = Space::new(varying.chain(fixed).collect::<Vec<_>>()).unwrap();
            GpSpec { prior, ..GpSpec::default() }.beliefs(space.layout())
        };
        let (plain, scaled) =
            (beliefs(LengthPrior::LogNormal, 3, 0), beliefs(LengthPrior::DimensionScaled, 3, 0));
        assert_ne!(plain, scaled);
        assert_eq!(beliefs(LengthPrior::Fitting, NARROW, 5), plain);
        assert_eq!(beliefs(LengthPrior::Fitting, NARROW + 1, 0), scaled);
    }
}
