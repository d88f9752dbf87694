//! A problem in another process, which owns its space and its losses.
use super::Task;
use crate::error::BenchError;
use crate::json_process::JsonProcess;
use arbora_space::{Configuration, Space};
use serde_json::{Value as Json, json};

/// A problem at the end of a pipe.
pub struct Remote {
    process: JsonProcess,
    space: Space,
}

impl Remote {
    /// Opens a problem for a run.
    pub fn open(mut process: JsonProcess, name: &str, seed: u64) -> Result<Self, BenchError> {
        let answer = process.call(&json!({ "open": name, "seed": seed }))?;
        let space =
            answer.get("space").ok_or_else(|| process.trouble("opened a problem without a `space`"))?;
        let space = Space::from_json_value(space)?;
        Ok(Self { process, space })
    }

    /// The pipe, for the next run.
    pub fn into_process(self) -> JsonProcess {
        self.process
    }
}

impl Task for Remote {
    fn space(&self) -> &Space {
        &self.space
    }

    fn evaluate(&mut self, configuration: &Configuration, trial: usize) -> Result<Option<f64>, BenchError> {
        let configuration = self.space.named(configuration);
        let answer = self.process.call(&json!({ "evaluate": configuration, "trial": trial }))?;
        match answer.get("loss") {
            Some(Json::Null) => Ok(None),
            Some(loss) if loss.is_number() => Ok(loss.as_f64().filter(|loss| loss.is_finite())),
            _ => Err(self.process.trouble(format!("answered `evaluate` by {answer}, without a `loss`"))),
        }
    }

    fn test(&mut self, configuration: &Configuration) -> Result<Option<f64>, BenchError> {
        let answer = self.process.call(&json!({ "test": self.space.named(configuration) }))?;
        Ok(answer.get("test").and_then(Json::as_f64))
    }
}
