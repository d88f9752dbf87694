//! An optimizer in another process.
use super::{Optimizer, Search};
use crate::error::BenchError;
use crate::json_process::JsonProcess;
use arbora_space::{Configuration, Named, Space, Value};
use serde_json::{Map, Value as Json, json};

/// A program that answers `ask` and `tell`.
pub struct Peer {
    command: Vec<String>,
    name: String,
}

impl Peer {
    /// A program with its arguments, and the optimizer it is asked for.
    pub fn new(command: Vec<String>, name: impl Into<String>) -> Self {
        Self { command, name: name.into() }
    }
}

impl Optimizer for Peer {
    fn open(&self, space: &Space, seed: u64, trials: usize) -> Result<Box<dyn Search>, BenchError> {
        let mut process = JsonProcess::start(&self.command)?;
        let written = space.to_json_value()?;
        process.call(&json!({ "open": self.name, "space": written, "seed": seed, "trials": trials }))?;
        Ok(Box::new(Asking { process, space: space.clone(), asked: false, seconds: 0.0 }))
    }
}

struct Asking {
    process: JsonProcess,
    space: Space,
    asked: bool,
    seconds: f64,
}

impl Asking {
    fn call(&mut self, request: &Json) -> Result<Json, BenchError> {
        let answer = self.process.call(request)?;
        self.seconds += answer.get("seconds").and_then(Json::as_f64).unwrap_or(0.0);
        Ok(answer)
    }
}

impl Search for Asking {
    fn ask(&mut self) -> Result<Configuration, BenchError> {
        let answer = self.call(&json!({ "ask": true }))?;
        self.asked = true;
        let given = answer.get("configuration").and_then(Json::as_object);
        let given = given.ok_or_else(|| self.process.trouble("answered `ask` without a `configuration`"))?;
        Ok(self.space.configuration(read(given, &self.process)?)?)
    }

    fn tell(&mut self, configuration: &Configuration, loss: Option<f64>) -> Result<(), BenchError> {
        let request = if std::mem::take(&mut self.asked) {
            json!({ "tell": loss })
        } else {
            json!({ "add": self.space.named(configuration), "tell": loss })
        };
        self.call(&request).map(|_| ())
    }

    fn seconds_elsewhere(&mut self) -> f64 {
        std::mem::take(&mut self.seconds)
    }
}

fn read(given: &Map<String, Json>, process: &JsonProcess) -> Result<Named, BenchError> {
    let value = |(name, value): (&String, &Json)| match serde_json::from_value::<Value>(value.clone()) {
        Ok(value) => Ok((name.clone(), value)),
        Err(problem) => Err(process.trouble(format!("set `{name}` to {value}: {problem}"))),
    };
    given.iter().map(value).collect()
}
