//! The presets of the papers as users see them: by name, after `register`.
#![allow(clippy::unwrap_used)]
use arbora_search::component::KindTaken;
use arbora_search::{Group, Preset, StrategySpec, presets, register_presets};
use std::collections::HashSet;

#[test]
fn names_are_unique_and_lead_back() {
    arbora_papers::register().unwrap();
    let names: HashSet<&str> = presets().map(|preset| preset.name).collect();
    assert_eq!(names.len(), presets().count());
    for preset in presets() {
        assert_eq!(preset.name.parse::<StrategySpec>().unwrap().name().as_deref(), Some(preset.name));
    }
}

#[test]
fn a_summary_stands_alone_and_names_its_paper() {
    arbora_papers::register().unwrap();
    for preset in presets() {
        let leans = ["the same", "likewise", "as above"].iter().any(|word| preset.summary.contains(word));
        assert!(!leans && !preset.when.is_empty(), "{}", preset.line());
    }
    let groups: Vec<Group> = presets().map(|preset| preset.group).collect();
    assert!(groups.is_sorted_by_key(|group| *group == Group::FromThePapers), "recommended ones come first");
}

#[test]
fn registering_again_changes_nothing() {
    arbora_papers::register().unwrap();
    let before: Vec<&str> = presets().map(|preset| preset.name).collect();
    arbora_papers::register().unwrap();
    assert_eq!(presets().map(|preset| preset.name).collect::<Vec<_>>(), before);
}

#[test]
fn a_name_that_is_taken_is_refused() {
    arbora_papers::register().unwrap();
    let another = |name| Preset::paper(name, "random search", "nobody", || "random".parse().unwrap());
    let taken = register_presets(&[another("mine"), another("gp-imp")]);
    assert_eq!(taken, Err(KindTaken { family: "strategy", kind: "gp-imp".into() }));
    assert!("mine".parse::<StrategySpec>().is_err(), "none of them is added");
    let rule = arbora_model::component::register::<dyn arbora_model::kernel::Kernel, Arc>();
    assert_eq!(rule, Err(KindTaken { family: "kernel", kind: "hierarchical".into() }), "it is a short form");
}

/// Uses the name of a rule, which alone means a kernel with that rule.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
struct Arc {}

impl arbora_search::component::Component<dyn arbora_model::kernel::Kernel> for Arc {
    const KIND: &'static str = "arc";

    fn build(
        &self,
        context: arbora_model::KernelContext<'_>,
    ) -> Result<Box<dyn arbora_model::kernel::Kernel>, arbora_model::SpecError> {
        arbora_model::KernelSpec::default().build(context)
    }
}
