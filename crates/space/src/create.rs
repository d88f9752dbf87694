//! From a space as written to one that is checked and frozen.
use crate::build;
use crate::error::SpaceError;
use crate::feasible;
use crate::space::Space;
use crate::spec::SpaceSpec;

impl Space {
    /// Checks a space as written and freezes it.
    pub fn new(spec: impl Into<SpaceSpec>) -> Result<Self, SpaceError> {
        let spec = spec.into();
        let built = build::build(&spec)?;
        let mut space = Self::assemble(spec, built);
        feasible::check(&space)?;
        space.place_columns();
        Ok(space)
    }
}
