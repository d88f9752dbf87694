//! Recovers what can be read of a damaged file into a new file.
//!
//! A study whose events are all there is carried over as it is. Where some are lost, what follows
//! from them is lost too (a result of a trial whose configuration is gone); the other trials keep
//! their order, get the numbers without gaps that a study needs, and remember the old one as the
//! attribute `salvaged_number`. Events whose checksums are wrong count as lost. A study of which
//! nothing can be saved is named, with the reason; the others are saved.
#![allow(clippy::disallowed_methods, reason = "files are looked at here")]
use crate::durable::StudyState;
use crate::error::StoreError;
use crate::event::{Attributes, Event};
use crate::open::file_of;
use crate::sqlite::{Found, SqliteStore, read_damaged};
use crate::store::{NewStudy, Store, Stored, StudyId, StudyRecord};
use arbora_search::StudyOptions;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::Path;

/// What could be recovered of one study.
#[derive(Clone, Debug, PartialEq)]
pub struct RecoveredStudy {
    /// Its name.
    pub name: String,
    /// Trials in the new file.
    pub trials: usize,
    /// Events that were carried over.
    pub saved: usize,
    /// Events that were read but mean nothing without one that was lost.
    pub dropped: usize,
    /// Events that were written and cannot be read, also at the end.
    pub missing: usize,
    /// Events that were read but are not as they were written: their checksums are wrong.
    pub changed: usize,
    /// Did trials get other numbers?
    pub is_renumbered: bool,
    /// Why nothing of it could be saved, if so. The other studies are not concerned.
    pub problem: Option<StoreError>,
}

/// Recovers what is readable of the file behind an address into the new file `into`; the damaged
/// one is not touched.
pub fn recover_file(address: impl AsRef<OsStr>, into: &Path) -> Result<Vec<RecoveredStudy>, StoreError> {
    let damaged = &file_of(address)?;
    if into.exists() {
        let problem = "it exists already; give the name of a new file".to_owned();
        return Err(StoreError::Unusable { place: into.into(), problem });
    }
    if !damaged.is_file() {
        return Err(StoreError::NoFile { place: damaged.as_path().into() });
    }
    let found = in_workshop(into, |workshop| read_damaged(damaged, workshop))?;
    let store = SqliteStore::open(into)?;
    let saved = found.iter().map(|found| match restore(&store, found) {
        Err(error) if !is_of_the_new_file(&error) => Ok(left_out(found, error)),
        restored => restored,
    });
    saved.collect()
}

/// A folder beside the new file that is gone afterwards.
fn in_workshop<T>(into: &Path, work: impl FnOnce(&Path) -> Result<T, StoreError>) -> Result<T, StoreError> {
    let mut workshop = into.to_owned().into_os_string();
    workshop.push("-salvage");
    let workshop = Path::new(&workshop);
    let unusable =
        |error: std::io::Error| StoreError::Unusable { place: into.into(), problem: error.to_string() };
    std::fs::create_dir(workshop).map_err(unusable)?;
    let result = work(workshop);
    std::fs::remove_dir_all(workshop).map_err(unusable)?;
    result
}

/// Trouble that every other study would have as well.
fn is_of_the_new_file(error: &StoreError) -> bool {
    use StoreError::{Busy, Damaged, Full, NoFolder, ReadOnly, Replaced, Unusable};
    matches!(
        error,
        Full { .. }
            | Busy { .. }
            | ReadOnly { .. }
            | Replaced { .. }
            | Unusable { .. }
            | NoFolder { .. }
            | Damaged { .. }
    )
}

fn left_out(found: &Found, problem: StoreError) -> RecoveredStudy {
    RecoveredStudy {
        name: found.name.clone(),
        trials: 0,
        saved: 0,
        dropped: found.events.len(),
        missing: found.missing(),
        changed: found.changed,
        is_renumbered: false,
        problem: Some(problem),
    }
}

