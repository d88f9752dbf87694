//! Queries a model through JSON, so that other implementations can be compared with it.
//!
//! One JSON object per line in and out:
//!
//! ```text
//! {"believe": {"space": {"parameters": {...}}, "surrogate": {...}, "hypers": {"length:x": 0.3},
//!              "seen": [{"x": .., "kind": "a"}, ...], "losses": [..], "at": [...]}}
//!     → {"mean": [..], "variance": [..], "branches": {"mean": [..], "variance": [..]},
//!        "memory": {...}}
//! {"minimize": {"function": "branin", "evaluations": 300}}
//!     → {"value": .., "evaluations": ..}                 by DIRECT
//! ```
//!
//! Optional: `imputation`, the values of inactive coordinates, and `seed`. With
//! `infer = { kind = "fixed" }`, θ stays at `hypers`; otherwise a chain continues from there, or
//! starts afresh without them. Mean and variance are those of the first draw. `branches` is the
//! prediction of a tree model for whole paths; `memory` has every θ, by name.
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "an example is an application: it reads and prints"
)]
use arbora_model::{Dataset, Memory, Prediction, SurrogateContext, SurrogateSpec, Workers};
use arbora_papers::direct::Direct;
use arbora_space::{Configuration, Encoding, Imputation, Points, Rng, Space, SpaceSpec, Value};
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::error::Error;

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Question {
    Believe(Box<Believe>),
    Minimize { function: String, evaluations: usize },
}

/// Values of active parameters by name.
type Row = BTreeMap<String, Value>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Believe {
    space: SpaceSpec,
    #[serde(default)]
    imputation: Imputation,
    surrogate: SurrogateSpec,
    #[serde(default)]
    hypers: BTreeMap<String, f64>,
    seen: Vec<Row>,
    losses: Vec<f64>,
    at: Vec<Row>,
    #[serde(default)]
    seed: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    arbora_papers::register()?;
    for line in std::io::stdin().lines() {
        let answer = match serde_json::from_str(&line?)? {
            Question::Believe(question) => believe(*question)?,
            Question::Minimize { function, evaluations } => lowest(&function, evaluations)?,
        };
        println!("{answer}");
    }
    Ok(())
}

fn believe(question: Believe) -> Result<serde_json::Value, Box<dyn Error>> {
    let space = Space::new(question.space)?;
    let encoding = Encoding { imputation: question.imputation, ..Encoding::default() };
    let (seen, at) = (encode(&space, question.seen, &encoding)?, encode(&space, question.at, &encoding)?);
    let memory = remembered(question.hypers)?;
    let surrogate = question.surrogate.build(SurrogateContext::new(space.layout(), &Workers::serial()))?;
    let data = Dataset::new(seen, question.losses)?;
    let model = surrogate.fit(&data, memory.as_ref(), &mut Rng::new(question.seed))?;
    let mut answer = normals(&model.predict(&at));
    answer["branches"] = model.branches().map(|paths| normals(&paths.predict_branches(&at))).into();
    answer["memory"] = serde_json::to_value(model.memory())?;
    Ok(answer)
}

fn normals(said: &Prediction) -> serde_json::Value {
    json!({ "mean": said.mean(0, 0), "variance": said.variance(0) })
}

/// A chain whose last state has these values; `None` if there are none.
fn remembered(hypers: BTreeMap<String, f64>) -> Result<Option<Memory>, serde_json::Error> {
    if hypers.is_empty() {
        return Ok(None);
    }
    let (names, values): (Vec<String>, Vec<f64>) = hypers.into_iter().unzip();
    serde_json::from_value(json!({ "names": names, "states": [values] })).map(Some)
}

fn encode(space: &Space, rows: Vec<Row>, encoding: &Encoding) -> Result<Points, Box<dyn Error>> {
    let rows: Vec<Configuration> =
        rows.into_iter().map(|row| space.configuration(row)).collect::<Result<_, _>>()?;
    Ok(space.encode(&rows, encoding))
}

fn lowest(name: &str, evaluations: usize) -> Result<serde_json::Value, Box<dyn Error>> {
    let (bounds, function) = known(name)?;
    let search = Direct { evaluations, ..Direct::default() };
    let lowest = search.minimize(&bounds, |points| points.iter().map(|x| function(x)).collect());
    Ok(json!({ "value": lowest.value, "evaluations": lowest.evaluations }))
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
