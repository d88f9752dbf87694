//! Is the worker that has a trial still alive?
//!
//! A worker with a lease promises a sign of life at least so often. Whether it keeps its promise is
//! judged without ever comparing the wall clocks of two machines, or of one machine at two moments:
//! those are set, jump and differ.
//!
//! - A process never takes a trial from itself: it would know.
//! - If the worker's process can be seen from here, on the same boot of the same machine, and has
//!   ended, its trials are free at once.
//! - On the same boot all processes share a clock that never goes back and stands still while the
//!   machine sleeps. When the trial was handed out is written down by that clock, and how far its
//!   lease has been prolonged since.
//! - From elsewhere only signs of life can be seen: every one of them changes the lease. A lease is
//!   over for a handle that has itself seen no change for a whole lease, by its own clock that
//!   never goes back.
//!
//! What is decided here is checked again when the trial is claimed: [`Precondition::Silent`] holds
//! only if the lease is still the very one that was judged.
//!
//! [`Precondition::Silent`]: crate::Precondition::Silent
use super::record::TrialMeta;
use crate::clock::Clock;
use crate::process::Liveness;
use crate::store::Lease;
use std::collections::HashMap;
use std::time::Duration;

/// What a handle has seen of leases.
#[derive(Default)]
pub(super) struct Watch {
    /// By trial: the lease as it is, and since when it has been so.
    seen: HashMap<u64, (Lease, Duration)>,
}

impl Watch {
    /// How long until a running trial is free unless there is a sign of life: nothing if it is free
    /// now, `None` if it never will be by itself.
    pub(super) fn left(&mut self, number: u64, meta: &TrialMeta, clock: &dyn Clock) -> Option<Duration> {
        let (Some(lease), Some(terms)) = (&meta.lease, &meta.terms) else {
            self.seen.remove(&number);
            return None;
        };
        let now = clock.elapsed();
        let since = match self.seen.get(&number) {
            Some((seen, since)) if seen == lease => *since,
            _ => {
                self.seen.insert(number, (lease.clone(), now));
                now
            }
        };
        if terms.is_ours() {
            return None;
        }
        if terms.liveness() == Liveness::Dead {
            return Some(Duration::ZERO);
        }
        let ends = match (meta.promised, clock.place()) {
            (Some(promised), Some(place))
                if terms.place.as_ref() == Some(&place) && promised <= lease.until =>
            {
                terms.since + terms.lease + lease.until.since(promised)
            }
            _ => since + terms.lease,
        };
        // A lease holds to its last moment.
        Some(ends.checked_sub(now).map_or(Duration::ZERO, |left| left + Duration::from_millis(1)))
    }
}
