//! JSON, the format for programs. Errors name a path; syntax errors name the line and column.
use super::description::{Description, Writer};
use super::document::{node_of, spec_of};
use super::json_tree::{from_value, parse, to_value, write};
use super::view::{Source, View};
use crate::error::SpaceError;
use crate::space::Space;
use crate::spec::SpaceSpec;

pub(super) const FORMAT: Description = Description {
    name: "json",
    extensions: &["json"],
    recognizes: None,
    read: SpaceSpec::from_json,
    write: Writer::Spec(SpaceSpec::to_json),
};

impl SpaceSpec {
    /// Reads a space from JSON.
    pub fn from_json(text: &str) -> Result<Self, SpaceError> {
        let source = Source { format: "json", text };
        spec_of(&View::new(source, &parse(source)?))
    }

    /// Writes a space as JSON; fails if two parameters have the same name or a number is not
    /// finite.
    pub fn to_json(&self) -> Result<String, SpaceError> {
        write(DATA, &node_of(self)?)
    }

    /// Reads a space from parsed JSON.
    pub fn from_json_value(value: &serde_json::Value) -> Result<Self, SpaceError> {
        spec_of(&View::new(DATA, &from_value(DATA, value)?))
    }

    /// The JSON document as data, to embed it in another one.
    ///
    /// ```
    /// use arbora_space::{Param, SpaceSpec};
    /// let spec = SpaceSpec::new([Param::boolean("b")]);
    /// assert_eq!(SpaceSpec::from_json_value(&spec.to_json_value()?)?, spec);
    /// # Ok::<(), arbora_space::SpaceError>(())
    /// ```
    pub fn to_json_value(&self) -> Result<serde_json::Value, SpaceError> {
        to_value(DATA, &node_of(self)?)
    }
}

const DATA: Source<'static> = Source { format: "json", text: "" };

impl Space {
    /// Reads a space from JSON and builds it.
    pub fn from_json(text: &str) -> Result<Self, SpaceError> {
        Space::new(SpaceSpec::from_json(text)?)
    }

    /// Writes the space as JSON.
    pub fn to_json(&self) -> Result<String, SpaceError> {
        self.spec().to_json()
    }

    /// Reads a space from parsed JSON, and builds it.
    pub fn from_json_value(value: &serde_json::Value) -> Result<Self, SpaceError> {
        Space::new(SpaceSpec::from_json_value(value)?)
    }

    /// The JSON document as data.
    pub fn to_json_value(&self) -> Result<serde_json::Value, SpaceError> {
        self.spec().to_json_value()
    }
}