fn restore(store: &SqliteStore, found: &Found) -> Result<RecoveredStudy, StoreError> {
    if !found.is_itself {
        let problem = "it is not as it was written: its settings or its space were changed".to_owned();
        return Err(StoreError::BadSettings { study: found.name.clone(), problem });
    }
    let options = found.settings()?;
    let record = StudyRecord {
        id: StudyId(0),
        name: found.name.clone(),
        created_at: found.created_at,
        space: found.space.clone(),
        options: Ok(options.clone()),
        events: 0,
    };
    let sieve = Sieve::through(&record, &options, &found.events)?;
    let new = NewStudy { name: &record.name, space: &record.space, options: &options, at: record.created_at };
    store.restore(&new, &sieve.kept)?;
    Ok(RecoveredStudy {
        name: record.name,
        trials: sieve.numbers.len(),
        saved: sieve.sequences.len(),
        dropped: sieve.dropped,
        missing: found.missing(),
        changed: found.changed,
        is_renumbered: sieve.numbers.iter().any(|(old, new)| old != new),
        problem: None,
    })
}

/// Lets through what follows from what went through before.
struct Sieve {
    state: StudyState,
    kept: Vec<Stored>,
    /// Old and new sequence, ascending.
    sequences: Vec<(u64, u64)>,
    /// Old and new number of trials.
    numbers: HashMap<u64, u64>,
    dropped: usize,
}

impl Sieve {
    fn through(record: &StudyRecord, options: &StudyOptions, events: &[Stored]) -> Result<Self, StoreError> {
        let state = StudyState::begin(record, options.clone())?;
        let (kept, sequences, numbers) = (Vec::new(), Vec::new(), HashMap::new());
        let mut sieve = Self { state, kept, sequences, numbers, dropped: 0 };
        for stored in events {
            if !sieve.take(stored) {
                sieve.dropped += 1;
            }
        }
        Ok(sieve)
    }

    fn take(&mut self, stored: &Stored) -> bool {
        let mut event = stored.event.clone();
        let old = event.trial();
        let adds_trial = event.adds_trial();
        if let Some(old) = old {
            let next = self.numbers.len() as u64;
            let new = if adds_trial { Some(next) } else { self.numbers.get(&old).copied() };
            let Some(new) = new else { return false };
            renumber(&mut event, new);
        }
        if let Event::Asked { seen, .. } = &mut event {
            *seen = self.seen(*seen);
        }
        if !self.pass(Stored { event, ..stored.clone() }) {
            return false;
        }
        self.sequences.push((stored.sequence, self.state.sequence()));
        if let Some(old) = old.filter(|_| adds_trial) {
            let new = self.numbers.len() as u64;
            self.numbers.insert(old, new);
            if old != new {
                self.remember(stored, old, new);
            }
        }
        true
    }

    fn remember(&mut self, stored: &Stored, old: u64, new: u64) {
        let attributes: Attributes = [("salvaged_number".to_owned(), old.into())].into_iter().collect();
        self.pass(Stored { event: Event::Noted { trial: Some(new), attributes }, ..stored.clone() });
    }

    /// Takes in an event in its new place, if it fits there.
    fn pass(&mut self, stored: Stored) -> bool {
        let stored = Stored { sequence: self.state.sequence() + 1, ..stored };
        let fits = self.state.apply(stored.clone()).is_ok();
        if fits {
            self.kept.push(stored);
        }
        fits
    }

    /// Where the events that a suggestion knew of end now.
    fn seen(&self, old: u64) -> u64 {
        let before = self.sequences.partition_point(|(sequence, _)| *sequence <= old);
        before.checked_sub(1).map_or(0, |last| self.sequences[last].1)
    }
}

fn renumber(event: &mut Event, new: u64) {
    match event {
        Event::Asked { trial, .. }
        | Event::Queued { trial, .. }
        | Event::Added { trial, .. }
        | Event::Claimed { trial, .. }
        | Event::Ended { trial, .. }
        | Event::Released { trial }
        | Event::Reported { trial, .. }
        | Event::Amended { trial, .. }
        | Event::Noted { trial: Some(trial), .. } => *trial = new,
        Event::Noted { trial: None, .. } | Event::SpaceChanged { .. } => {}
    }
}
