//! Work done without the interpreter's lock, and what becomes of a panic in it.
use crate::failure::Failure;
use crate::waiting::listening;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs work with the GIL released. A panic becomes an `InternalError`; it never ends the interpreter.
pub(crate) fn detached<T, F>(py: Python<'_>, work: F) -> PyResult<T>
where
    T: Send,
    F: FnOnce() -> Result<T, Failure> + Send,
{
    // What a panic leaves half done is behind a lock that it poisons, which the next caller is told about.
    let (caught, raised) = py.detach(|| listening(|| catch_unwind(AssertUnwindSafe(work))));
    if let Some(raised) = raised {
        return Err(raised);
    }
    let done = caught.unwrap_or_else(|panic| Err(Failure::Panic(message(&*panic))));
    done.map_err(|failure| failure.raise(py))
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}

/// Panics, so that the tests can see what becomes of it.
#[pyfunction]
pub(crate) fn panic_for_tests(py: Python<'_>) -> PyResult<()> {
    detached(py, || panic!("provoked by a test"))
}
