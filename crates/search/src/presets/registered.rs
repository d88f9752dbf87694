//! Strategies of other crates and of users, by name beside the presets.
use super::presets;
use crate::component::{Family, Kind, KindTaken, register_kind};
use crate::strategy::{Strategy, StrategySpec};

/// Registers a strategy that studies can choose by its name alone, as they choose a preset.
///
/// # Errors
/// If a preset or another strategy has its name.
pub fn register_strategy(kind: Kind<dyn Strategy>) -> Result<(), KindTaken> {
    if let Some(preset) = presets().find(|preset| preset.name == kind.name()) {
        return Err(KindTaken { family: <dyn Strategy>::NAME, kind: preset.name.to_owned() });
    }
    register_kind(kind)
}

/// The registered strategy of this name, with all its defaults.
pub(super) fn named(name: &str) -> Option<StrategySpec> {
    let is_registered = <dyn Strategy>::kinds().registered().iter().any(|kind| kind.name() == name);
    is_registered.then(|| StrategySpec::named(name).ok()).flatten()
}

/// What registered strategies are called.
pub(super) fn names() -> Vec<String> {
    <dyn Strategy>::kinds().registered().iter().map(|kind| kind.name().to_owned()).collect()
}
