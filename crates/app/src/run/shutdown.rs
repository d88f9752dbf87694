//! Should work go on? Said once, heard by every worker.
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// How urgent it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ShutdownLevel {
    /// Go on.
    None,
    /// Start nothing new, finish what runs.
    Enough,
    /// End what runs, politely.
    Soon,
    /// End what runs at once.
    Now,
}

const LEVELS: [ShutdownLevel; 4] =
    [ShutdownLevel::None, ShutdownLevel::Enough, ShutdownLevel::Soon, ShutdownLevel::Now];

/// A flag that only rises. Clones are one flag.
#[derive(Clone, Default)]
pub(crate) struct Shutdown(Arc<AtomicU8>);

impl Shutdown {
    /// At least this urgent from now on.
    pub(crate) fn raise(&self, to: ShutdownLevel) {
        self.0.fetch_max(to as u8, Ordering::SeqCst);
    }

    /// One level more urgent than ending politely each time: the first Ctrl-C asks, the second insists.
    pub(crate) fn interrupt(&self) {
        let next = if self.level() < ShutdownLevel::Soon { ShutdownLevel::Soon } else { ShutdownLevel::Now };
        self.raise(next);
    }

    /// How urgent it is now.
    pub(crate) fn level(&self) -> ShutdownLevel {
        LEVELS[usize::from(self.0.load(Ordering::SeqCst)).min(LEVELS.len() - 1)]
    }
}
