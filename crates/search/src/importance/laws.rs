//! Histories for tests: random trials of a loss written down by parameter name.
use crate::study::{Study, StudyOptions};
use arbora_space::Space;

/// `count` random trials; the loss sees the place of every parameter by name, alternatives by their position, NaN
/// where one is inactive.
pub(crate) fn study_of(space: &Space, count: usize, loss: impl Fn(&dyn Fn(&str) -> f64) -> f64) -> Study {
    let strategy = "random".parse().unwrap();
    let mut study =
        Study::new(space.clone(), StudyOptions { strategy, seed: 5, ..StudyOptions::default() }).unwrap();
    for _ in 0..count {
        let trial = study.ask().unwrap();
        let value = |name: &str| {
            let id = space.id(name).unwrap();
            let domain = space.parameter(id).domain();
            trial.configuration.get(id).map_or(f64::NAN, |v| v.as_f64().unwrap_or_else(|| domain.encode(v)))
        };
        let loss = loss(&value);
        study.tell(trial.number, loss).unwrap();
    }
    study
}
