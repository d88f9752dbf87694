//! `arbora automl`: a table of data in, a model out; the work is in the Python package.
use super::python::run_module;
use crate::error::{AppError, Exit};
use crate::output::Output;
use clap::Args;
use std::ffi::OsString;

/// Find a model for a table: arbora automl train.csv --target y --time 10m
///
/// Runs `python -m arbora.automl`, which needs scikit-learn and pandas, with the interpreter in ARBORA_PYTHON, or
/// python3. Writes the model, a report and predictions; `arbora automl --help` lists the options.
#[derive(Args, Debug)]
#[command(disable_help_flag = true)]
pub(crate) struct Arguments {
    /// The table, and options
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    arguments: Vec<OsString>,
}

impl Arguments {
    pub(super) fn run(&self, _: &mut Output<'_>) -> Result<Exit, AppError> {
        run_module("arbora.automl", &self.arguments)
    }
}
