//! The laws of strategies, run by every named one and by every part that can be chosen.
#![allow(clippy::unwrap_used)]
use arbora_search::testing::assert_strategy_laws;
use arbora_search::{STRATEGIES, StrategySpec};

fn laws_of_names(is_asked: impl Fn(&str) -> bool) {
    let mut passed: Vec<StrategySpec> = Vec::new();
    for (name, _) in STRATEGIES.into_iter().filter(|(name, _)| is_asked(name)) {
        // Two names of one strategy need to pass once.
        let strategy = name.parse().unwrap();
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
    laws_of_names(|name| !is_tree(name) && !ignores_or_isolates(name));
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
    ];
    for part in parts {
        assert_strategy_laws(&StrategySpec::from_json(&format!(r#"{{"kind":"model",{part}}}"#)).unwrap());
    }
}
