//! Studies in memory: gone with the process.
use crate::clock::Timestamp;
use crate::error::StoreError;
use crate::event::Event;
use crate::stage::Stage;
use crate::store::{
    Appended, Batch, Lease, NewStudy, Precondition, Store, Stored, StudyId, StudyRecord, check_name,
    out_of_place,
};
use crate::suggest_lock::{Flag, SuggestLock};
use crate::verify::{verified, verified_options};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Studies in memory, shared by the threads of a process.
#[derive(Default)]
pub struct MemoryStore {
    inner: Mutex<Studies>,
}

#[derive(Default)]
struct Studies {
    last_id: i64,
    by_id: BTreeMap<StudyId, StudyLog>,
}

struct StudyLog {
    record: StudyRecord,
    events: Vec<Stored>,
    leases: BTreeMap<u64, Lease>,
    stages: Vec<Stage>,
    last_invalidation: u64,
    flag: Arc<Flag>,
}

impl MemoryStore {
    /// An empty one.
    pub fn new() -> Self {
        Self::default()
    }

    /// A panic elsewhere cannot leave a study half changed: every change below is checked before it
    /// begins.
    fn locked(&self) -> MutexGuard<'_, Studies> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Studies {
    fn log(&mut self, study: StudyId) -> Result<&mut StudyLog, StoreError> {
        self.by_id.get_mut(&study).ok_or_else(|| StoreError::StudyGone { name: format!("#{}", study.0) })
    }

    fn is_taken(&self, name: &str) -> bool {
        self.by_id.values().any(|log| log.record.name == name)
    }
}

impl StudyLog {
    /// Without events, and without its number.
    fn new(new: &NewStudy<'_>) -> Self {
        let record = StudyRecord {
            id: StudyId(0),
            name: new.name.to_owned(),
            created_at: new.at,
            space: new.space.to_owned(),
            options: Ok(new.options.clone()),
            events: 0,
        };
        let (events, stages, leases) = (Vec::new(), Vec::new(), BTreeMap::new());
        Self { record, events, leases, stages, last_invalidation: 0, flag: Arc::default() }
    }

    fn holds(&self, precondition: Precondition<'_>) -> bool {
        let stage = |trial: u64| usize::try_from(trial).ok().and_then(|i| self.stages.get(i));
        match precondition {
            Precondition::Always => true,
            Precondition::NothingInvalidatedSince(sequence) => self.last_invalidation <= sequence,
            Precondition::StillOpen(trial) => stage(trial).is_some_and(|stage| *stage != Stage::Ended),
            Precondition::Waiting(trial) => stage(trial) == Some(&Stage::Waiting),
            Precondition::Silent(lease) => self.leases.get(&lease.trial) == Some(lease),
        }
    }

    /// The stages after events; `None` if a number would be born or end twice.
    fn after<'a>(&self, events: impl IntoIterator<Item = &'a Event>) -> Option<Vec<Stage>> {
        let mut stages = self.stages.clone();
        events.into_iter().all(|event| advance(&mut stages, event)).then_some(stages)
    }

    fn push(&mut self, at: Timestamp, event: &Event) {
        let sequence = self.events.len() as u64 + 1;
        if event.invalidates_suggestions() {
            self.last_invalidation = sequence;
        }
        if let Some(trial) = event.trial() {
            if event.changes_holder() {
                self.leases.remove(&trial);
            }
            if let Some((worker, Some(until))) = event.holder() {
                self.leases.insert(trial, Lease { trial, worker: worker.to_owned(), until });
            }
        }
        self.events.push(Stored { sequence, at, event: event.clone() });
        self.record.events = sequence;
    }
}

/// Takes in where a trial stands after an event; false if the event cannot follow.
fn advance(stages: &mut Vec<Stage>, event: &Event) -> bool {
    let Some(trial) = event.trial() else { return true };
    let index = usize::try_from(trial).unwrap_or(usize::MAX);
    match Stage::after(stages.get(index).copied(), event) {
        Some(after) if index == stages.len() => stages.push(after),
        Some(after) if index < stages.len() => stages[index] = after,
        _ => return false,
    }
    true
}

