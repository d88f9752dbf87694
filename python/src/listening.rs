//! Listening to Python while work runs without the interpreter's lock: signals, and whoever else wants it to stop.
use arbora_search::Interrupt;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often the interpreter is asked: soon enough for a person, seldom enough to cost nothing.
const CADENCE: Duration = Duration::from_millis(50);

/// What ended the work, if anything did.
#[derive(Clone, Default)]
pub(crate) struct Heard(Arc<Mutex<Option<PyErr>>>);

impl Heard {
    fn set(&self, error: PyErr) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }

    /// What work came to, or what ended it: a handler's exception takes the place of the error it led to.
    pub(crate) fn or<T>(&self, done: PyResult<T>) -> PyResult<T> {
        let heard = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        match (done, heard) {
            (Err(_), Some(error)) => Err(error),
            (done, _) => done,
        }
    }
}

/// Raised by a signal whose handler raises, in the main thread, and by a `stop` that says so.
pub(crate) fn interrupt(stop: Option<Py<PyAny>>) -> (Interrupt, Heard) {
    let heard = Heard::default();
    let (theirs, due) = (heard.clone(), Mutex::new(now() + CADENCE));
    let listen = move || {
        {
            let mut due = due.lock().unwrap_or_else(PoisonError::into_inner);
            if now() < *due {
                return false;
            }
            *due = now() + CADENCE;
        }
        let heard = Python::attach(|py| ask(py, stop.as_ref()));
        heard.map_err(|error| theirs.set(error)).is_err()
    };
    (Interrupt::when(listen), heard)
}

/// An error if the work is to stop.
fn ask(py: Python<'_>, stop: Option<&Py<PyAny>>) -> PyResult<()> {
    py.check_signals()?;
    let is_stopped = stop.map_or(Ok(false), |stop| stop.call0(py)?.is_truthy(py))?;
    if is_stopped { Err(PyKeyboardInterrupt::new_err(())) } else { Ok(()) }
}

#[allow(clippy::disallowed_methods, reason = "a cadence of asking, on which no result depends")]
fn now() -> Instant {
    Instant::now()
}
