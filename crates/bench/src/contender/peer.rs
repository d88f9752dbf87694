//! An optimizer in another process.
use super::{Contender, Search};
use crate::error::BenchError;
use crate::wire::Wire;
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

impl Contender for Peer {
    fn open(&self, space: &Space, seed: u64, trials: usize) -> Result<Box<dyn Search>, BenchError> {
        let mut wire = Wire::start(&self.command)?;
        let written = space.to_json_value()?;
        wire.call(&json!({ "open": self.name, "space": written, "seed": seed, "trials": trials }))?;
        Ok(Box::new(Asking { wire, space: space.clone(), asked: false, seconds: 0.0 }))
    }
}

struct Asking {
    wire: Wire,
    space: Space,
    asked: bool,
    seconds: f64,
}

impl Asking {
    fn call(&mut self, request: &Json) -> Result<Json, BenchError> {
        let answer = self.wire.call(request)?;
        self.seconds += answer.get("seconds").and_then(Json::as_f64).unwrap_or(0.0);
        Ok(answer)
    }
}

impl Search for Asking {
    fn ask(&mut self) -> Result<Configuration, BenchError> {
        let answer = self.call(&json!({ "ask": true }))?;
        self.asked = true;
        let given = answer.get("configuration").and_then(Json::as_object);
        let given = given.ok_or_else(|| self.wire.trouble("answered `ask` without a `configuration`"))?;
        Ok(self.space.configuration(read(given, &self.wire)?)?)
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

fn read(given: &Map<String, Json>, wire: &Wire) -> Result<Named, BenchError> {
    let value = |(name, value): (&String, &Json)| match serde_json::from_value::<Value>(value.clone()) {
        Ok(value) => Ok((name.clone(), value)),
        Err(problem) => Err(wire.trouble(format!("set `{name}` to {value}: {problem}"))),
    };
    given.iter().map(value).collect()
}
