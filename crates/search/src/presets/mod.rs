//! Presets: strategies put together beforehand, each under one name.
//!
//! A preset says what it is and when to use it, and stands on its own: nothing in its summary needs another one to be
//! understood. A few are recommended, and listed here. Others are rows of the papers' tables, for comparisons: crates
//! that have some, such as `arbora-papers`, [register](register_presets) them. What a preset builds never changes,
//! because stored studies are compared with it by name.
mod recommended;
mod registered;

pub use registered::register_strategy;

use crate::component::{Family, KindTaken};
use crate::error::SearchError;
use crate::strategy::{Strategy, StrategySpec};
use arbora_space::words::similar;
use std::str::FromStr;
use std::sync::{PoisonError, RwLock};

/// Whom a preset is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// For users who want a good result.
    Recommended,
    /// For comparisons with published results.
    FromThePapers,
}

/// A strategy under a name.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// What it is called.
    pub name: &'static str,
    /// What it does.
    pub summary: &'static str,
    /// When to use it; of a row from the papers, whose it is.
    pub when: &'static str,
    /// Whom it is for.
    pub group: Group,
    build: fn() -> StrategySpec,
}

impl Preset {
    /// One for users: what it does, and when to use it.
    pub const fn recommended(
        name: &'static str,
        summary: &'static str,
        when: &'static str,
        build: fn() -> StrategySpec,
    ) -> Self {
        Self { name, summary, when, group: Group::Recommended, build }
    }

    /// One for comparisons: what it does, and whose it is.
    pub const fn paper(
        name: &'static str,
        summary: &'static str,
        when: &'static str,
        build: fn() -> StrategySpec,
    ) -> Self {
        Self { name, summary, when, group: Group::FromThePapers, build }
    }

    /// The strategy.
    pub fn strategy(&self) -> StrategySpec {
        (self.build)()
    }

    /// One line for people: what it does, and when to use it or whose it is.
    pub fn line(&self) -> String {
        match self.group {
            Group::Recommended => format!("{}; use it {}", self.summary, self.when),
            Group::FromThePapers => format!("{} (from the papers: {})", self.summary, self.when),
        }
    }
}

static REGISTERED: RwLock<Vec<Preset>> = RwLock::new(Vec::new());

/// All presets, recommended ones first.
pub fn presets() -> impl Iterator<Item = Preset> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    let mut all: Vec<Preset> = recommended::ALL.iter().chain(registered.iter()).copied().collect();
    all.sort_by_key(|preset| preset.group != Group::Recommended);
    all.into_iter()
}

/// Adds strategies under names of their own, from now on and in the whole process. Registering them again changes nothing.
///
/// ```
/// use arbora_search::strategy::{SobolSequence, StrategySpec};
/// use arbora_search::{Preset, register_presets};
/// let mine = Preset::paper("spread", "a Sobol sequence", "Burley 2020", || StrategySpec::new(SobolSequence {}));
/// register_presets(&[mine])?;
/// assert_eq!("spread".parse::<StrategySpec>().unwrap(), mine.strategy());
/// # Ok::<(), arbora_search::component::KindTaken>(())
/// ```
///
/// # Errors
/// If another strategy has one of the names; none of these is added then.
pub fn register_presets(new: &[Preset]) -> Result<(), KindTaken> {
    // Building a strategy may look up others by name: not while the list is locked.
    let known: Vec<Preset> = presets().collect();
    let is_other =
        |new: &Preset, known: &Preset| known.name == new.name && known.strategy() != new.strategy();
    let registered = registered::names();
    let is_taken = |new: &&Preset| {
        registered.iter().any(|name| name == new.name) || known.iter().any(|known| is_other(new, known))
    };
    if let Some(taken) = new.iter().find(is_taken) {
        return Err(KindTaken { family: <dyn Strategy>::NAME, kind: taken.name.to_owned() });
    }
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    for preset in new {
        if recommended::ALL.iter().chain(registered.iter()).all(|known| known.name != preset.name) {
            registered.push(*preset);
        }
    }
    Ok(())
}

impl FromStr for StrategySpec {
    type Err = SearchError;

    /// A preset, or a strategy that was registered.
    fn from_str(name: &str) -> Result<Self, SearchError> {
        let found = presets().find(|preset| preset.name == name);
        let found = found.map(|preset| preset.strategy());
        found.or_else(|| registered::named(name)).ok_or_else(|| unknown(name))
    }
}

/// Nothing is called so: which strategy was meant, and which are recommended.
fn unknown(name: &str) -> SearchError {
    let registered = registered::names();
    let begins = |preset: &Preset| !name.is_empty() && preset.name.starts_with(name);
    let known = || presets().map(|preset| preset.name).chain(registered.iter().map(String::as_str));
    let meant = similar(name, known()).or_else(|| presets().find(begins).map(|preset| preset.name));
    let recommended = presets().filter(|preset| preset.group == Group::Recommended);
    SearchError::UnknownStrategy {
        name: name.to_owned(),
        meant: meant.map(Into::into),
        recommended: recommended.map(|preset| preset.name).collect::<Vec<_>>().join(", "),
        known: known().collect::<Vec<_>>().join(", "),
    }
}

impl StrategySpec {
    /// The name it goes by, if it is one of the presets or was registered and has its defaults.
    pub fn name(&self) -> Option<String> {
        let preset = presets().find(|preset| preset.strategy() == *self).map(|preset| preset.name.to_owned());
        preset.or_else(|| {
            registered::named(self.kind()).filter(|known| known == self).map(|known| known.kind().to_owned())
        })
    }

    /// For people: its name, or of which kind a strategy put together by hand is.
    pub fn describe(&self) -> String {
        let kind = || format!("one of your own, of kind `{}`", self.kind());
        self.name().map_or_else(kind, |name| format!("`{name}`"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_are_unique_and_lead_back() {
        let names: HashSet<&str> = presets().map(|preset| preset.name).collect();
        assert_eq!(names.len(), presets().count());
        for preset in presets() {
            assert_eq!(preset.name.parse::<StrategySpec>().unwrap().name().as_deref(), Some(preset.name));
        }
        assert_eq!(StrategySpec::default().name().as_deref(), Some("auto"));
    }

    #[test]
    fn a_summary_stands_alone() {
        for preset in presets() {
            let leans = ["the same", "likewise", "as above"].iter().any(|word| preset.summary.contains(word));
            assert!(!leans && !preset.when.is_empty(), "{}", preset.line());
        }
        let groups: Vec<Group> = presets().map(|preset| preset.group).collect();
        assert!(
            groups.is_sorted_by_key(|group| *group == Group::FromThePapers),
            "recommended ones come first"
        );
    }

    #[test]
    fn an_unknown_name_is_answered_by_the_one_that_was_meant() {
        let message = |name: &str| name.parse::<StrategySpec>().unwrap_err().to_string();
        assert!(
            message("gp")
                .starts_with("unknown strategy `gp`; did you mean `gp-conditional`? recommended are auto,")
        );
        assert!(message("gp-conditonal").contains("did you mean `gp-conditional`?"));
        assert!(
            message("annealing")
                .starts_with("unknown strategy `annealing`; recommended are auto, gp-conditional")
        );
    }
}
