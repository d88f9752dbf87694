//! Waiting for a file that somebody else holds: signals are heard, and what is waited for is said.
//!
//! Only a thread that came from Python asks the interpreter: a heart must beat while an objective holds its lock. A
//! handler that raises ends the wait with its exception. A handler that only counts, such as that of
//! `arbora.interrupt`, says how often by `interrupted`.
use arbora_store::{Patience, StoreError};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicU32, Ordering};

thread_local! {
    static LISTENS: Cell<bool> = const { Cell::new(false) };
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Interrupts that were only counted so far.
static COUNTED: AtomicU32 = AtomicU32::new(0);

/// How many interrupts a run has counted; none once it is over.
#[pyfunction]
pub(crate) fn interrupted(count: u32) {
    COUNTED.store(count, Ordering::SeqCst);
}

/// Every wait of this process listens from now on.
pub(crate) fn listen() {
    Patience::new(is_interrupted, say).install();
}

fn is_interrupted() -> bool {
    if COUNTED.load(Ordering::SeqCst) > 0 || has_raised() {
        return true;
    }
    let heard = if LISTENS.get() { Python::attach(signals) } else { Ok(()) };
    heard.map_err(|raised| RAISED.with_borrow_mut(|slot| *slot = Some(raised))).is_err()
}

/// What handlers of signals raise.
fn signals(py: Python<'_>) -> PyResult<()> {
    py.check_signals()
}

fn has_raised() -> bool {
    RAISED.with_borrow(Option::is_some)
}

fn say(line: &str) {
    if LISTENS.get() {
        Python::attach(|py| log(py, line).unwrap_or_else(|raised| keep_interrupt(py, raised)));
    }
}

/// Nobody to tell is no trouble. But a signal may come while Python writes the line: what its handler raises is no
/// ordinary exception, and ends the wait.
fn keep_interrupt(py: Python<'_>, raised: PyErr) {
    if !raised.is_instance_of::<PyException>(py) {
        RAISED.with_borrow_mut(|slot| *slot = Some(raised));
    }
}

fn log(py: Python<'_>, line: &str) -> PyResult<()> {
    let log = py.import("logging")?.call_method1("getLogger", ("arbora",))?;
    log.call_method1("warning", (line,)).map(|_| ())
}

/// Work of a thread that came from Python; what a handler raised meanwhile takes the place of its result.
pub(crate) fn listening<T>(work: impl FnOnce() -> T) -> (T, Option<PyErr>) {
    let before = LISTENS.replace(true);
    let done = work();
    LISTENS.set(before);
    (done, RAISED.take())
}

/// A result is dear: a first interrupt that was only counted does not give it up.
pub(crate) fn insist<T>(mut write: impl FnMut() -> Result<T, StoreError>) -> Result<T, StoreError> {
    loop {
        match write() {
            Err(StoreError::Interrupted { .. }) if COUNTED.load(Ordering::SeqCst) < 2 && !has_raised() => {}
            done => return done,
        }
    }
}

/// Before a process forks: closes all files and keeps other threads away from them.
#[pyfunction]
pub(crate) fn before_fork() {
    arbora_store::before_fork();
}

/// After a fork, in the parent and in the child.
#[pyfunction]
pub(crate) fn after_fork() {
    arbora_store::after_fork();
}
