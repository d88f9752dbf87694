//! Ancestral sampling: parents first, each active parameter from its prior.
//!
//! The probability of a branch of a choice is given by its weight, however many parameters the
//! branch has: the "uniform" random search of Lévesque et al. 2017.
use crate::configuration::Configuration;
use crate::error::SpaceError;
use crate::feasible;
use crate::prior_sampling;
use crate::rng::Rng;
use crate::space::Space;
use std::convert::Infallible;

/// Rejection sampling keeps the prior exact; after this many rejections, a complete search takes
/// over.
const REJECTIONS: usize = 64;

impl Space {
    /// A random configuration that violates no constraint.
    ///
    /// Without constraints this never fails. With constraints, it first uses rejection sampling,
    /// which is exact. If that finds nothing, it chooses values one by one from those the
    /// constraints allow, backtracking if necessary.
    pub fn sample(&self, rng: &mut Rng) -> Result<Configuration, SpaceError> {
        for _ in 0..REJECTIONS {
            let drawn = self.sample_unconstrained(rng);
            if self.violated(&drawn).is_none() {
                return Ok(drawn);
            }
        }
        feasible::sample(self, rng)
    }

    /// A random configuration, ignoring constraints.
    pub(crate) fn sample_unconstrained(&self, rng: &mut Rng) -> Configuration {
        let drawn = self.walk(|id, _| {
            let parameter = self.parameter(id);
            Ok::<_, Infallible>(prior_sampling::sample(parameter.domain(), parameter.prior(), rng))
        });
        match drawn {
            Ok(configuration) => configuration,
        }
    }
}
