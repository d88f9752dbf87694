//! Is an existing study the one somebody describes?
use super::DurableStudy;
use crate::error::StoreError;
use arbora_search::StudyOptions;
use arbora_space::{Param, Space, SpaceSpec};
use serde::Serialize;

impl DurableStudy {
    /// Space, strategy, seed, direction and repeats must be the same. The number of threads changes no suggestion.
    pub(super) fn agree(&self, space: &Space, options: &StudyOptions) -> Result<(), StoreError> {
        let ours = self.options();
        // Read back from text, as the stored one was: expressions are equal as text.
        let given = SpaceSpec::from_json(&space.to_json()?)?;
        if given != *self.space().spec() {
            let (stored, given) = difference(self.space().spec(), &given);
            return Err(self.disagreement("space", stored, given));
        }
        self.same("strategy", &ours.strategy, &options.strategy)?;
        self.same("seed", &ours.seed, &options.seed)?;
        self.same("direction", &ours.direction, &options.direction)?;
        self.same("setting of repeats", &ours.repeats, &options.repeats)
    }

    fn same<T: PartialEq + Serialize>(
        &self,
        what: &'static str,
        stored: &T,
        given: &T,
    ) -> Result<(), StoreError> {
        let text = |value: &T| serde_json::to_string(value).unwrap_or_default();
        if stored == given { Ok(()) } else { Err(self.disagreement(what, text(stored), text(given))) }
    }

    fn disagreement(&self, what: &'static str, stored: String, given: String) -> StoreError {
        StoreError::Disagrees { study: self.name().to_owned(), what, stored, given }
    }
}

/// The first parameter that is not the same, or what else differs: as stored, as given.
fn difference(stored: &SpaceSpec, given: &SpaceSpec) -> (String, String) {
    let only_in = |one: &SpaceSpec, other: &SpaceSpec| {
        let is_new = |param: &&Param| other.parameters.iter().all(|p| p.name != param.name);
        one.parameters.iter().find(is_new).map(|param| format!("a parameter `{}`", param.name))
    };
    let none = || "none of that name".to_owned();
    if let Some(missing) = only_in(stored, given) {
        return (missing, none());
    }
    if let Some(new) = only_in(given, stored) {
        return (none(), new);
    }
    match stored.parameters.iter().zip(&given.parameters).find(|(a, b)| a != b) {
        Some((a, b)) if a.name == b.name => (described(a), described(b)),
        Some((a, b)) => (format!("`{}` first", a.name), format!("`{}` first", b.name)),
        None => ("other constraints".into(), "constraints that differ".into()),
    }
}

fn described(param: &Param) -> String {
    let alone = SpaceSpec::new([param.clone()]).to_json();
    let text = alone.ok().and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok());
    let declared = text.as_ref().and_then(|text| text.get("parameters")?.get(&param.name));
    declared.map_or_else(|| format!("`{}`", param.name), |found| format!("`{}` as {found}", param.name))
}
