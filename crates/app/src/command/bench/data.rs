//! `arbora bench data`: published files become a folder of data; the work is in the Python package.
use crate::command::python::run_module;
use crate::error::{AppError, Exit};
use crate::output::Output;
use clap::Args;
use std::ffi::OsString;

/// Convert a folder of CSV, ARFF, KEEL or LIBSVM files: arbora bench data FROM TO
///
/// Runs `python -m arbora.lab.convert` with the interpreter in ARBORA_PYTHON, or python3;
/// `arbora bench data --help` lists the options.
#[derive(Args, Debug)]
#[command(disable_help_flag = true)]
pub(crate) struct Arguments {
    /// The two folders, and options
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    arguments: Vec<OsString>,
}

impl Arguments {
    pub(super) fn run(&self, _: &mut Output<'_>) -> Result<Exit, AppError> {
        run_module("arbora.lab.convert", &self.arguments)
    }
}
