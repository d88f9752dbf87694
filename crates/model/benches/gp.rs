//! Benchmarks of Gaussian processes: likelihoods, one moving length-scale, gradients, appended
//! rows, predictions. Prints microseconds and the speed-up from the block structure.
#![allow(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
#![allow(clippy::print_stdout, reason = "a benchmark reports")]
#![allow(clippy::unwrap_used, missing_docs, reason = "a benchmark has no caller")]
use arbora_model::infer::{Inference, LogDensity, Start};
use arbora_model::kernel::{ConditionalSpec, Matern52};
use arbora_model::{Dataset, GpSpec, KernelSpec, Model, PendingOutcomes, Surrogate, Workers};
use arbora_space::{BranchKey, Column, ColumnKind, Layout, Points, Rng};
use std::hint::black_box;
use std::sync::Mutex;
use std::time::Instant;

const COLUMNS: usize = 15;
const BLOCKS: usize = 8;

/// A category with eight values and fifteen numbers, about two of which belong to each value.
fn layout() -> Layout {
    let column = |name: String, kind, is_decider| Column {
        name,
        kind,
        is_fixed: false,
        is_decider,
        is_conditional: !is_decider,
        levels: None,
        default: 0.5,
        place: arbora_space::ColumnPlace::default(),
    };
    let mut columns = vec![column("label".into(), ColumnKind::Categories(BLOCKS), true)];
    columns.extend((0..COLUMNS).map(|i| column(format!("x{i}"), ColumnKind::Numeric, false)));
    Layout { columns }
}

/// Rows cycling through the categories. `is_dense`: all columns are active everywhere.
fn points(count: usize, is_dense: bool, rng: &mut Rng) -> Points {
    let mut points = Points::new(COLUMNS + 1);
    for i in 0..count {
        let label = i % BLOCKS;
        let is_active = |column: usize| is_dense || column == 0 || (column - 1) % BLOCKS == label;
        let active: Vec<bool> = (0..=COLUMNS).map(is_active).collect();
        let mut x: Vec<f64> = active.iter().map(|&active| if active { rng.unit() } else { 0.5 }).collect();
        x[0] = label as f64 / (BLOCKS - 1) as f64;
        points.push_parts(&x, &active, BranchKey::ROOT.then(0, label as u64));
    }
    points
}

fn dataset(count: usize, is_dense: bool) -> Dataset {
    let mut rng = Rng::new(count as u64);
    let points = points(count, is_dense, &mut rng);
    let losses = (0..count).map(|i| points.row(i).x().iter().sum::<f64>() + 0.1 * rng.normal()).collect();
    Dataset::new(points, losses).unwrap()
}

fn spec(is_dense: bool) -> GpSpec {
    let inner = KernelSpec::new(Matern52::default());
    let kernel = if is_dense { inner } else { KernelSpec::new(ConditionalSpec { inner }) };
    GpSpec { kernel, ..GpSpec::default() }
}

/// Minimum time of one call, in microseconds: on a shared machine, other processes only add to it.
fn time(mut call: impl FnMut()) -> f64 {
    let sample = |_| {
        let (start, mut calls) = (Instant::now(), 0);
        while start.elapsed().as_secs_f64() < 3e-4 {
            call();
            calls += 1;
        }
        1e6 * start.elapsed().as_secs_f64() / f64::from(calls)
    };
    (0..60).map(sample).fold(f64::INFINITY, f64::min)
}

/// An inference that only reads the clock.
struct Stopwatch<'a>(&'a Mutex<Vec<f64>>);

impl Inference for Stopwatch<'static> {
    fn draw(&self, target: &mut dyn LogDensity, start: &Start, _: &mut Rng) -> Vec<Vec<f64>> {
        let mut theta = start.theta().to_vec();
        let (mut gradient, mut step) = (vec![0.0; theta.len()], 0.0);
        let mut next = || {
            step = (step + 0.01) % 1.0;
            step
        };
        let mut found = Vec::new();
        found.push(time(|| {
            theta[3..].fill(next());
            black_box(target.at(&theta));
        }));
        let mut along = target.along(&theta, 3);
        found.push(time(|| {
            black_box(along(next()));
        }));
        drop(along);
        found.push(time(|| {
            theta[2] = -next() - 2.0;
            black_box(target.at(&theta));
        }));
        found.push(time(|| {
            theta[3..].fill(next());
            black_box(target.with_gradient(&theta, &mut gradient));
        }));
        *self.0.lock().unwrap() = found;
        Vec::new()
    }
}

