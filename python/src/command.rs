//! The command `arbora`, as the package installs it.
use pyo3::prelude::*;
use std::ffi::OsString;
use std::io::Write;

/// Runs the command with these arguments, its own name first; answers with the exit code.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<u8> {
    crate::signals::begin_command();
    crate::detach::detached(py, || {
        let (mut out, mut err) = (std::io::stdout(), std::io::stderr());
        let mut around = arbora_app::Output::of_process(&mut out, &mut err);
        let code = arbora_app::run(arguments, &mut around);
        // An interpreter that ends does not empty Rust's buffers; a reader that has gone is no trouble.
        out.flush().or_else(|_| err.flush()).ok();
        Ok(code)
    })
}
