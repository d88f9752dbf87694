//! Work done without the interpreter's lock: signals are heard, and a panic becomes an exception.
use crate::exception::Failure;
use crate::panics::caught;
use crate::signals::Listener;
use arbora_search::Interrupt;
use pyo3::prelude::*;

/// Runs work with the GIL released. A panic becomes an `InternalError`; it never ends the interpreter.
pub(crate) fn detached<T, F>(py: Python<'_>, work: F) -> PyResult<T>
where
    T: Send,
    F: FnOnce() -> Result<T, Failure> + Send,
{
    interruptible(py, None, |_| work())
}

/// The same for work that takes long: it ends once a signal handler raises, or once `stop` returns true.
pub(crate) fn interruptible<T, F>(py: Python<'_>, stop: Option<Py<PyAny>>, work: F) -> PyResult<T>
where
    T: Send,
    F: FnOnce(&Interrupt) -> Result<T, Failure> + Send,
{
    let listener = Listener::new(stop);
    let interrupt = listener.interrupt();
    let done = py.detach(|| listener.during(|| caught(|| work(&interrupt))));
    let done = done.unwrap_or_else(|panic| Err(Failure::Panic(panic)));
    listener.settle(done.map_err(|failure| failure.raise(py)))
}
