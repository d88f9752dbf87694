//! What stored studies hold: specifications and suggestions as they were first recorded.
//!
//! The files beside this test are never recorded anew: a study of an older release must be read to
//! the same strategy, be written in the same letters and go on with the same suggestions. New kinds
//! are added at the end. Suggestions were recorded on x86-64 with AVX2 and FMA; sums on other
//! processors are rounded elsewhere, so there only strategies without a model are compared.
#![allow(clippy::unwrap_used)]
use arbora_search::{StrategySpec, Study, StudyOptions};
use arbora_space::{Encoding, Param, Space, SpaceSpec};

const SPECS: &str = include_str!("golden/specs.txt");
const SUGGESTIONS: &str = include_str!("golden/suggestions.txt");

fn read(text: &str) -> StrategySpec {
    if text.starts_with('{') { StrategySpec::from_json(text).unwrap() } else { text.parse().unwrap() }
}

/// Blocks of lines between empty lines.
fn blocks(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.split("\n\n").map(|block| block.lines().filter(|line| !line.is_empty()).collect())
}

#[test]
fn specifications_are_read_and_written_as_ever() {
    for block in blocks(SPECS) {
        let [given, written] = block[..] else {
            panic!("a block is what is read and what is written: {block:?}")
        };
        let spec = read(given);
        assert_eq!(serde_json::to_string(&spec).unwrap(), written, "{given}");
        let again = StrategySpec::from_json(written).unwrap();
        assert_eq!(again, spec, "{given}");
        let value: serde_json::Value = serde_json::from_str(written).unwrap();
        assert_eq!(serde_json::from_value::<StrategySpec>(value.clone()).unwrap(), spec, "{given}");
        assert_eq!(serde_json::to_value(&spec).unwrap(), value, "{given}");
    }
}

/// Nested conditions, a shared parameter, a constraint.
fn space() -> Space {
    let spec = SpaceSpec::new([
        Param::choice("model", ["svm", "forest", "bayes"]),
        Param::real("C", 1e-3, 1e3).log().when("model == 'svm'"),
        Param::real("gamma", 1e-3, 1e3).log().when("model == 'svm'"),
        Param::integer("depth", 1, 20).when("model == 'forest'"),
        Param::real("share", 0.0, 1.0).when("model != 'bayes'"),
    ]);
    Space::new(spec.forbid("C > 100 and gamma > 100")).unwrap()
}

/// The suggestions of a study, one line each; the last ones with two trials open.
fn suggestions(strategy: &StrategySpec, trials: usize) -> Vec<String> {
    let options = StudyOptions { strategy: strategy.clone(), seed: 11, ..StudyOptions::default() };
    let mut study = Study::new(space(), options).unwrap();
    let mut lines = Vec::new();
    let mut open = Vec::new();
    for number in 0..trials {
        let trial = study.ask().unwrap();
        let values = study.space().named(&trial.configuration).0;
        lines.push(format!(
            "{} {}",
            serde_json::to_string(&values).unwrap(),
            serde_json::to_string(&trial.effort).unwrap()
        ));
        open.push(trial);
        if number + 2 < trials {
            for trial in open.drain(..) {
                let row = study.space().encode([&trial.configuration], &Encoding::default());
                let loss: f64 =
                    row.row(0).x().iter().enumerate().map(|(i, u)| (u - 0.2 - 0.1 * i as f64).powi(2)).sum();
                study.tell(trial.number, loss).unwrap();
            }
        }
    }
    lines
}

#[cfg(target_arch = "x86_64")]
fn rounds_as_recorded() -> bool {
    std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma")
}

#[cfg(not(target_arch = "x86_64"))]
fn rounds_as_recorded() -> bool {
    false
}

#[test]
fn suggestions_stay_bit_for_bit() {
    let is_exact = rounds_as_recorded();
    for block in blocks(SUGGESTIONS) {
        let (given, recorded) = block.split_first().unwrap();
        let strategy = read(given);
        if !is_exact && strategy.model(&space(), 0).is_some() {
            continue;
        }
        let suggested = suggestions(&strategy, recorded.len());
        assert_eq!(suggested, *recorded, "{given}");
    }
}
