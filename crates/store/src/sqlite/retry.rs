//! Errors of SQLite as ours, and retries where it says "busy".
//!
//! Others hold a store for milliseconds at a time, so waiting is always right. Only a program that
//! is not ours, or one that was stopped in the middle, can hold it for minutes; then the error says
//! so.
use crate::error::StoreError;
use crate::place::Place;
use crate::wait::{Pace, Waiting};
use rusqlite::{Error, ErrorCode, ffi};
use std::path::Path;
use std::time::Duration;

const PACE: Pace = Pace {
    first: Duration::from_micros(200),
    // 32 processes that do nothing but tell, on a busy machine (benchmark `throughput`): with 20 ms
    // one in a hundred waited for 0.5 to 0.6 s, with 2 ms for 0.2 to 0.3 s.
    longest: Duration::from_millis(2),
    in_all: Duration::from_mins(5),
};

/// Why a transaction ended early.
pub(super) enum TransactionError {
    Sql(Error),
    Store(StoreError),
}

impl From<Error> for TransactionError {
    fn from(error: Error) -> Self {
        TransactionError::Sql(error)
    }
}

/// Tries again while others hold the file. An attempt must leave nothing behind when it fails.
pub(super) fn with_retry<T>(
    path: &Path,
    mut attempt: impl FnMut() -> Result<T, TransactionError>,
) -> Result<T, StoreError> {
    let mut waiting: Option<Waiting> = None;
    loop {
        match attempt() {
            Err(TransactionError::Sql(error)) if is_busy(&error) => {
                let waiting = waiting.get_or_insert_with(|| Waiting::begin(PACE));
                if !waiting.wait(|| format!("`{}`, which another program is writing", path.display()))? {
                    let seconds = PACE.in_all.as_secs();
                    return Err(StoreError::Busy { place: path.into(), seconds });
                }
            }
            Err(TransactionError::Sql(error)) => return Err(translated(path, &error)),
            Err(TransactionError::Store(error)) => return Err(error),
            Ok(done) => return Ok(done),
        }
    }
}

pub(super) fn is_busy(error: &Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

/// A name or number that was to be unique.
pub(super) fn is_taken(error: &Error) -> bool {
    let unique = [ffi::SQLITE_CONSTRAINT_UNIQUE, ffi::SQLITE_CONSTRAINT_PRIMARYKEY];
    error.sqlite_extended_error_code().is_some_and(|code| unique.contains(&code))
}

/// An error of SQLite about a file.
pub(super) fn translated(path: &Path, error: &Error) -> StoreError {
    let place = Place::from(path);
    let problem = error.to_string();
    let Some(failure) = error.sqlite_error() else {
        // A value of another type than the schema allows, or a text that is no text.
        return StoreError::Damaged { place, problem };
    };
    match failure.code {
        ErrorCode::TooBig => {
            let what = format!("something for `{place}`");
            StoreError::Unwritable {
                what,
                problem: "it is too long; keep it in a file of its own".to_owned(),
            }
        }
        ErrorCode::DiskFull => StoreError::Full { place },
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => StoreError::Damaged { place, problem },
        ErrorCode::ReadOnly => StoreError::ReadOnly { place, problem },
        ErrorCode::SystemIoFailure => match failure.extended_code {
            // The index of the log could not grow, or its page could not be had: no room.
            ffi::SQLITE_IOERR_SHMSIZE => StoreError::Full { place },
            ffi::SQLITE_IOERR_SHORT_READ | ffi::SQLITE_IOERR_CORRUPTFS | ffi::SQLITE_IOERR_DATA => {
                StoreError::Damaged { place, problem }
            }
            _ => StoreError::Unusable { place, problem },
        },
        _ => StoreError::Unusable { place, problem },
    }
}
