//! Ancestral sampling: parents first, every active parameter from its prior.
//!
//! Each branch of a choice is as likely as its weight says, however many parameters it brings: this is the
//! "uniform" random search of Lévesque et al. 2017.
use crate::configuration::Configuration;
use crate::error::SpaceError;
use crate::feasible;
use crate::prior_sampling;
use crate::rng::Rng;
use crate::space::Space;
use std::convert::Infallible;

/// Rejection keeps the prior exact; after this many misses a search that cannot overlook a way takes over.
const REJECTIONS: usize = 64;

impl Space {
    /// A random configuration that breaks no constraint.
    ///
    /// Without constraints this never fails. With them, draws are rejected first, which is exact; if that does not
    /// hit, values are chosen one by one from what the constraints leave, backtracking where need be.
    pub fn sample(&self, rng: &mut Rng) -> Result<Configuration, SpaceError> {
        for _ in 0..REJECTIONS {
            let drawn = self.sample_unconstrained(rng);
            if self.violated(&drawn).is_none() {
                return Ok(drawn);
            }
        }
        feasible::sample(self, rng)
    }

    /// A random configuration, constraints ignored.
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
