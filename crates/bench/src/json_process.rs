//! Another process at the end of a pipe: one line of JSON each way, for problems and optimizers in any language.
//!
//! ```text
//! a problem    → {"open": "cash/iris", "seed": 0}              ← {"space": {…}, "optimum": null}
//!              → {"evaluate": {"x": 0.5}, "trial": 0}          ← {"loss": 0.25}, a loss of null: it failed
//!              → {"test": {"x": 0.5}}                          ← {"test": 0.3}, or null
//! a learner    → {"open": "cash/iris", "seed": 0}              ← {"space": {…}, "labels": [0, 1, …], "train": null}
//!              → {"learn": {…}, "splits": [[[rows], [rows]]]}  ← {"predictions": [[[0, 1, …]]]}, or {"failed": "why"}
//! an optimizer → {"open": "optuna-tpe", "space": {…}, "seed": 0, "trials": 100}   ← {"ready": true}
//!              → {"ask": true}                                 ← {"configuration": {…}, "seconds": 0.01}
//!              → {"tell": 0.25}, null: it failed               ← {"told": true, "seconds": 0.0}
//! ```
//!
//! A split is rows to fit and lists of rows to predict, one or more: one fit answers for all of them.
//! `seconds` is CPU time spent on the answer. An answer `{"missing": "why"}` to `open` says that something is not
//! installed; `{"error": "what"}` ends a run. `open` may come again: one process serves many runs.
use crate::error::BenchError;
use serde_json::Value as Json;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A process that answers lines.
pub struct JsonProcess {
    program: String,
    child: Child,
    into: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
}

impl JsonProcess {
    /// Starts a program with arguments. It uses one thread, so that runs side by side do not fight.
    pub fn start(command: &[String]) -> Result<Self, BenchError> {
        let program = command.join(" ");
        let trouble = |problem: String| BenchError::Process { program: program.clone(), problem };
        let (first, rest) = command.split_first().ok_or_else(|| trouble("no program is named".to_owned()))?;
        let mut starting = Command::new(first);
        starting.args(rest).stdin(Stdio::piped()).stdout(Stdio::piped());
        for variable in ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"] {
            starting.env(variable, "1");
        }
        let mut child = starting.spawn().map_err(|e| trouble(format!("cannot be started: {e}")))?;
        let into = child.stdin.take();
        let from = BufReader::new(child.stdout.take().expect("its output was asked for"));
        Ok(Self { program, child, into, from })
    }

    /// One request, one answer.
    pub fn call(&mut self, request: &Json) -> Result<Json, BenchError> {
        let answer = self.exchange(request).map_err(|problem| self.trouble(problem))?;
        match (answer.get("error"), answer.get("missing")) {
            (Some(problem), _) => Err(self.trouble(words(problem))),
            (None, Some(why)) => Err(BenchError::Missing { why: words(why) }),
            (None, None) => Ok(answer),
        }
    }

    /// What is wrong with an answer that lacks something.
    pub fn trouble(&self, problem: impl Into<String>) -> BenchError {
        BenchError::Process { program: self.program.clone(), problem: problem.into() }
    }

    fn exchange(&mut self, request: &Json) -> Result<Json, String> {
        let into = self.into.as_mut().expect("it is closed only when dropped");
        let gone = |e: std::io::Error| format!("has ended: {e}");
        into.write_all(format!("{request}\n").as_bytes()).map_err(gone)?;
        into.flush().map_err(gone)?;
        let mut line = String::new();
        if self.from.read_line(&mut line).map_err(gone)? == 0 {
            return Err("has ended without an answer; its own words are above".to_owned());
        }
        serde_json::from_str(&line).map_err(|e| format!("answered `{}`, which is no JSON: {e}", line.trim()))
    }
}

fn words(said: &Json) -> String {
    said.as_str().map_or_else(|| said.to_string(), str::to_owned)
}

impl Drop for JsonProcess {
    /// The end of its input is the end; a process that does not listen is ended.
    fn drop(&mut self) {
        drop(self.into.take());
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
