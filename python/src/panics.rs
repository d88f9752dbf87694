//! A panic below the border is caught here. It needs no interpreter, so that it is tested without one.
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The result of some work, or the message of its panic.
///
/// What a panic leaves half done is behind a lock that it poisons: the next caller is told.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| message(&*panic))
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}
