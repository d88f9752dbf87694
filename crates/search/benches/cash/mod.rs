//! What the benchmarks share: combined algorithm selection with a known loss, and clocks.
#![allow(dead_code, unreachable_pub, reason = "each benchmark uses its part")]
use arbora_space::{Configuration, Encoding, Param, Rng, Space, Value};
use std::time::Instant;

/// The 14-parameter space of combined algorithm selection [Lévesque et al. 2017, §V].
pub fn cash() -> Space {
    let of = |learner: &str| format!("classifier == '{learner}'");
    let integer = |name: &str, low, high, learner: &str| {
        Param::integer(format!("{learner}.{name}"), low, high).when(of(learner))
    };
    let real = |name: &str, low, high, learner: &str| {
        Param::real(format!("{learner}.{name}"), low, high).log().when(of(learner))
    };
    Space::new([
        Param::choice("classifier", ["knn", "svm", "linsvm", "dt", "rf", "adab", "gnb", "lda", "qda"]),
        integer("n_neighbors", 1, 30, "knn"),
        real("C", 1e-5, 1e5, "svm"),
        real("gamma", 1e-5, 1e5, "svm"),
        real("C", 1e-5, 1e5, "linsvm"),
        integer("max_depth", 1, 10, "dt"),
        integer("min_samples_split", 2, 100, "dt"),
        integer("min_samples_leaf", 2, 100, "dt"),
        integer("n_estimators", 1, 30, "rf"),
        integer("max_depth", 1, 10, "rf"),
        integer("min_samples_split", 2, 100, "rf"),
        integer("min_samples_leaf", 2, 100, "rf"),
        integer("n_estimators", 1, 30, "adab"),
        real("reg_param", 1e-3, 1e3, "qda"),
    ])
    .unwrap()
}

/// Smooth, one valley per learner, different depths.
pub fn loss(space: &Space, configuration: &Configuration) -> f64 {
    let encoded = space.encode([configuration], &Encoding::default());
    let row = encoded.row(0);
    let learner = row.x()[0];
    let valley: f64 =
        row.active().columns().skip(1).map(|c| (row.x()[c] - 0.3 - 0.05 * c as f64).powi(2)).sum();
    0.1 + 0.3 * (learner - 0.4).abs() + valley
}

/// Not the learners without parameters: they have one configuration each.
pub fn draw(space: &Space, skewed: bool, rng: &mut Rng) -> Configuration {
    loop {
        let drawn = space.sample(rng).unwrap();
        let learner = space.value(&drawn, "classifier");
        let wanted = !skewed || rng.unit() > 0.55 || learner == Some(Value::from("rf"));
        if drawn.len() > 1 && wanted {
            return drawn;
        }
    }
}

/// CPU milliseconds of all threads so far.
fn cpu_ms() -> f64 {
    cpu_time::ProcessTime::now().as_duration().as_secs_f64() * 1e3
}

pub fn peak_mib() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with("VmHWM")).unwrap_or("VmHWM: NaN kB");
    line.split_whitespace().nth(1).and_then(|kib| kib.parse::<f64>().ok()).unwrap_or(f64::NAN) / 1024.0
}

pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

pub fn timed<T>(work: impl FnOnce() -> T) -> (f64, f64, T) {
    let (wall, cpu) = (Instant::now(), cpu_ms());
    let done = work();
    (wall.elapsed().as_secs_f64() * 1e3, cpu_ms() - cpu, done)
}
