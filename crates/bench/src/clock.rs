//! CPU time of this thread: what a suggestion costs, whatever else the machine does.
#[cfg(unix)]
use rustix::time::{ClockId, clock_gettime};

/// CPU seconds of the calling thread so far.
#[cfg(unix)]
pub(crate) fn thread_seconds() -> f64 {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

/// Where threads have no clock of their own, the wall's.
#[cfg(not(unix))]
#[allow(clippy::disallowed_methods, reason = "times of suggestions are results")]
pub(crate) fn thread_seconds() -> f64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static BEGUN: OnceLock<Instant> = OnceLock::new();
    BEGUN.get_or_init(Instant::now).elapsed().as_secs_f64()
}
