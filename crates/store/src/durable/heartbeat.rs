//! Heartbeats, sent from any thread while the study itself is busy.
use crate::clock::Clock;
use crate::error::StoreError;
use crate::store::{Lease, Store, StudyId};
use std::sync::Arc;
use std::time::Duration;

/// A handle that prolongs the lease of a worker. Cheap to clone and to send to another thread.
#[derive(Clone)]
pub struct Heartbeat {
    pub(super) store: Arc<dyn Store>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) study: StudyId,
    pub(super) worker: String,
    pub(super) lease: Option<Duration>,
}

impl Heartbeat {
    /// Renews the lease of a trial; does nothing without a lease. A lease that has expired is valid
    /// again if nobody else took the trial meanwhile; otherwise [`StoreError::LeaseLost`] says who
    /// did.
    pub fn send(&self, trial: u64) -> Result<(), StoreError> {
        let Some(lease) = self.lease else { return Ok(()) };
        let until = self.clock.steady().after(lease);
        if self.store.renew(self.study, &Lease { trial, worker: self.worker.clone(), until })? {
            return Ok(());
        }
        let held = self.store.leases(self.study)?.into_iter().find(|lease| lease.trial == trial);
        let problem = match held {
            Some(lease) => format!("`{}` has it now", lease.worker),
            None => "it has ended, or was released".to_owned(),
        };
        Err(StoreError::LeaseLost { trial, worker: self.worker.clone(), problem })
    }

    /// How often to send: four times within a lease, so that one or two may come late.
    pub fn interval(&self) -> Option<Duration> {
        self.lease.map(|lease| lease / 4)
    }
}
