//! The project's own shape of a space, whatever the syntax around it: a table `parameters`, one entry per parameter
//! in order, and the lists `forbidden` and `required`. `docs/SPACES.md` describes every field.
mod read;
mod write;

pub(super) use read::spec_of;
pub(super) use write::node_of;

use super::node::Node;
use super::view::{Source, View};
use crate::spec::SpaceSpec;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};

/// Fields that every parameter may have, behind those of its type.
const COMMON: [&str; 6] = ["default", "prior", "weights", "when", "none", "retired"];

/// None is spelled `{ none = true }`, so that any format can hold a space.
impl Serialize for SpaceSpec {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        node_of(self).map_err(ser::Error::custom)?.without_nulls().serialize(to)
    }
}

impl<'de> Deserialize<'de> for SpaceSpec {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let node = Node::deserialize(from)?;
        spec_of(&View::new(Source { format: "space", text: "" }, &node)).map_err(de::Error::custom)
    }
}
