//! What stored studies hold: specifications and suggestions as they were first recorded.
use crate::strategy::StrategySpec;
use crate::study::{Study, StudyOptions};
use arbora_space::{Encoding, Param, Space, SpaceSpec};

fn read(text: &str) -> StrategySpec {
    if text.starts_with('{') {
        StrategySpec::from_json(text).expect("a specification")
    } else {
        text.parse().expect("a name")
    }
}

/// Blocks of lines between empty lines.
fn blocks(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.split("\n\n").map(|block| block.lines().filter(|line| !line.is_empty()).collect())
}

/// Blocks of two lines: what is read, and what is written.
///
/// # Panics
/// If a specification is read or written in another way.
pub fn assert_specifications_stay(recorded: &str) {
    for block in blocks(recorded) {
        let [given, written] = block[..] else {
            panic!("a block is what is read and what is written: {block:?}")
        };
        let spec = read(given);
        assert_eq!(serde_json::to_string(&spec).expect("plain data"), written, "{given}");
        let again = StrategySpec::from_json(written).expect("what was written");
        assert_eq!(again, spec, "{given}");
        let value: serde_json::Value = serde_json::from_str(written).expect("what was written");
        assert_eq!(
            serde_json::from_value::<StrategySpec>(value.clone()).expect("what was written"),
            spec,
            "{given}"
        );
        assert_eq!(serde_json::to_value(&spec).expect("plain data"), value, "{given}");
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
    Space::new(spec.forbid("C > 100 and gamma > 100")).expect("the space is in order")
}

/// The suggestions of a study, one line each; the last ones with two trials open.
fn suggestions(strategy: &StrategySpec, trials: usize) -> Vec<String> {
    let options = StudyOptions { strategy: strategy.clone(), seed: 11, ..StudyOptions::default() };
    let mut study = Study::new(space(), options).expect("the strategy fits the space");
    let mut lines = Vec::new();
    let mut open = Vec::new();
    for number in 0..trials {
        let trial = study.ask().expect("the space is not exhausted");
        let values = study.space().named(&trial.configuration).0;
        lines.push(format!(
            "{} {}",
            serde_json::to_string(&values).expect("plain data"),
            serde_json::to_string(&trial.effort).expect("plain data")
        ));
        open.push(trial);
        if number + 2 < trials {
            for trial in open.drain(..) {
                let row = study.space().encode([&trial.configuration], &Encoding::default());
                let loss: f64 =
                    row.row(0).x().iter().enumerate().map(|(i, u)| (u - 0.2 - 0.1 * i as f64).powi(2)).sum();
                study.tell(trial.number, loss).expect("the trial was just asked for");
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

/// Blocks of a strategy and its suggestions, one line each, bit for bit. They were recorded on x86-64 with AVX2 and FMA;
/// sums on other processors are rounded elsewhere, so there only strategies without a model are compared.
///
/// # Panics
/// If a suggestion is another one.
pub fn assert_suggestions_stay(recorded: &str) {
    let is_exact = rounds_as_recorded();
    for block in blocks(recorded) {
        let (given, recorded) = block.split_first().expect("a block has lines");
        let strategy = read(given);
        if !is_exact && strategy.model(&space(), 0).is_some() {
            continue;
        }
        let suggested = suggestions(&strategy, recorded.len());
        assert_eq!(suggested, *recorded, "{given}");
    }
}
