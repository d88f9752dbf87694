//! Hearing Python's signals while work runs without the interpreter's lock.
//!
//! Every call into this crate has one listener. A long computation asks it through an `Interrupt`, a wait for a file
//! that another program holds through `WaitHooks`. A signal handler that raises ends both with its exception. A
//! handler that only counts, such as that of `arbora.interrupt`, passes its count to `interrupted`, which ends waits.
//!
//! Only threads that came from Python have a listener: a heart must beat while an objective holds the interpreter.
use arbora_search::Interrupt;
use arbora_store::{StoreError, WaitHooks};
use pyo3::exceptions::{PyException, PyKeyboardInterrupt};
use pyo3::prelude::*;
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often the interpreter is asked: soon enough for a person, rarely enough to cost nothing.
const CADENCE: Duration = Duration::from_millis(50);

/// Interrupts that were only counted so far.
static COUNTED: AtomicU32 = AtomicU32::new(0);

/// Does this process run a command?
static IS_COMMAND: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// The listener of the call that this thread is in.
    static CURRENT: RefCell<Option<Listener>> = const { RefCell::new(None) };
}

/// Asks the interpreter whether a call should end.
#[derive(Clone)]
pub(crate) struct Listener(Arc<Shared>);

struct Shared {
    /// Returns true once the answer is no longer wanted.
    stop: Option<Py<PyAny>>,
    is_stopped: AtomicBool,
    /// What a signal handler raised.
    raised: Mutex<Option<PyErr>>,
    /// When the interpreter is asked next.
    due: Mutex<Instant>,
}

impl Listener {
    pub(crate) fn new(stop: Option<Py<PyAny>>) -> Self {
        let due = Mutex::new(now() + CADENCE);
        Self(Arc::new(Shared { stop, is_stopped: AtomicBool::new(false), raised: Mutex::default(), due }))
    }

    /// Work of this thread, whose waits ask this listener.
    pub(crate) fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = CURRENT.replace(Some(self.clone()));
        let done = work();
        CURRENT.set(before);
        done
    }

    /// The same question for computations, which may ask from any thread.
    pub(crate) fn interrupt(&self) -> Interrupt {
        let listener = self.clone();
        Interrupt::when(move || listener.is_interrupted())
    }

    /// The result of the call, unless a handler raised: its exception replaces any result. `stop` replaces errors
    /// alone, for what was done before it said so is done.
    pub(crate) fn settle<T>(&self, done: PyResult<T>) -> PyResult<T> {
        if let Some(raised) = self.raised().take() {
            return Err(raised);
        }
        let is_stopped = self.0.is_stopped.load(Ordering::SeqCst);
        done.map_err(|error| if is_stopped { PyKeyboardInterrupt::new_err(()) } else { error })
    }

    fn raised(&self) -> MutexGuard<'_, Option<PyErr>> {
        self.0.raised.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn raise(&self, error: PyErr) {
        self.raised().get_or_insert(error);
    }

    fn has_ended(&self) -> bool {
        self.0.is_stopped.load(Ordering::SeqCst) || self.raised().is_some()
    }

    fn is_interrupted(&self) -> bool {
        if self.has_ended() {
            return true;
        }
        if self.is_due() {
            Python::attach(|py| self.ask(py).unwrap_or_else(|error| self.raise(error)));
        }
        self.has_ended()
    }

    fn is_due(&self) -> bool {
        let mut due = self.0.due.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = now() >= *due;
        if is_due {
            *due = now() + CADENCE;
        }
        is_due
    }

    /// Runs the handlers of signals that came in, and asks `stop`.
    fn ask(&self, py: Python<'_>) -> PyResult<()> {
        py.check_signals()?;
        if let Some(stop) = &self.0.stop
            && stop.call0(py)?.is_truthy(py)?
        {
            self.0.is_stopped.store(true, Ordering::SeqCst);
        }
        Ok(())
    }
}

#[allow(clippy::disallowed_methods, reason = "a cadence of asking, on which no result depends")]
fn now() -> Instant {
    Instant::now()
}

fn current() -> Option<Listener> {
    CURRENT.with_borrow(Clone::clone)
}

/// What Python code below a call raised: the call raises it, whatever it would have returned. In a command nobody
/// would catch it, and errors are told by their text.
pub(crate) fn hand_over(error: PyErr) {
    match current() {
        Some(listener) if !IS_COMMAND.load(Ordering::SeqCst) => listener.raise(error),
        _ => {}
    }
}

/// This process runs a command from now on.
pub(crate) fn begin_command() {
    IS_COMMAND.store(true, Ordering::SeqCst);
}

/// How many interrupts a run has counted; none once it is over.
#[pyfunction]
pub(crate) fn interrupted(count: u32) {
    COUNTED.store(count, Ordering::SeqCst);
}

/// Every wait of this process listens from now on.
pub(crate) fn listen() {
    WaitHooks::new(is_interrupted, say).install();
}

fn is_interrupted() -> bool {
    COUNTED.load(Ordering::SeqCst) > 0 || current().is_some_and(|listener| listener.is_interrupted())
}

/// Says what a wait is for, by the logger `arbora`. Nobody to tell is no trouble; but what a signal handler raises
/// while Python writes the line is no ordinary exception, and ends the wait.
fn say(line: &str) {
    let Some(listener) = current() else { return };
    Python::attach(|py| {
        if let Err(raised) = log(py, line)
            && !raised.is_instance_of::<PyException>(py)
        {
            listener.raise(raised);
        }
    });
}

fn log(py: Python<'_>, line: &str) -> PyResult<()> {
    let log = py.import("logging")?.call_method1("getLogger", ("arbora",))?;
    log.call_method1("warning", (line,)).map(|_| ())
}

/// A result is dear: a first interrupt that was only counted does not give it up.
pub(crate) fn insist<T>(mut write: impl FnMut() -> Result<T, StoreError>) -> Result<T, StoreError> {
    loop {
        match write() {
            Err(StoreError::Interrupted { .. })
                if COUNTED.load(Ordering::SeqCst) < 2
                    && !current().is_some_and(|listener| listener.has_ended()) => {}
            done => return done,
        }
    }
}
