//! Numbers for `scripts/crosscheck_search.py`, which compares them with other packages.
//!
//! One JSON object: best losses of CMA-ES on two functions over seeds, improvements of log-normal losses, values of
//! Parzen densities, Sobol points, what TPE would try next over seeds.
#![allow(clippy::print_stdout, clippy::unwrap_used)]
use arbora_model::parzen::Numbers;
use arbora_search::acquisition::{Improvement, LogNormalImprovement};
use arbora_search::{Study, StudyOptions};
use arbora_space::{Param, Space};
use serde_json::json;

fn study(strategy: &str, dimensions: usize, seed: u64) -> Study {
    let params: Vec<Param> = (0..dimensions).map(|i| Param::real(format!("x{i}"), 0.0, 1.0)).collect();
    let options = StudyOptions { strategy: strategy.parse().unwrap(), seed, ..StudyOptions::default() };
    Study::new(Space::new(params).unwrap(), options).unwrap()
}

fn place(study: &Study, trial: &arbora_search::Trial) -> Vec<f64> {
    let count = study.space().parameters().len();
    (0..count).map(|i| study.value(trial, &format!("x{i}")).unwrap().as_f64().unwrap()).collect()
}

fn best(dimensions: usize, evaluations: usize, seed: u64, loss: fn(&[f64]) -> f64) -> f64 {
    let mut study = study("cma", dimensions, seed);
    for _ in 0..evaluations {
        let trial = study.ask().unwrap();
        let value = loss(&place(&study, &trial));
        study.tell(trial.number, value).unwrap();
    }
    study.best_value().unwrap()
}

fn sphere(x: &[f64]) -> f64 {
    x.iter().map(|x| (x - 0.3).powi(2)).sum()
}

fn ellipsoid(x: &[f64]) -> f64 {
    let last = (x.len() - 1) as f64;
    x.iter().enumerate().map(|(i, x)| 10f64.powf(3.0 * i as f64 / last) * (x - 0.4).powi(2)).sum()
}

/// What TPE tries after forty evenly spread trials of a bowl, for each of so many seeds.
fn next_by_tpe(seeds: u64) -> Vec<f64> {
    let next = |seed| {
        let mut study = study("tpe", 1, seed);
        for i in 0..40 {
            let x = (f64::from(i) + 0.5) / 40.0;
            let configuration = study.space().canonical([("x0", x.into())]).unwrap();
            study.add(configuration, (x - 0.3).powi(2)).unwrap();
        }
        let trial = study.ask().unwrap();
        place(&study, &trial)[0]
    };
    (0..seeds).map(next).collect()
}

fn main() {
    let cma =
        |loss: fn(&[f64]) -> f64| -> Vec<f64> { (0..15).map(|seed| best(5, 400, seed, loss)).collect() };
    let cases = [(0.6, 0.3, 0.5), (2.0, 1.5, 0.4), (0.5, 0.05, 0.6), (1.0, 0.2, 0.1)];
    let improvements: Vec<f64> =
        cases.iter().map(|&(m, s, b)| LogNormalImprovement.score(m, s, b).exp()).collect();
    let observed = [0.1, 0.45, 0.5, 0.9];
    let parzen = Numbers::new(&observed, (0.5, 1.0));
    let densities: Vec<f64> = (0..=10).map(|i| parzen.ln_density(f64::from(i) / 10.0).exp()).collect();
    let mut sobol = study("sobol", 4, 7);
    let points: Vec<Vec<f64>> = (0..128)
        .map(|_| {
            let trial = sobol.ask().unwrap();
            place(&sobol, &trial)
        })
        .collect();
    println!(
        "{}",
        json!({
            "sphere": cma(sphere), "ellipsoid": cma(ellipsoid), "cases": cases, "improvements": improvements,
            "observed": observed, "densities": densities, "sobol": points, "tpe": next_by_tpe(400),
        })
    );
}
