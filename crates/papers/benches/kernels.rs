//! Cost of a fit and a prediction by kernel: 200 rows of a space like combined algorithm selection
//! with 14 parameters: nine learners, one to four numbers each. Milliseconds of CPU time, the
//! minimum of a few calls.
#![allow(clippy::print_stdout, reason = "a benchmark reports")]
#![allow(clippy::unwrap_used, missing_docs, reason = "a benchmark has no caller")]
use arbora_model::{Dataset, Surrogate, SurrogateContext, SurrogateSpec, Workers};
use arbora_space::{BranchKey, Column, ColumnKind, Layout, Points, Rng};
use cpu_time::ThreadTime;
use std::hint::black_box;

/// The learner that each number belongs to.
const OWNERS: [usize; 13] = [0, 1, 1, 2, 3, 3, 3, 4, 4, 4, 4, 5, 8];
const LEARNERS: usize = 9;

fn layout() -> Layout {
    let column = |name: String, kind, is_decider: bool| Column {
        place: arbora_space::ColumnPlace::default(),
        name,
        kind,
        is_fixed: false,
        is_decider,
        is_conditional: !is_decider,
        levels: None,
        default: 0.5,
    };
    let mut columns = vec![column("learner".into(), ColumnKind::Categories(LEARNERS), true)];
    columns.extend((0..OWNERS.len()).map(|i| column(format!("x{i}"), ColumnKind::Numeric, false)));
    Layout { columns }
}

fn points(count: usize, seed: u64) -> Points {
    let (mut rng, mut points) = (Rng::new(seed), Points::new(1 + OWNERS.len()));
    for _ in 0..count {
        let learner = rng.below(LEARNERS);
        let mut active = vec![true];
        active.extend(OWNERS.iter().map(|&owner| owner == learner));
        let mut x: Vec<f64> = active.iter().map(|&active| if active { rng.unit() } else { 0.5 }).collect();
        x[0] = learner as f64 / (LEARNERS - 1) as f64;
        points.push_parts(&x, &active, BranchKey::ROOT.then(0, learner as u64));
    }
    points
}

fn dataset(count: usize) -> Dataset {
    let (points, mut rng) = (points(count, 1), Rng::new(2));
    let losses =
        points.iter().map(|row| row.x().iter().map(|x| (x - 0.4).powi(2)).sum::<f64>() + 0.05 * rng.normal());
    let losses = losses.collect();
    Dataset::new(points, losses).unwrap()
}

fn build(kind: &str, kernel: &str, infer: &str) -> Box<dyn Surrogate> {
    let text = format!(r#"{{"kind":"{kind}","kernel":{kernel},"infer":{infer}}}"#);
    let spec: SurrogateSpec = serde_json::from_str(&text).unwrap();
    spec.build(SurrogateContext::new(&layout(), &Workers::serial())).unwrap()
}

/// Minimum milliseconds of CPU time over a few calls.
fn time(calls: usize, mut call: impl FnMut()) -> f64 {
    let once = |_| {
        let start = ThreadTime::now();
        call();
        1e3 * start.elapsed().as_secs_f64()
    };
    (0..calls).map(once).fold(f64::INFINITY, f64::min)
}

fn main() {
    arbora_papers::register().unwrap();
    let (data, at) = (dataset(200), points(1000, 3));
    println!(
        "200 rows, 14 columns          10 slice draws        map (5 starts)     1000 points by 10 draws, ms"
    );
    for kernel in ["matern52", "standard", "arc", "imp", "imp_arc", "wedge"] {
        let name = format!("\"{kernel}\"");
        let slice = build("gp", &name, r#"{"kind":"slice","draws":10,"burn_in":20}"#);
        let model = slice.fit(&data, None, &mut Rng::new(0)).unwrap();
        let memory = model.memory().cloned();
        let sliced = time(5, || {
            black_box(slice.fit(&data, memory.as_ref(), &mut Rng::new(0)).unwrap());
        });
        let map = build("gp", &name, r#"{"kind":"map"}"#);
        let mapped = time(3, || {
            black_box(map.fit(&data, None, &mut Rng::new(0)).unwrap());
        });
        let predicted = time(10, || {
            black_box(model.predict(&at));
        });
        println!("gp, {kernel:12}         {sliced:12.1}          {mapped:12.1}          {predicted:12.1}");
    }
    println!("\n                                    kriging by DIRECT, 200 likelihoods in all, ms");
    for rule in ["standard", "arc", "ico", "imp", "imp_arc", "wedge"] {
        let search = build(
            "kriging",
            &format!("\"{rule}\""),
            r#"{"kind":"direct","evaluations":200,"per_hyper":false}"#,
        );
        for count in [30, 200] {
            let data = dataset(count);
            let searched = time(2, || {
                black_box(search.fit(&data, None, &mut Rng::new(0)).unwrap());
            });
            println!("{rule:12} n = {count:4} {searched:12.1}");
        }
    }
}
