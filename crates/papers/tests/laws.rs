//! The laws of strategies, for every preset of the papers and every component of this crate.
#![allow(clippy::unwrap_used)]
use arbora_papers::global_search::GlobalSearch;
use arbora_papers::kriging::KrigingSpec;
use arbora_papers::maximize::DifferentialEvolution;
use arbora_search::testing::{assert_closes_in, assert_strategy_laws};
use arbora_search::{Group, ModelSpec, Preset, StrategySpec, presets};

fn rows() -> Vec<Preset> {
    arbora_papers::register().unwrap();
    presets().filter(|preset| preset.group == Group::FromThePapers).collect()
}

/// The same strategy with smaller budgets, where the laws do not depend on them.
fn thinned(strategy: &StrategySpec) -> StrategySpec {
    let mut thinned = strategy.clone();
    if let Some(spec) = thinned.get_mut::<ModelSpec>() {
        if let Some(evolution) = spec.maximizer.get_mut::<DifferentialEvolution>() {
            evolution.evaluations = evolution.evaluations.min(200);
        }
        if let Some(kriging) = spec.surrogate.get_mut::<KrigingSpec>()
            && let Some(search) = kriging.infer.get_mut::<GlobalSearch>()
        {
            (search.evaluations, search.per_hyper) = (search.evaluations.min(40), false);
        }
    }
    thinned
}

fn laws_of_names(is_asked: impl Fn(&str) -> bool) {
    let mut passed: Vec<StrategySpec> = Vec::new();
    for preset in rows().into_iter().filter(|preset| is_asked(preset.name)) {
        // Two names of the same strategy are tested once.
        let strategy = thinned(&preset.strategy());
        if !passed.contains(&strategy) {
            assert_strategy_laws(&strategy);
            passed.push(strategy);
        }
    }
}

fn is_tree(name: &str) -> bool {
    name.starts_with("tree")
}

fn ignores_or_isolates(name: &str) -> bool {
    ["gp-independent", "gp-baseline", "gp-matern-noimpute", "gp-mondrian"].contains(&name)
}

#[test]
fn every_tree_strategy_obeys_the_laws() {
    laws_of_names(is_tree);
}

#[test]
fn strategies_that_ignore_or_isolate_branches_obey_the_laws() {
    laws_of_names(ignores_or_isolates);
}

#[test]
fn every_other_row_obeys_the_laws() {
    // Spearmint's 20000 anchors and all of fabolas are covered by their parts, which follow.
    let is_large = |name: &str| ["spearmint", "fabolas"].contains(&name);
    laws_of_names(|name| !is_tree(name) && !ignores_or_isolates(name) && !is_large(name));
}

/// Strategies that propose by their model alone.
fn with_a_model() -> Vec<(&'static str, StrategySpec)> {
    let by_model = |strategy: StrategySpec| {
        // Kriging maximises its likelihood with a fixed budget, made for two parameters: with more
        // it learns too little.
        let is_kriging = |model: &ModelSpec| model.surrogate.get::<KrigingSpec>().is_some();
        let has_model = strategy.get::<ModelSpec>().is_some_and(|model| !is_kriging(model));
        has_model.then_some(strategy)
    };
    rows().into_iter().filter_map(|preset| Some((preset.name, by_model(preset.strategy())?))).collect()
}

#[test]
fn every_tree_strategy_closes_in() {
    with_a_model().iter().filter(|(name, _)| is_tree(name)).for_each(|(name, s)| assert_closes_in(name, s));
}

#[test]
fn every_other_row_with_a_model_closes_in() {
    with_a_model().iter().filter(|(name, _)| !is_tree(name)).for_each(|(name, s)| assert_closes_in(name, s));
}

#[test]
fn every_part_that_can_be_chosen_obeys_the_laws() {
    arbora_papers::register().unwrap();
    let parts = [
        r#""maximizer":{"kind":"direct","evaluations":100},"surrogate":{"kind":"gp","kernel":"wedge","infer":{"kind":"map"}}"#,
        r#""pending":{"kind":"believer"},"surrogate":{"kind":"kriging","kernel":"ico","correction":"augmented","infer":{"kind":"fixed"}},"maximizer":{"kind":"random","count":20}"#,
        r#""surrogate":{"kind":"gp","kernel":{"kind":"hierarchical","rule":"imp","rules":{},"shape":"matern52"}},"maximizer":{"kind":"random","count":50}"#,
    ];
    for part in parts {
        assert_strategy_laws(&StrategySpec::from_json(&format!(r#"{{"kind":"model",{part}}}"#)).unwrap());
    }
}
