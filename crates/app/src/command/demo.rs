//! `arbora demo`: the tour, which lives in the Python package.
use super::python::run_module;
use crate::error::{AppError, Exit};
use crate::output::Output;
use clap::Args;
use std::ffi::OsString;

/// Run a tour: choose a model and its parameters on a real data set
///
/// Runs `python -m arbora.demo` with the interpreter in ARBORA_PYTHON, or python3.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Arguments of the demo
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    arguments: Vec<OsString>,
}

impl Arguments {
    pub(super) fn run(&self, _: &mut Output<'_>) -> Result<Exit, AppError> {
        run_module("arbora.demo", &self.arguments)
    }
}
