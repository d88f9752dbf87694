//! Ctrl-C and the signals that ask a process to end.
use crate::error::AppError;
use crate::run::Stop;
use std::sync::{Mutex, OnceLock, PoisonError};

/// Whom to tell. A process has one handler, set once; who listens may change.
static LISTENER: Mutex<Option<Stop>> = Mutex::new(None);
static HANDLER: OnceLock<Result<(), String>> = OnceLock::new();

/// From now on a signal raises this flag: the first asks to end, the second insists.
pub(crate) fn listen(stop: &Stop) -> Result<(), AppError> {
    *LISTENER.lock().unwrap_or_else(PoisonError::into_inner) = Some(stop.clone());
    let set = HANDLER.get_or_init(|| ctrlc::set_handler(heard).map_err(|trouble| trouble.to_string()));
    set.clone().map_err(|problem| AppError::NoSignals { problem })
}

fn heard() {
    if let Some(stop) = LISTENER.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
        stop.interrupt();
    }
}
