//! A hierarchical kernel as data: one rule for all conditional parameters, others for some by name.
use crate::belief::Belief;
use crate::error::SpecError;
use crate::kernel::{
    Arc, ArcDistance, Dissimilarity, Hierarchical, Ico, Imp, ImpArc, Kernel, Laplace, Matern52, Standard,
    Wedge,
};
use arbora_space::{Column, ColumnKind, Layout};
use serde::de::value::{MapAccessDeserializer, MapDeserializer};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;

/// `{ kind = "hierarchical", rule = "arc", rules = { "svm.C" = "imp" } }`; the name of a rule alone stands for a kernel
/// that uses it for all conditional parameters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HierarchicalSpec {
    /// For every conditional parameter that is not named below.
    pub rule: RuleSpec,
    /// For these parameters, conditional or not.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub rules: BTreeMap<String, RuleSpec>,
    /// What becomes of the sum of distances.
    pub shape: ShapeSpec,
    /// How parameters are compared that are always there.
    pub unconditional: Unconditional,
}

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

/// What becomes of a sum of distances s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShapeSpec {
    /// e⁻ˢ  [Zaefferer & Horn 2018].
    #[default]
    Exponential,
    /// Matérn 5/2 of √s  [Swersky et al. 2014].
    Matern52,
}

/// How parameters are compared that are always there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unconditional {
    /// By the standard rule.
    #[default]
    Standard,
    /// By the rule of the others, which sees them always active.
    Alike,
}

impl HierarchicalSpec {
    /// The working kernel; each of its length-scales believed to be `length`.
    pub(super) fn build(&self, layout: &Layout, length: &Belief) -> Result<Box<dyn Kernel>, SpecError> {
        let is_known = |name: &String| layout.columns.iter().any(|column| column.name == *name);
        if let Some(name) = self.rules.keys().find(|name| !is_known(name)) {
            return Err(SpecError::RuleWithoutParameter { name: name.clone() });
        }
        let rule = |column: &Column| self.rule_of(column).build(column.kind);
        Ok(match self.shape {
            // The Laplace kernel is the same profile of other gaps.
            ShapeSpec::Exponential => Box::new(Hierarchical::<Laplace>::new(layout, length, rule)),
            ShapeSpec::Matern52 => Box::new(Hierarchical::<Matern52>::new(layout, length, rule)),
        })
    }

    fn rule_of(&self, column: &Column) -> RuleSpec {
        let is_plain = !column.is_conditional && self.unconditional == Unconditional::Standard;
        let otherwise = if is_plain { RuleSpec::Standard {} } else { self.rule };
        self.rules.get(&column.name).copied().unwrap_or(otherwise)
    }
}

impl RuleSpec {
    /// The rule of this name, with all its defaults.
    pub(super) fn named(name: &str) -> Option<Self> {
        let name: serde::de::value::StrDeserializer<'_, serde::de::value::Error> =
            serde::de::IntoDeserializer::into_deserializer(name);
        <Self as Deserialize>::deserialize(name).ok()
    }

    fn build(self, kind: ColumnKind) -> Box<dyn Dissimilarity> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{GpSpec, KernelSpec};
    use crate::testing::World;
    use crate::workers::Workers;
    use arbora_space::Rng;

    fn read(text: &str) -> Result<KernelSpec, serde_json::Error> {
        serde_json::from_str(text)
    }

    #[test]
    fn rules_are_chosen_by_name_and_by_parameter() {
        let spec = HierarchicalSpec {
            rules: [("p0".to_owned(), RuleSpec::Imp {})].into(),
            shape: ShapeSpec::Matern52,
            ..HierarchicalSpec::default()
        };
        let text = r#"{"kind":"hierarchical","rules":{"p0":"imp"},"shape":"matern52"}"#;
        assert_eq!(read(text).unwrap(), KernelSpec::Hierarchical(spec.clone()));
        let written = serde_json::to_string(&KernelSpec::Hierarchical(spec.clone())).unwrap();
        assert_eq!(read(&written).unwrap(), KernelSpec::Hierarchical(spec), "{written}");
        for name in ["arc", "ico", "imp", "imp_arc", "standard", "wedge"] {
            let short = read(&format!("\"{name}\"")).unwrap();
            assert_eq!(short, read(&format!(r#"{{"kind":"hierarchical","rule":"{name}"}}"#)).unwrap());
        }
        let plain = r#"{"kind":"hierarchical","rule":{"kind":"arc","distance":"plain"}}"#;
        let KernelSpec::Hierarchical(spec) = read(plain).unwrap() else { panic!("another kernel") };
        assert_eq!(spec.rule, RuleSpec::Arc { distance: ArcDistance::Plain });
    }

    #[test]
    fn nonsense_is_refused() {
        for (text, complaint) in [
            (r#"{"kind":"hierarchical","rule":"ark"}"#, "ark"),
            (r#"{"kind":"hierarchical","rule":{"kind":"imp","distance":"plain"}}"#, "distance"),
            (r#"{"kind":"hierarchical","roles":{}}"#, "roles"),
            (r#""ark""#, "ark"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(complaint), "{text}: {error}");
        }
        let mut rng = Rng::new(1);
        let layout = loop {
            let world = World::random(&mut rng);
            if world.layout.columns.iter().any(|column| column.is_conditional && !column.is_fixed) {
                break world.layout;
            }
        };
        let refused = |kernel: KernelSpec| {
            GpSpec { kernel, ..GpSpec::default() }.build(&layout, &Workers::serial()).err()
        };
        assert_eq!(refused(read(r#""ico""#).unwrap()), Some(SpecError::IndefiniteKernel { surrogate: "gp" }));
        let unknown = read(r#"{"kind":"hierarchical","rules":{"nowhere":"imp"}}"#).unwrap();
        assert_eq!(refused(unknown), Some(SpecError::RuleWithoutParameter { name: "nowhere".into() }));
        let inside = KernelSpec::Conditional { inner: Box::new(read(r#""arc""#).unwrap()) };
        assert_eq!(refused(inside), Some(SpecError::HierarchicalInBranch));
    }
}
