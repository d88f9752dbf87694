//! A rule as data.
use super::{Arc, ArcDistance, Dissimilarity, Ico, Imp, ImpArc, Standard, Wedge};
use arbora_space::ColumnKind;
use serde::de::value::{MapAccessDeserializer, MapDeserializer};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// How two settings of one parameter are compared: `"arc"`, or `{ kind = "arc", distance = "plain" }`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self", tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum RuleSpec {
    /// All values are equally far from absence, on an arc around it.
    Arc {
        /// The distance on the embedding or its square.
        #[serde(default)]
        distance: ArcDistance,
    },
    /// All values are equally far from absence; not positive semi-definite.
    Ico {},
    /// Absence is like some value, which is learnt.
    Imp {},
    /// Both of the last but one.
    ImpArc {},
    /// Absence is what stands in.
    Standard {},
    /// One end of the range may be nearer to absence than the other.
    Wedge {},
}

impl Default for RuleSpec {
    fn default() -> Self {
        Self::Arc { distance: ArcDistance::Squared }
    }
}

impl RuleSpec {
    /// The rule of this name, with all its defaults.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let name: serde::de::value::StrDeserializer<'_, serde::de::value::Error> =
            serde::de::IntoDeserializer::into_deserializer(name);
        <Self as Deserialize>::deserialize(name).ok()
    }

    pub(crate) fn build(self, kind: ColumnKind) -> Box<dyn Dissimilarity> {
        match (self, kind) {
            (Self::Arc { distance }, _) => Box::new(Arc::new(kind, distance)),
            (Self::Ico {}, _) => Box::new(Ico::new(kind)),
            (Self::Imp {}, _) => Box::new(Imp::new(kind)),
            (Self::ImpArc {}, _) => Box::new(ImpArc::new(kind)),
            (Self::Standard {}, _) => Box::new(Standard::new(kind)),
            (Self::Wedge {}, ColumnKind::Numeric) => Box::new(Wedge),
            (Self::Wedge {}, ColumnKind::Categories(_)) => Box::new(Arc::new(kind, ArcDistance::Squared)),
        }
    }
}

impl Serialize for RuleSpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RuleSpec::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for RuleSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ShortOrLong)
    }
}

/// A name alone stands for a rule with all its defaults.
struct ShortOrLong;

impl<'de> Visitor<'de> for ShortOrLong {
    type Value = RuleSpec;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a rule or a table with its `kind`")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<RuleSpec, E> {
        RuleSpec::deserialize(MapDeserializer::new([("kind", name)].into_iter()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RuleSpec, A::Error> {
        RuleSpec::deserialize(MapAccessDeserializer::new(map))
    }
}
