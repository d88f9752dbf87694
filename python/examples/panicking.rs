//! An extension module that panics, for `tests/test_panics.py`: built from the very sources that turn a panic of the
//! wheel into an exception, so that the wheel itself needs no function for tests.
#![allow(dead_code, unreachable_pub, reason = "only a part of each module is used here")]
#[path = "../src/detach.rs"]
mod detach;
#[path = "../src/details.rs"]
mod details;
#[path = "../src/exception.rs"]
mod exception;
#[path = "../src/panics.rs"]
mod panics;
#[path = "../src/signals.rs"]
mod signals;

use pyo3::prelude::*;

/// Panics in work that is done without the interpreter's lock.
#[pyfunction]
fn detached(py: Python<'_>, message: &str) -> PyResult<()> {
    detach::detached(py, || panic!("{message}"))
}

/// The same in work that signals can end.
#[pyfunction]
fn interruptible(py: Python<'_>, message: &str) -> PyResult<()> {
    detach::interruptible(py, None, |_| panic!("{message}"))
}

#[pymodule]
fn panicking(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(detached, module)?)?;
    module.add_function(wrap_pyfunction!(interruptible, module)?)
}
