//! Name, file extensions, reader and writer of a format.
use crate::error::SpaceError;
use crate::space::Space;
use crate::spec::SpaceSpec;

/// The description of a format; each format defines its own.
pub(super) struct Description {
    /// Its name for users and messages.
    pub(super) name: &'static str,
    /// File extensions without the dot; the first one is used for writing.
    pub(super) extensions: &'static [&'static str],
    /// Distinguishes its files from those of another format with the same extension.
    pub(super) recognizes: Option<fn(&str) -> bool>,
    pub(super) read: fn(&str) -> Result<SpaceSpec, SpaceError>,
    pub(super) write: Writer,
}

/// How a format is written.
pub(super) enum Writer {
    /// From any spec, even one that is not a valid space yet.
    Spec(fn(&SpaceSpec) -> Result<String, SpaceError>),
    /// Only from valid spaces.
    Space(fn(&Space) -> Result<String, SpaceError>),
    /// It is read-only.
    Nothing,
}
