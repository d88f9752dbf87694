//! Ctrl-C and the signals that ask a process to end, and what is heard and said while the store waits for others.
use crate::error::AppError;
use crate::run::{Shutdown, ShutdownLevel};
use arbora_store::WaitHooks;
use std::collections::BTreeSet;
use std::io::Write;
use std::sync::{Mutex, OnceLock, PoisonError};

/// Whom to tell. A process has one handler, set once; who listens may change.
static LISTENER: Mutex<Option<Shutdown>> = Mutex::new(None);
static HANDLER: OnceLock<Result<(), String>> = OnceLock::new();
/// What is to be said by the one who watches, and what has been.
static WORDS: Mutex<Words> =
    Mutex::new(Words { said: BTreeSet::new(), waiting: Vec::new(), is_watched: false });

struct Words {
    said: BTreeSet<String>,
    waiting: Vec<String>,
    is_watched: bool,
}

/// From now on a signal raises this flag: the first asks to end, the second insists.
pub(crate) fn listen(stop: &Shutdown) -> Result<(), AppError> {
    *LISTENER.lock().unwrap_or_else(PoisonError::into_inner) = Some(stop.clone());
    let set = HANDLER.get_or_init(|| ctrlc::set_handler(heard).map_err(|trouble| trouble.to_string()));
    set.clone().map_err(|problem| AppError::NoSignals { problem })
}

fn heard() {
    if let Some(stop) = LISTENER.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
        stop.interrupt();
    }
}

/// From now on whoever waits for a file hears signals and says what it waits for.
pub(crate) fn install_wait_hooks() {
    WaitHooks::new(is_ending, say).install();
}

fn is_ending() -> bool {
    let listener = LISTENER.lock().unwrap_or_else(PoisonError::into_inner);
    listener.as_ref().is_some_and(|stop| stop.level() >= ShutdownLevel::Soon)
}

/// Once, however many workers wait for the same.
fn say(line: &str) {
    let mut words = WORDS.lock().unwrap_or_else(PoisonError::into_inner);
    if !words.said.insert(line.to_owned()) {
        return;
    }
    if words.is_watched {
        words.waiting.push(line.to_owned());
    } else {
        writeln!(std::io::stderr(), "{line}").ok();
    }
}

/// What workers said meanwhile; from now on somebody watches.
pub(crate) fn words() -> Vec<String> {
    let mut words = WORDS.lock().unwrap_or_else(PoisonError::into_inner);
    words.is_watched = true;
    std::mem::take(&mut words.waiting)
}
