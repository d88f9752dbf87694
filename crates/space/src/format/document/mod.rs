//! The project's own document structure, for any syntax: a table `parameters` with one entry per
//! parameter in order, and the lists `forbidden` and `required`. `docs/SPACES.md` describes all
//! fields.
mod read;
mod write;

pub(super) use read::spec_of;
pub(super) use write::node_of;

use super::node::DocumentNode;
use super::view::{AT_THE_TOP, Source, View};
use crate::error::SpaceError;
use crate::spec::{Param, SpaceSpec};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};

/// Fields that every parameter may have, after those of its type.
const COMMON: [&str; 6] = ["default", "prior", "weights", "when", "none", "retired"];

impl Param {
    /// Reads a parameter from its fields in a file.
    ///
    /// ```
    /// use arbora_space::format::DocumentNode;
    /// use arbora_space::{Param, Value};
    /// let number = |x: f64| DocumentNode::scalar(x);
    /// let fields = DocumentNode::table([("type", DocumentNode::scalar("real")), ("low", number(0.0)), ("high", number(1.0))]);
    /// assert_eq!(Param::from_fields("x", &fields)?, Param::real("x", 0.0, 1.0));
    /// # Ok::<(), arbora_space::SpaceError>(())
    /// ```
    ///
    /// # Errors
    /// [`SpaceError::Format`] with the field; its `mismatch` says which type was expected.
    pub fn from_fields(name: &str, fields: &DocumentNode) -> Result<Self, SpaceError> {
        let view = View::new(Source { format: "parameter", text: "" }, fields);
        read::param(name, &view).map_err(|error| match error {
            SpaceError::Format { format, place, problem, mismatch } => {
                let place =
                    if place == AT_THE_TOP { format!("`{name}`") } else { format!("`{name}` {place}") };
                SpaceError::Format { format, place, problem, mismatch }
            }
            other => other,
        })
    }
}

/// None is written `{ none = true }`, so that every format can hold a space.
impl Serialize for SpaceSpec {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        node_of(self).map_err(ser::Error::custom)?.without_nulls().serialize(to)
    }
}

impl<'de> Deserialize<'de> for SpaceSpec {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let node = DocumentNode::deserialize(from)?;
        spec_of(&View::new(Source { format: "space", text: "" }, &node)).map_err(de::Error::custom)
    }
}
