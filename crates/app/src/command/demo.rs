//! `arbora demo`: the tour, which lives in the Python package.
use crate::error::{AppError, Exit};
use crate::surroundings::Surroundings;
use clap::Args;
use std::ffi::OsString;
use std::process::{Command, Stdio};

/// Take the tour: a learner and its parameters on a real data set
///
/// Runs `python -m arbora.demo` with the interpreter in ARBORA_PYTHON, or python3.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Handed on to the demo
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    arguments: Vec<OsString>,
}

impl Arguments {
    pub(super) fn run(&self, _: &mut Surroundings<'_>) -> Result<Exit, AppError> {
        let python = std::env::var_os("ARBORA_PYTHON").filter(|set| !set.is_empty());
        let python = python.unwrap_or_else(|| "python3".into());
        let trouble =
            |problem: String| AppError::NoPython { python: python.to_string_lossy().into_owned(), problem };
        let probe = "import importlib.util, sys; sys.exit(importlib.util.find_spec('arbora') is None)";
        let found =
            Command::new(&python).args(["-c", probe]).stdout(Stdio::null()).stderr(Stdio::null()).status();
        match found {
            Err(problem) => return Err(trouble(format!("cannot be started: {problem}"))),
            Ok(status) if !status.success() => return Err(trouble("has no package `arbora`".to_owned())),
            Ok(_) => {}
        }
        let run = Command::new(&python).args(["-m", "arbora.demo"]).args(&self.arguments).status();
        match run.map_err(|problem| trouble(format!("cannot be started: {problem}")))?.code() {
            Some(0) => Ok(Exit::Fine),
            None | Some(130) => Ok(Exit::Interrupted),
            Some(_) => Ok(Exit::Failed),
        }
    }
}
