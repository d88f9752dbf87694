//! What each format is called, which files have it, how it is read and written.
use crate::error::SpaceError;
use crate::space::Space;
use crate::spec::SpaceSpec;

/// All there is to know about a format; each has its own in its file.
pub(super) struct Description {
    /// What users and messages call it.
    pub(super) name: &'static str,
    /// How the names of its files end, without the dot; the first is the one to write.
    pub(super) extensions: &'static [&'static str],
    /// Tells its files from those of another format with the same ending.
    pub(super) recognizes: Option<fn(&str) -> bool>,
    pub(super) read: fn(&str) -> Result<SpaceSpec, SpaceError>,
    pub(super) write: Writer,
}

/// What it takes to write a format.
pub(super) enum Writer {
    /// It holds whatever was declared, also what is not a whole space yet.
    Spec(fn(&SpaceSpec) -> Result<String, SpaceError>),
    /// It holds whole spaces.
    Space(fn(&Space) -> Result<String, SpaceError>),
    /// It is read only.
    Nothing,
}
