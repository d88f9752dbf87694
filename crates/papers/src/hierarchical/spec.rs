//! A hierarchical kernel as data: one rule for all conditional parameters, and others for some by
//! name.
use super::Hierarchical;
use crate::rule::{RuleSpec, StandardSpec};
use arbora_model::SpecError;
use arbora_model::component::Component;
use arbora_model::kernel::{ConditionalSpec, Kernel, KernelContext, KernelScope, Laplace, Matern52};
use arbora_space::Column;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// `{ kind = "hierarchical", rule = "arc", rules = { "svm.C" = "imp" } }`. The name of a rule alone
/// means a kernel that uses it for all conditional parameters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HierarchicalSpec {
    /// For every conditional parameter not listed in `rules`.
    pub rule: RuleSpec,
    /// For these parameters, conditional or not.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub rules: BTreeMap<String, RuleSpec>,
    /// The function of the sum of distances.
    pub shape: ShapeSpec,
    /// How unconditional parameters are compared.
    pub unconditional: Unconditional,
}

/// A function of a sum of distances s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShapeSpec {
    /// e⁻ˢ  [Zaefferer & Horn 2018].
    #[default]
    Exponential,
    /// Matérn 5/2 of √s  [Swersky et al. 2014].
    Matern52,
}

/// How unconditional parameters are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unconditional {
    /// By the standard rule.
    #[default]
    Standard,
    /// By the rule of the conditional ones, as parameters that are always active.
    Alike,
}

impl Component<dyn Kernel> for HierarchicalSpec {
    const KIND: &'static str = "hierarchical";

    /// The name of a rule alone means a kernel that uses it for all conditional parameters.
    fn short(name: &str) -> Option<Self> {
        RuleSpec::named(name).ok().map(|rule| Self { rule, ..Self::default() })
    }

    fn build(&self, context: KernelContext<'_>) -> Result<Box<dyn Kernel>, SpecError> {
        if context.scope == KernelScope::InsideBranch && context.outer == Some(ConditionalSpec::KIND) {
            return Err(refused(IN_BRANCH));
        }
        context.expect_alone()?;
        let KernelContext { layout, scale, .. } = context;
        let is_known = |name: &String| layout.columns.iter().any(|column| column.name == *name);
        if let Some(name) = self.rules.keys().find(|name| !is_known(name)) {
            return Err(refused(&without_parameter(name)));
        }
        let rule = |column: &Column| self.rule_of(column).build(column.kind);
        Ok(match self.shape {
            // The Laplace kernel has the same profile, with different gaps.
            ShapeSpec::Exponential => Box::new(Hierarchical::<Laplace>::new(layout, scale, rule)?),
            ShapeSpec::Matern52 => Box::new(Hierarchical::<Matern52>::new(layout, scale, rule)?),
        })
    }
}

impl HierarchicalSpec {
    fn rule_of(&self, column: &Column) -> RuleSpec {
        let is_plain = !column.is_conditional && self.unconditional == Unconditional::Standard;
        let otherwise = if is_plain { RuleSpec::new(StandardSpec {}) } else { self.rule.clone() };
        self.rules.get(&column.name).cloned().unwrap_or(otherwise)
    }
}

/// Inside a branch no parameter is inactive.
const IN_BRANCH: &str = "kernel `hierarchical` inside kernel `conditional`: inside a branch no parameter is inactive; use a plain kernel, or use `hierarchical` alone";

fn without_parameter(name: &str) -> String {
    format!("kernel `hierarchical`: a rule is given for parameter `{name}`, which the space does not have")
}

fn refused(problem: &str) -> SpecError {
    SpecError::Refused { problem: problem.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::{ArcDistance, ArcSpec, ImpSpec};
    use arbora_model::HyperSpec;
    use arbora_model::kernel::KernelSpec;
    use arbora_model::testing::World;
    use arbora_space::Rng;

    fn read(text: &str) -> Result<KernelSpec, serde_json::Error> {
        crate::register().unwrap();
        serde_json::from_str(text)
    }

    #[test]
    fn rules_are_chosen_by_name_and_by_parameter() {
        let spec = HierarchicalSpec {
            rules: [("p0".to_owned(), RuleSpec::new(ImpSpec {}))].into(),
            shape: ShapeSpec::Matern52,
            ..HierarchicalSpec::default()
        };
        let text = r#"{"kind":"hierarchical","rules":{"p0":"imp"},"shape":"matern52"}"#;
        assert_eq!(read(text).unwrap(), KernelSpec::new(spec.clone()));
        let written = serde_json::to_string(&KernelSpec::new(spec.clone())).unwrap();
        assert_eq!(read(&written).unwrap(), KernelSpec::new(spec), "{written}");
        for name in ["arc", "ico", "imp", "imp_arc", "standard", "wedge"] {
            let short = read(&format!("\"{name}\"")).unwrap();
            assert_eq!(short, read(&format!(r#"{{"kind":"hierarchical","rule":"{name}"}}"#)).unwrap());
        }
        let plain = r#"{"kind":"hierarchical","rule":{"kind":"arc","distance":"plain"}}"#;
        assert_eq!(
            read(plain).unwrap().get::<HierarchicalSpec>().unwrap().rule,
            RuleSpec::new(ArcSpec { distance: ArcDistance::Plain })
        );
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
        let refused =
            |kernel: KernelSpec| kernel.build(KernelContext::new(&layout, &HyperSpec::length())).err();
        assert!(refused(read(r#""ico""#).unwrap()).is_none(), "a surrogate may repair it");
        let unknown = read(r#"{"kind":"hierarchical","rules":{"nowhere":"imp"}}"#).unwrap();
        assert_eq!(refused(unknown), Some(super::refused(&without_parameter("nowhere"))));
        let inside = KernelSpec::new(ConditionalSpec { inner: read(r#""arc""#).unwrap() });
        assert_eq!(refused(inside), Some(super::refused(IN_BRANCH)));
    }
}