fn likelihoods(count: usize, is_dense: bool) -> Vec<f64> {
    let found: &'static Mutex<Vec<f64>> = Box::leak(Box::default());
    let gp = spec(is_dense)
        .build(&layout(), &Workers::serial())
        .unwrap()
        .with_inference(Box::new(Stopwatch(found)));
    gp.fit(&dataset(count, is_dense), None, &mut Rng::new(0)).unwrap();
    let found = found.lock().unwrap();
    found.clone()
}

fn fitted(count: usize, is_dense: bool, text: &str) -> (Box<dyn Surrogate>, Box<dyn Model>) {
    let infer = serde_json::from_str(text).unwrap();
    let surrogate = GpSpec { infer, ..spec(is_dense) }.build(&layout(), &Workers::serial()).unwrap();
    let model = surrogate.fit(&dataset(count, is_dense), None, &mut Rng::new(0)).unwrap();
    (Box::new(surrogate), model)
}

fn main() {
    println!("one evaluation of the likelihood, µs          {COLUMNS} columns, {BLOCKS} blocks");
    println!("    n   kind     full   one length    noise only    gradient");
    for count in [50, 100, 200, 500, 1000] {
        let (dense, blocked) = (likelihoods(count, true), likelihoods(count, false));
        for (kind, t) in [("dense", &dense), ("blocks", &blocked)] {
            println!("{count:5}   {kind:6} {:8.1} {:8.1} {:8.1} {:8.1}", t[0], t[1], t[2], t[3]);
        }
        let ratio: Vec<String> = dense.iter().zip(&blocked).map(|(d, b)| format!("{:8.1}", d / b)).collect();
        println!("        ratio  {}", ratio.join(" "));
    }
    println!("\none pending point appended, against a refit at the same θ, µs");
    for count in [50, 200, 800] {
        let (surrogate, model) = fitted(count, true, r#"{"kind":"fixed"}"#);
        let (data, pending) = (dataset(count, true), points(1, true, &mut Rng::new(9)));
        let append = time(|| {
            black_box(
                model
                    .joint()
                    .unwrap()
                    .fantasize(&pending, &PendingOutcomes::Believer, &mut Rng::new(0))
                    .unwrap(),
            );
        });
        let refit = time(|| {
            black_box(surrogate.fit(&data, None, &mut Rng::new(0)).unwrap());
        });
        println!("{count:5}   append {append:8.1}   refit {refit:8.1}   ratio {:6.1}", refit / append);
    }
    println!("\nprediction of 1000 points by 10 draws, ns per point and draw");
    for count in [50, 200, 500] {
        let of = |is_dense| {
            let (_, model) = fitted(count, is_dense, r#"{"kind":"slice","draws":10,"burn_in":0}"#);
            let at = points(1000, is_dense, &mut Rng::new(7));
            time(|| {
                black_box(model.predict(&at));
            }) / 10.0
        };
        let (dense, blocked) = (of(true), of(false));
        println!("{count:5}   dense {dense:8.1}   blocks {blocked:8.1}   ratio {:6.1}", dense / blocked);
    }
    println!("\none fit by slice sampling, 10 draws without burn-in, ms");
    for count in [50, 200, 500] {
        let of = |is_dense| {
            let (surrogate, _) = fitted(count, is_dense, r#"{"kind":"slice","draws":10,"burn_in":0}"#);
            let data = dataset(count, is_dense);
            time(|| {
                black_box(surrogate.fit(&data, None, &mut Rng::new(0)).unwrap());
            }) / 1000.0
        };
        let (dense, blocked) = (of(true), of(false));
        println!("{count:5}   dense {dense:8.2}   blocks {blocked:8.2}   ratio {:6.1}", dense / blocked);
    }
}
