//! The laws of strategies, run by every named one and by every part that can be chosen.
#![allow(clippy::unwrap_used)]
use arbora_search::strategy::{ByWidth, InterleavedSpec};
use arbora_search::testing::{assert_closes_in, assert_strategy_laws};
use arbora_search::{ModelSpec, StrategySpec, presets};

#[test]
fn every_recommended_strategy_obeys_the_laws() {
    for preset in presets() {
        assert_strategy_laws(&preset.strategy());
    }
}

/// Strategies that have a model and propose by it alone; of SMAC the trials that are not drawn at random.
fn by_model(strategy: StrategySpec) -> Option<StrategySpec> {
    if let Some(interleaved) = strategy.get::<InterleavedSpec>() {
        return Some(interleaved.strategy.clone());
    }
    let has_model = strategy.get::<ModelSpec>().is_some() || strategy.get::<ByWidth>().is_some();
    has_model.then_some(strategy)
}

#[test]
fn every_recommended_strategy_with_a_model_closes_in() {
    for (name, strategy) in presets().filter_map(|preset| Some((preset.name, by_model(preset.strategy())?))) {
        assert_closes_in(name, &strategy);
    }
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
        r#"{"kind":"restless","strategy":FOREST,"others":[{"kind":"random"}],"patience":2,"gain":0.01,"every":2}"#.replace("FOREST", forest),
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
        r#""pending":{"kind":"one_per_draw"},"surrogate":{"kind":"gp","kernel":"matern52","infer":{"kind":"persistent"},"rows":20},"maximizer":{"kind":"by_opinion","random":60}"#,
        r#""maximizer":{"kind":"cma_es","per_dimension":30},"acquisition":{"kind":"max_value_entropy","anchors":30,"minima":3},"surrogate":{"kind":"gp","infer":{"kind":"map"}}"#,
        r#""maximizer":{"kind":"sobol_anchors","points":60,"starts":2},"acquisition":{"kind":"log_normal_improvement"},"surrogate":{"kind":"gp","infer":{"kind":"map"}}"#,
        r#""maximizer":{"kind":"random","count":50},"surrogate":{"kind":"forest","variance":"total"},"prior_weight":5,"cost":{"surrogate":{"kind":"forest"},"expected":"log_normal"}"#,
    ];
    for part in parts {
        assert_strategy_laws(&StrategySpec::from_json(&format!(r#"{{"kind":"model",{part}}}"#)).unwrap());
    }
}
