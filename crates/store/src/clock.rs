//! Two clocks, one truth: the wall clock says when, the monotonic clock says how long.
//!
//! Timestamps are read from the wall clock and are there to be looked at: nothing is decided by
//! them, for wall clocks are set, jump, and differ between machines. A duration is measured by the
//! monotonic clock where one process saw both ends, and is stored with the result, never computed
//! again. Leases are measured by it too: see `durable/watch`.
#![allow(clippy::disallowed_methods, reason = "this is where clocks are read")]
use crate::process::place;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::{Mutex, OnceLock};
#[cfg(not(unix))]
use std::time::Instant;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Milliseconds since the beginning of 1970, UTC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// This much later; the end of time if that is beyond it.
    #[must_use]
    pub fn after(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)))
    }

    /// How long since `earlier`; nothing if the clock was set back in between.
    pub fn since(self, earlier: Timestamp) -> Duration {
        Duration::from_millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }
}

impl fmt::Display for Timestamp {
    /// As in RFC 3339: `2026-11-16T08:30:00.125Z`. Days become dates by counting eras of 400 years
    /// that begin in March, so that a leap day is the last of its year.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DAY: i64 = 86_400_000;
        let (days, rest) = (self.0.div_euclid(DAY) + 719_468, self.0.rem_euclid(DAY));
        let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let date = day - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        let year = 400 * era + year + i64::from(month <= 2);
        let (hour, minute, second) = (rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60);
        write!(f, "{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", rest % 1000)
    }
}

/// Where the time comes from.
pub trait Clock: Send + Sync {
    /// The wall clock.
    fn now(&self) -> Timestamp;
    /// A clock that never goes back, from an arbitrary beginning.
    fn elapsed(&self) -> Duration;
    /// Clocks of one place count from one beginning: one boot of one machine. `None` if nobody else
    /// counts from there.
    fn place(&self) -> Option<String> {
        None
    }
    /// A date that never jumps: that of the beginning, and what has passed since.
    fn steady(&self) -> Timestamp;
}

/// The clocks of the operating system.
#[derive(Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp(0).after(since)
    }

    fn elapsed(&self) -> Duration {
        uptime()
    }

    fn place(&self) -> Option<String> {
        place().map(str::to_owned)
    }

    fn steady(&self) -> Timestamp {
        static BEGINNING: OnceLock<(Timestamp, Duration)> = OnceLock::new();
        let (date, uptime) = BEGINNING.get_or_init(|| (self.now(), self.elapsed()));
        date.after(self.elapsed().saturating_sub(*uptime))
    }
}

/// Since the boot, without the time that the machine slept.
#[cfg(unix)]
fn uptime() -> Duration {
    let read = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    Duration::try_from(read).unwrap_or_default()
}

/// Since this process first asked.
#[cfg(not(unix))]
fn uptime() -> Duration {
    static BEGINNING: OnceLock<Instant> = OnceLock::new();
    BEGINNING.get_or_init(Instant::now).elapsed()
}

/// Clocks that stand still until they are moved, each on its own: for tests.
#[derive(Default)]
pub struct ManualClock {
    hands: Mutex<(Timestamp, Duration)>,
    place: Option<String>,
}

impl ManualClock {
    /// The clock of a place.
    pub fn of(place: &str) -> Self {
        Self { place: Some(place.to_owned()), ..Self::default() }
    }

    /// Lets time pass on both clocks.
    pub fn advance(&self, by: Duration) {
        let mut hands = self.hands.lock().expect("moving hands cannot panic");
        *hands = (hands.0.after(by), hands.1 + by);
    }

    /// Sets the wall clock alone, as an administrator or a time server would.
    pub fn set(&self, now: Timestamp) {
        self.hands.lock().expect("moving hands cannot panic").0 = now;
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        self.hands.lock().expect("moving hands cannot panic").0
    }

    fn elapsed(&self) -> Duration {
        self.hands.lock().expect("moving hands cannot panic").1
    }

    fn place(&self) -> Option<String> {
        self.place.clone()
    }

    fn steady(&self) -> Timestamp {
        Timestamp(0).after(self.elapsed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_read_as_dates() {
        let shown = |ms| Timestamp(ms).to_string();
        assert_eq!(shown(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(shown(951_782_400_000), "2000-02-29T00:00:00.000Z");
        assert_eq!(shown(1_709_251_199_999), "2024-02-29T23:59:59.999Z");
        assert_eq!(shown(4_107_542_400_000), "2100-03-01T00:00:00.000Z");
        assert_eq!(shown(-1), "1969-12-31T23:59:59.999Z");
    }

    #[test]
    fn a_clock_set_back_makes_no_negative_duration() {
        assert_eq!(Timestamp(5).since(Timestamp(9)), Duration::ZERO);
        assert_eq!(Timestamp(9).since(Timestamp(5)), Duration::from_millis(4));
        assert_eq!(Timestamp(1).after(Duration::MAX), Timestamp(i64::MAX));
    }
}