impl Store for MemoryStore {
    fn studies(&self) -> Result<Vec<StudyRecord>, StoreError> {
        Ok(self.locked().by_id.values().map(|log| log.record.clone()).collect())
    }

    fn create(&self, new: &NewStudy<'_>) -> Result<StudyId, StoreError> {
        self.restore(new, &[])
    }

    fn restore(&self, new: &NewStudy<'_>, events: &[Stored]) -> Result<StudyId, StoreError> {
        check_name(new.name)?;
        verified_options(new.name, new.options)?;
        let mut log = StudyLog::new(new);
        for stored in events {
            verified(&stored.event)?;
            let is_next = stored.sequence == log.record.events + 1;
            if !is_next || !advance(&mut log.stages, &stored.event) {
                return Err(out_of_place(new.name, stored.sequence));
            }
            log.push(stored.at, &stored.event);
        }
        let mut studies = self.locked();
        if studies.is_taken(new.name) {
            return Err(StoreError::StudyExists { name: new.name.to_owned() });
        }
        studies.last_id += 1;
        log.record.id = StudyId(studies.last_id);
        let id = log.record.id;
        studies.by_id.insert(id, log);
        Ok(id)
    }

    fn study(&self, name: &str) -> Result<Option<StudyRecord>, StoreError> {
        Ok(self.studies()?.into_iter().find(|record| record.name == name))
    }

    fn rename(&self, study: StudyId, name: &str) -> Result<(), StoreError> {
        check_name(name)?;
        let mut studies = self.locked();
        if studies.log(study)?.record.name == name {
            return Ok(());
        }
        if studies.is_taken(name) {
            return Err(StoreError::StudyExists { name: name.to_owned() });
        }
        name.clone_into(&mut studies.log(study)?.record.name);
        Ok(())
    }

    fn delete(&self, study: StudyId) -> Result<(), StoreError> {
        let mut studies = self.locked();
        studies.log(study)?;
        studies.by_id.remove(&study);
        Ok(())
    }

    fn events(&self, study: StudyId, after: u64) -> Result<Vec<Stored>, StoreError> {
        let mut studies = self.locked();
        let events = &studies.log(study)?.events;
        let from = usize::try_from(after).unwrap_or(usize::MAX).min(events.len());
        Ok(events[from..].to_vec())
    }

    fn append(&self, study: StudyId, batch: Batch<'_>) -> Result<Appended, StoreError> {
        for event in batch.events {
            verified(event)?;
        }
        let mut studies = self.locked();
        let log = studies.log(study)?;
        if !log.holds(batch.precondition) {
            return Ok(Appended::Refused);
        }
        let Some(stages) = log.after(batch.events) else { return Ok(Appended::Refused) };
        log.stages = stages;
        for event in batch.events {
            log.push(batch.at, event);
        }
        Ok(Appended::UpTo(log.record.events))
    }

    fn leases(&self, study: StudyId) -> Result<Vec<Lease>, StoreError> {
        Ok(self.locked().log(study)?.leases.values().cloned().collect())
    }

    fn renew(&self, study: StudyId, lease: &Lease) -> Result<bool, StoreError> {
        let mut studies = self.locked();
        let held = studies.log(study)?.leases.get_mut(&lease.trial);
        let Some(held) = held.filter(|held| held.worker == lease.worker) else { return Ok(false) };
        held.until = lease.until.max(held.until.after(Duration::from_millis(1)));
        Ok(true)
    }

    fn suggest_lock(&self, study: StudyId) -> Result<SuggestLock, StoreError> {
        let flag = self.locked().by_id.get(&study).map(|log| log.flag.clone());
        flag.map_or_else(|| Ok(SuggestLock::none()), |flag| flag.wait())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Pair, assert_store_laws};

    #[test]
    fn memory_keeps_the_laws() {
        assert_store_laws(|| {
            let first: Arc<dyn Store> = Arc::new(MemoryStore::new());
            Pair { second: first.clone(), first }
        });
    }
}
