//! How many of the gains predicted by verdicts come true? Computes the figures of docs/TRUST.md.
//!
//! Searches functions whose true values are known, with and without noise. At several lengths it
//! asks for the verdict, then runs one more trial, and compares the predicted gain with the true
//! one over the trusted trial.
//!
//! ```text
//! cargo run --release -p arbora-evaluation --example promises -- 8
//! ```
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "an example")]
use arbora_evaluation::{Verdict, verdict_model};
use arbora_search::{Study, StudyOptions, Trial};
use arbora_space::{Configuration, Param, Rng, Space};

/// Numbers of trials after which to ask for a verdict.
const LENGTHS: [usize; 5] = [8, 15, 24, 36, 50];

/// The value of a parameter by name, if it is active.
type At<'a> = &'a dyn Fn(&str) -> Option<f64>;

struct Problem {
    name: &'static str,
    space: Space,
    /// With a spread of roughly one.
    truth: fn(At<'_>) -> f64,
}

fn problems() -> Vec<Problem> {
    let unit = |name: &str| Param::real(name, 0.0, 1.0);
    let bowl = Space::new([unit("x"), unit("y")]).unwrap();
    let branin = Space::new([unit("x"), unit("y")]).unwrap();
    let wide = Space::new(["a", "b", "c", "d", "e"].map(unit)).unwrap();
    let tree = Space::new([
        Param::choice("model", ["line", "bowl", "waves"]),
        unit("x").when("model == 'line'"),
        unit("y").when("model == 'bowl'"),
        unit("z").when("model == 'bowl'"),
        unit("w").when("model == 'waves'"),
    ])
    .unwrap();
    vec![
        Problem {
            name: "bowl",
            space: bowl,
            truth: |at| 4.0 * ((at("x").unwrap() - 0.3).powi(2) + (at("y").unwrap() - 0.7).powi(2)),
        },
        Problem {
            name: "branin",
            space: branin,
            truth: |at| {
                let (u, v) = (15.0 * at("x").unwrap() - 5.0, 15.0 * at("y").unwrap());
                let bend = v - 0.129_185 * u * u + 1.591_549 * u - 6.0;
                (bend * bend + 9.602_113 * u.cos() + 10.0) / 50.0
            },
        },
        Problem {
            name: "five waves",
            space: wide,
            truth: |at| {
                let one = |name: &str| (5.0 * at(name).unwrap()).sin() + at(name).unwrap();
                ["a", "b", "c", "d", "e"].map(one).iter().sum::<f64>() / 2.0
            },
        },
        Problem {
            name: "tree",
            space: tree,
            truth: |at| match (at("x"), at("y"), at("w")) {
                (Some(x), ..) => 0.5 + 2.0 * x,
                (_, Some(y), _) => 3.0 * ((y - 0.4).powi(2) + (at("z").unwrap() - 0.6).powi(2)),
                (.., w) => 1.0 + (9.0 * w.unwrap()).sin(),
            },
        },
    ]
}

fn true_loss(problem: &Problem, configuration: &Configuration) -> f64 {
    (problem.truth)(&|name| problem.space.value(configuration, name).and_then(|value| value.as_f64()))
}

/// Predicted and true gain, one pair per length.
fn course(problem: &Problem, noise: f64, seed: u64) -> Vec<(f64, f64)> {
    let options = StudyOptions { seed, deterministic: noise == 0.0, ..StudyOptions::default() };
    let mut study = Study::new(problem.space.clone(), options).unwrap();
    let mut rng = Rng::new(seed ^ 0x70_726f);
    let mut pairs = Vec::new();
    for done in 0..=LENGTHS[LENGTHS.len() - 1] {
        let promised = LENGTHS.contains(&done).then(|| verdict(&study));
        let trial: Trial = study.ask().unwrap();
        let truth = true_loss(problem, &trial.configuration);
        if let Some(verdict) = promised {
            let trusted = &study.history().trials()[verdict.trusted.trial as usize];
            pairs.push((verdict.promise, (true_loss(problem, &trusted.configuration) - truth).max(0.0)));
        }
        study.tell(trial.number, truth + noise * rng.normal()).unwrap();
    }
    pairs
}

fn verdict(study: &Study) -> Verdict {
    let spec = verdict_model(&study.options().strategy, study.space(), study.history().len());
    Verdict::of(study.space(), study.history(), study.options(), &spec).unwrap().unwrap()
}

fn main() {
    let seeds: u64 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(4);
    println!(
        "{:<12} {:>6} {:>8} {:>9} {:>9} {:>7}",
        "problem", "noise", "trials", "promised", "came", "ratio"
    );
    let mut all = (0.0, 0.0);
    for problem in problems() {
        for noise in [0.0, 0.1] {
            let courses: Vec<Vec<(f64, f64)>> =
                (0..seeds).map(|seed| course(&problem, noise, seed)).collect();
            for (place, length) in LENGTHS.iter().enumerate() {
                let mean = |of: fn(&(f64, f64)) -> f64| {
                    courses.iter().map(|course| of(&course[place])).sum::<f64>() / seeds as f64
                };
                let (promised, came) = (mean(|pair| pair.0), mean(|pair| pair.1));
                all = (all.0 + promised, all.1 + came);
                let ratio = if came > 0.0 { promised / came } else { f64::INFINITY };
                println!(
                    "{:<12} {noise:>6} {length:>8} {promised:>9.4} {came:>9.4} {ratio:>7.2}",
                    problem.name
                );
            }
        }
    }
    println!("in all: promised {:.3}, came {:.3}, ratio {:.2}", all.0, all.1, all.0 / all.1);
}
