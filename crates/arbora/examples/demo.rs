//! A tour in one minute: tune a learner whose choice decides which parameters exist.
//!
//! The objective stands in for a real one: a validation error with one valley per learner, some flat, some narrow.
//! Run it with `make demo`.
#![allow(clippy::disallowed_methods, reason = "a demonstration shows how long it took")]
use arbora::{Param, Space, SpaceError, Study, StudyOptions, Trial};
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

const TRIALS: usize = 60;

fn space() -> Result<Space, SpaceError> {
    Space::new([
        Param::choice("learner", ["knn", "svm", "forest", "bayes"]),
        Param::integer("knn.neighbours", 1, 30).when("learner == 'knn'"),
        Param::choice("svm.kernel", ["linear", "rbf"]).when("learner == 'svm'"),
        Param::real("svm.C", 1e-5, 1e5).log().when("learner == 'svm'"),
        Param::real("svm.gamma", 1e-5, 1e5).log().when("`svm.kernel` == 'rbf'"),
        Param::integer("forest.trees", 1, 500).log().when("learner == 'forest'"),
        Param::integer("forest.depth", 1, 30).or_none().when("learner == 'forest'"),
    ])
}

/// Validation error of a learner that was never trained: smooth valleys, the deepest one at an RBF machine.
fn error_of(study: &Study, trial: &Trial) -> f64 {
    let number = |name: &str| study.value(trial, name).and_then(|v| v.as_f64());
    let valley = |x: f64, at: f64, width: f64| ((x - at) / width).powi(2);
    if let Some(k) = number("knn.neighbours") {
        0.12 + 0.05 * valley(k, 7.0, 12.0)
    } else if let Some(c) = number("svm.C") {
        match number("svm.gamma") {
            Some(gamma) => {
                let depth = -valley(c.log10(), 1.3, 2.8) - valley(gamma.log10(), -2.2, 2.2);
                0.42 - 0.36 * depth.exp()
            }
            None => 0.17 + 0.02 * valley(c.log10(), 0.0, 2.0),
        }
    } else if let Some(trees) = number("forest.trees") {
        let depth = number("forest.depth").unwrap_or(40.0);
        0.085 + 0.15 * (-trees / 60.0).exp() + 0.02 * valley(depth, 18.0, 10.0)
    } else {
        0.24
    }
}

fn shown(study: &Study, trial: &Trial) -> String {
    let values = study.space().named(&trial.configuration);
    values.iter().map(|(name, value)| format!("{name}={}", short(value))).collect::<Vec<_>>().join(" ")
}

fn short(value: &arbora::Value) -> String {
    match value {
        arbora::Value::Real(x) => format!("{x:.3e}"),
        other => other.to_string(),
    }
}

fn bar(done: usize) -> String {
    let filled = done * 24 / TRIALS;
    format!("[{}{}]", "#".repeat(filled), "-".repeat(24 - filled))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = StudyOptions { strategy: "gp-conditional".parse()?, seed: 7, ..StudyOptions::default() };
    let mut study = Study::new(space()?, options)?;
    let mut out = std::io::stdout();
    let live = out.is_terminal();
    writeln!(out, "Arbora demo: {TRIALS} trials of a conditional space with strategy gp-conditional\n")?;
    writeln!(out, "{}", study.space().outline())?;
    let (mut thinking, mut best) = (Duration::ZERO, f64::INFINITY);
    for done in 1..=TRIALS {
        let started = Instant::now();
        let trial = study.ask()?;
        thinking += started.elapsed();
        let error = error_of(&study, &trial);
        study.tell(trial.number, error)?;
        if error < best {
            best = error;
            let line = format!("trial {:>3}  error {error:.5}  {}", trial.number, shown(&study, &trial));
            writeln!(out, "{}{line}", if live { "\r\x1b[K" } else { "" })?;
        }
        if live {
            write!(out, "\r\x1b[K{} {done}/{TRIALS}  best {best:.5}", bar(done))?;
            out.flush()?;
        }
    }
    if live {
        write!(out, "\r\x1b[K")?;
    }
    let winner = study.best().ok_or("no trial was completed")?;
    writeln!(out, "\nBest error {best:.5} in trial {}:", winner.number)?;
    for (name, value) in study.space().named(&winner.configuration) {
        writeln!(out, "  {name:<16} {value}")?;
    }
    let per_trial = thinking.as_secs_f64() * 1e3 / TRIALS as f64;
    writeln!(out, "\nEach suggestion took {per_trial:.1} ms. The lowest error there is: 0.06000.")?;
    writeln!(out, "Next: describe your own space (docs/SPACES.md) and ask and tell from Rust (README.md).")?;
    Ok(())
}
