//! `Space::new`: checks a spec and builds the space.
use crate::build;
use crate::error::SpaceError;
use crate::feasible;
use crate::space::Space;
use crate::spec::SpaceSpec;

impl Space {
    /// Checks a spec and builds the space.
    pub fn new(spec: impl Into<SpaceSpec>) -> Result<Self, SpaceError> {
        let spec = spec.into();
        let built = build::build(&spec)?;
        let mut space = Self::assemble(spec, built);
        feasible::check(&space)?;
        space.place_columns();
        Ok(space)
    }
}
