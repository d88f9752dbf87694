//! The laws of strategies, run by every named one and by every part that can be chosen.
#![allow(clippy::unwrap_used)]
use arbora_model::KrigingSpec;
use arbora_search::strategy::{ByWidth, InterleavedSpec};
use arbora_search::testing::{assert_closes_in, assert_strategy_laws};
use arbora_search::{ModelSpec, StrategySpec, presets};

fn laws_of_names(is_asked: impl Fn(&str) -> bool) {
    let mut passed: Vec<StrategySpec> = Vec::new();
    for preset in presets().filter(|preset| is_asked(preset.name)) {
        // Two names of one strategy need to pass once.
        let strategy = preset.strategy();
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
fn every_other_named_strategy_obeys_the_laws() {
    // Spearmint's 20000 anchors and the whole of fabolas are the sum of parts that follow.
    let is_large = |name: &str| ["spearmint", "fabolas"].contains(&name);
    laws_of_names(|name| !is_tree(name) && !ignores_or_isolates(name) && !is_large(name));
}

/// Strategies that have a model and propose by it alone; of SMAC the trials that are not drawn at random.
fn with_a_model() -> Vec<(&'static str, StrategySpec)> {
    let by_model = |strategy: StrategySpec| {
        if let Some(interleaved) = strategy.get::<InterleavedSpec>() {
            return Some(interleaved.strategy.clone());
        }
        // Kriging searches its likelihood by a fixed budget, made for two parameters: with more it learns too little.
        let is_kriging = |model: &ModelSpec| model.surrogate.get::<KrigingSpec>().is_some();
        let has_model = strategy.get::<ModelSpec>().is_some_and(|model| !is_kriging(model));
        (has_model || strategy.get::<ByWidth>().is_some()).then_some(strategy)
    };
    presets().filter_map(|preset| Some((preset.name, by_model(preset.strategy())?))).collect()
}

#[test]
fn every_tree_strategy_closes_in() {
    with_a_model().iter().filter(|(name, _)| is_tree(name)).for_each(|(name, s)| assert_closes_in(name, s));
}

#[test]
fn every_other_strategy_with_a_model_closes_in() {
    with_a_model().iter().filter(|(name, _)| !is_tree(name)).for_each(|(name, s)| assert_closes_in(name, s));
}

#[test]
fn every_strategy_over_another_obeys_the_laws() {
    let forest = r#"{"kind":"model","surrogate":{"kind":"forest","trees":3},"maximizer":{"kind":"random","count":50}}"#;
    let strategies = [
        r#"{"kind":"hyperband","smallest":0.2,"eta":2,"least":3,"strategy":FOREST}"#.replace("FOREST", forest),
        r#"{"kind":"hyperband","smallest":0.34,"strategy":{"kind":"tpe","startup":3,"joint":false}}"#.into(),
        r#"{"kind":"asha","smallest":0.1,"eta":2,"strategy":FOREST}"#.replace("FOREST", forest),
        r#"{"kind":"racing","folds":3,"strategy":FOREST}"#.replace("FOREST", forest),
        r#"{"kind":"racing","folds":2,"strategy":{"kind":"cma_es"}}"#.into(),
        r#"{"kind":"then","first":{"kind":"hyperband","smallest":0.3},"trials":6,"then":{"kind":"fabolas","smallest":0.3,"eta":3,"initial":0,"infer":{"kind":"map","starts":1},"candidates":20,"finalists":3}}"#.into(),
        r#"{"kind":"interleaved","random":{"share":0.3},"strategy":{"kind":"tpe","startup":4,"good":{"quantile":0.3}}}"#.into(),
        r#"{"kind":"fabolas","smallest":0.25,"initial":4,"infer":{"kind":"fixed"},"candidates":30,"finalists":3}"#.into(),
        r#"{"kind":"grid","steps":3}"#.into(),
        r#"{"kind":"latin_hypercube","count":5}"#.into(),
    ];
    for strategy in strategies {
        assert_strategy_laws(&StrategySpec::from_json(&strategy).unwrap());
    }
}

#[test]
fn every_part_that_can_be_chosen_obeys_the_laws() {
    let parts = [
        r#""maximizer":{"kind":"random","count":50},"acquisition":{"kind":"thompson"}"#,
        r#""maximizer":{"kind":"descent","random":50,"starts":2},"acquisition":{"kind":"probability_of_improvement"}"#,
        r#""maximizer":{"kind":"local_search","random":50,"starts":2},"acquisition":{"kind":"lower_confidence_bound","kappa":null}"#,
        r#""design":{"kind":"sobol","count":4},"incumbent":"least_mean","imputation":"default""#,
        r#""design":{"kind":"defaults_first","then":{"kind":"latin_hypercube","count":3}},"pending":{"kind":"believer"}"#,
        r#""pending":{"kind":"least_loss"},"surrogate":{"kind":"gp","kernel":"laplace","infer":{"kind":"map"}}"#,
        r#""pending":{"kind":"mean_loss"},"surrogate":{"kind":"gp","kernel":{"kind":"se","categories":"index"}}"#,
        r#""pending":{"kind":"greatest_loss"},"surrogate":{"kind":"gp","kernel":{"kind":"conditional","inner":"hamming"}}"#,
        r#""pending":{"kind":"fantasies","count":5},"imputation":"out_of_range""#,
        r#""maximizer":{"kind":"direct","evaluations":100},"surrogate":{"kind":"gp","kernel":"wedge","infer":{"kind":"map"}}"#,
        r#""pending":{"kind":"believer"},"surrogate":{"kind":"kriging","kernel":"ico","correction":"augmented","infer":{"kind":"fixed"}},"maximizer":{"kind":"random","count":20}"#,
        r#""surrogate":{"kind":"gp","kernel":{"kind":"hierarchical","rule":"imp","rules":{},"shape":"matern52"}},"maximizer":{"kind":"random","count":50}"#,
        r#""maximizer":{"kind":"cma_es","per_dimension":30},"acquisition":{"kind":"max_value_entropy","anchors":30,"minima":3},"surrogate":{"kind":"gp","infer":{"kind":"map"}}"#,
        r#""maximizer":{"kind":"sobol_anchors","points":60,"starts":2},"acquisition":{"kind":"log_normal_improvement"},"surrogate":{"kind":"gp","infer":{"kind":"map"}}"#,
        r#""maximizer":{"kind":"random","count":50},"surrogate":{"kind":"forest","variance":"total"},"prior_weight":5,"cost":{"surrogate":{"kind":"forest"},"expected":"log_normal"}"#,
    ];
    for part in parts {
        assert_strategy_laws(&StrategySpec::from_json(&format!(r#"{{"kind":"model",{part}}}"#)).unwrap());
    }
}
