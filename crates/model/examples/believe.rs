//! A model asked from outside, so that others can be compared with it. One JSON object per line in and out:
//!
//! ```text
//! {"surrogate": {...}, "hypers": {"length:x": 0.3, ...}, "seen": [{"x": .., "y": ..}, ...], "losses": [..], "at": [...]}
//!     → {"mean": [..], "variance": [..]}                 with θ held at `hypers`, on losses as they are
//! {"minimize": "branin", "evaluations": 300}
//!     → {"value": .., "evaluations": ..}                 by DIRECT
//! ```
//!
//! The space is a number `x` in [0, 1] and another, `y`, that is there if `x` > ½.
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "an example is an application: it reads and prints"
)]
use arbora_model::direct::Direct;
use arbora_model::{Dataset, Memory, SurrogateSpec, Workers};
use arbora_space::{Configuration, Encoding, Param, Points, Rng, Space, Value};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::error::Error;

#[derive(Deserialize)]
#[serde(untagged)]
enum Question {
    Believe(Box<Believe>),
    Minimize { minimize: String, evaluations: usize },
}

#[derive(Deserialize)]
struct Believe {
    surrogate: SurrogateSpec,
    hypers: BTreeMap<String, f64>,
    seen: Vec<BTreeMap<String, f64>>,
    losses: Vec<f64>,
    at: Vec<BTreeMap<String, f64>>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let space = Space::new([Param::real("x", 0.0, 1.0), Param::real("y", 0.0, 1.0).when("x > 0.5")])?;
    for line in std::io::stdin().lines() {
        let answer = match serde_json::from_str(&line?)? {
            Question::Believe(question) => believe(&space, *question)?,
            Question::Minimize { minimize, evaluations } => lowest(&minimize, evaluations)?,
        };
        println!("{answer}");
    }
    Ok(())
}

fn believe(space: &Space, question: Believe) -> Result<serde_json::Value, Box<dyn Error>> {
    let surrogate = question.surrogate.build(space.layout(), &Workers::serial())?;
    let (names, values): (Vec<String>, Vec<f64>) = question.hypers.into_iter().unzip();
    let memory: Memory = serde_json::from_value(serde_json::json!({ "names": names, "states": [values] }))?;
    let data = Dataset::new(encode(space, &question.seen)?, question.losses)?;
    let model = surrogate.fit(&data, Some(&memory), &mut Rng::new(0))?;
    let said = model.predict(&encode(space, &question.at)?);
    Ok(serde_json::json!({ "mean": said.mean(0, 0), "variance": said.variance(0) }))
}

fn encode(space: &Space, rows: &[BTreeMap<String, f64>]) -> Result<Points, Box<dyn Error>> {
    let read = |row: &BTreeMap<String, f64>| {
        space.configuration(row.iter().map(|(name, value)| (name.clone(), Value::from(*value))))
    };
    let rows: Vec<Configuration> = rows.iter().map(read).collect::<Result<_, _>>()?;
    Ok(space.encode(&rows, &Encoding::default()))
}

fn lowest(name: &str, evaluations: usize) -> Result<serde_json::Value, Box<dyn Error>> {
    let (bounds, function) = known(name)?;
    let search = Direct { evaluations, ..Direct::default() };
    let lowest = search.minimize(&bounds, |points| points.iter().map(|x| function(x)).collect());
    Ok(serde_json::json!({ "value": lowest.value, "evaluations": lowest.evaluations }))
}

type Known = (Vec<(f64, f64)>, fn(&[f64]) -> f64);

fn known(name: &str) -> Result<Known, Box<dyn Error>> {
    match name {
        "branin" => Ok((vec![(-5.0, 10.0), (0.0, 15.0)], |x| {
            let pi = std::f64::consts::PI;
            let bend = x[1] - 5.1 / (4.0 * pi * pi) * x[0] * x[0] + 5.0 / pi * x[0] - 6.0;
            bend * bend + 10.0 * (1.0 - 1.0 / (8.0 * pi)) * x[0].cos() + 10.0
        })),
        "camel" => Ok((vec![(-3.0, 3.0), (-2.0, 2.0)], |x| {
            let (a, b) = (x[0] * x[0], x[1] * x[1]);
            (4.0 - 2.1 * a + a * a / 3.0) * a + x[0] * x[1] + (-4.0 + 4.0 * b) * b
        })),
        "goldstein" => Ok((vec![(-2.0, 2.0); 2], |p| {
            let (x, y) = (p[0], p[1]);
            let first = 19.0 - 14.0 * x + 3.0 * x * x - 14.0 * y + 6.0 * x * y + 3.0 * y * y;
            let second = 18.0 - 32.0 * x + 12.0 * x * x + 48.0 * y - 36.0 * x * y + 27.0 * y * y;
            (1.0 + (x + y + 1.0).powi(2) * first) * (30.0 + (2.0 * x - 3.0 * y).powi(2) * second)
        })),
        _ => Err(format!("no function is called `{name}`: use branin, camel or goldstein").into()),
    }
}
