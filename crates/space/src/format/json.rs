//! JSON, the form for programs. Every complaint names its path; a text that is no JSON, its line and column.
use super::document::{node_of, spec_of};
use super::json_tree::{parse, write};
use super::view::{Source, View};
use crate::error::SpaceError;
use crate::space::Space;
use crate::spec::SpaceSpec;

impl SpaceSpec {
    /// Reads a space from JSON.
    pub fn from_json(text: &str) -> Result<Self, SpaceError> {
        let source = Source { format: "json", text };
        spec_of(&View::new(source, &parse(source)?))
    }

    /// Writes a space as JSON; fails if two parameters have the same name or a number is not finite.
    pub fn to_json(&self) -> Result<String, SpaceError> {
        write(Source { format: "json", text: "" }, &node_of(self)?)
    }
}

impl Space {
    /// Reads a space from JSON and builds it.
    pub fn from_json(text: &str) -> Result<Self, SpaceError> {
        Space::new(SpaceSpec::from_json(text)?)
    }

    /// Writes the space as JSON.
    pub fn to_json(&self) -> Result<String, SpaceError> {
        self.spec().to_json()
    }
}
