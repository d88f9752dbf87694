//! Opening a study, looking at it, and the one way by which it changes.
use super::heartbeat::Heartbeat;
use super::record::TrialRecord;
use super::request::AskRequest;
use super::state::StudyState;
use super::watch::Watch;
use crate::clock::{Clock, SystemClock};
use crate::error::StoreError;
use crate::event::{Attributes, Event};
use crate::store::{Appended, Batch, NewStudy, Precondition, Store, Stored, StudyId, StudyRecord};
use arbora_search::{Study, StudyOptions};
use arbora_space::{Configuration, Space};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// A search study whose every step is stored.
pub struct DurableStudy {
    pub(super) store: Arc<dyn Store>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) id: StudyId,
    pub(super) state: StudyState,
    /// When the trials asked for by this handle began, by the clock that never goes back.
    pub(super) started: HashMap<u64, Duration>,
    /// What this handle has seen of the workers of running trials.
    watch: Watch,
    /// How long until running trials are free, by number: see [`DurableStudy::free_in`].
    left: HashMap<u64, Duration>,
}

impl DurableStudy {
    /// A new study; its name must be free.
    pub fn create(
        store: Arc<dyn Store>,
        name: &str,
        space: Space,
        options: StudyOptions,
    ) -> Result<Self, StoreError> {
        // What cannot be suggested for is refused before anything is written.
        let study = Study::new(space, options)?;
        let record = StudyRecord {
            id: StudyId(0),
            name: name.to_owned(),
            created_at: SystemClock.now(),
            space: study.space().to_json()?,
            options: Ok(study.options().clone()),
            events: 0,
        };
        // So is what could be written but not be read again: a study that cannot be made leaves
        // nothing behind.
        StudyState::begin(&record, study.options().clone())?;
        let (at, options) = (record.created_at, study.options());
        store.create(&NewStudy { name, space: &record.space, options, at })?;
        Self::load(store, name)
    }

    /// An existing study.
    pub fn load(store: Arc<dyn Store>, name: &str) -> Result<Self, StoreError> {
        let Some(record) = store.study(name)? else {
            let known = store.studies()?.into_iter().map(|record| record.name).collect();
            return Err(StoreError::NoStudy { name: name.to_owned(), known });
        };
        let options = record.options.clone()?;
        Self::open(store, &record, options)
    }

    /// The study of this name, created if there is none. One that exists must have the same space,
    /// strategy, seed and direction.
    #[expect(clippy::needless_pass_by_value, reason = "called like `create`, which keeps them")]
    pub fn load_or_create(
        store: Arc<dyn Store>,
        name: &str,
        space: Space,
        options: StudyOptions,
    ) -> Result<Self, StoreError> {
        if store.study(name)?.is_none() {
            match Self::create(store.clone(), name, space.clone(), options.clone()) {
                // Somebody else was faster: theirs must agree.
                Err(StoreError::StudyExists { .. }) => {}
                created => return created,
            }
        }
        let record = store.study(name)?.ok_or_else(|| StoreError::StudyGone { name: name.to_owned() })?;
        // What changes no suggestion is as given, or else as stored.
        let stored = record.options.clone()?;
        let (threads, deterministic) = (options.threads, options.deterministic || stored.deterministic);
        let range = if options.range.is_open() { stored.range } else { options.range };
        let study = Self::open(store, &record, StudyOptions { threads, deterministic, range, ..stored })?;
        study.check_same_study(&space, &options)?;
        Ok(study)
    }

    fn open(store: Arc<dyn Store>, record: &StudyRecord, options: StudyOptions) -> Result<Self, StoreError> {
        let mut study = Self {
            store,
            clock: Arc::new(SystemClock),
            id: record.id,
            state: StudyState::begin(record, options)?,
            started: HashMap::new(),
            watch: Watch::default(),
            left: HashMap::new(),
        };
        study.sync()?;
        Ok(study)
    }

    /// The same study with another source of time: for tests.
    #[must_use]
    pub fn with_clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self.watch = Watch::default();
        self.look();
        self
    }

    /// The name it had when it was opened.
    pub fn name(&self) -> &str {
        &self.state.name
    }

    /// Which study of its store.
    pub fn id(&self) -> StudyId {
        self.id
    }

    /// Where it is kept.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// Everything that can be tried, as of today.
    pub fn space(&self) -> &Space {
        self.state.study.space()
    }

    /// The settings.
    pub fn options(&self) -> &StudyOptions {
        self.state.study.options()
    }

    /// The search study behind: history and strategy, as of the last event read.
    pub fn study(&self) -> &Study {
        &self.state.study
    }

    /// What users keep with the study.
    pub fn attributes(&self) -> &Attributes {
        &self.state.attributes
    }

    /// The number of the last event read.
    pub fn sequence(&self) -> u64 {
        self.state.sequence
    }

    /// All trials, as of the last event read.
    pub fn trials(&self) -> impl ExactSizeIterator<Item = TrialRecord<'_>> + DoubleEndedIterator + Clone {
        self.state.records()
    }

    /// One trial.
    pub fn trial(&self, number: u64) -> Result<TrialRecord<'_>, StoreError> {
        self.state.record(number)
    }

    /// The best trial so far; `None` before the first loss.
    pub fn best(&self) -> Option<TrialRecord<'_>> {
        self.state.study.best().and_then(|best| self.trial(best.number).ok())
    }

    /// The objective's value of a loss, in the study's direction.
    pub fn value_of(&self, loss: f64) -> f64 {
        self.options().direction.flip(loss)
    }

    /// A handle that gives signs of life for a worker, from any thread.
    pub fn heartbeat(&self, request: &AskRequest) -> Heartbeat {
        Heartbeat {
            store: self.store.clone(),
            clock: self.clock.clone(),
            study: self.id,
            worker: request.worker.clone(),
            lease: request.lease,
        }
    }

    /// One sign of life: see [`Heartbeat::send`].
    pub fn renew(&self, trial: u64, request: &AskRequest) -> Result<(), StoreError> {
        self.heartbeat(request).send(trial)
    }

    /// How long until a running trial is stale if its worker gives no sign of life; `None` if
    /// nothing will make it so: it is held without a lease, or by this very process, or not at all.
    pub fn free_in(&self, trial: u64) -> Option<Duration> {
        self.left.get(&trial).copied()
    }

    /// Takes in what others wrote, and looks after the workers of running trials: some may have
    /// fallen silent.
    pub fn sync(&mut self) -> Result<(), StoreError> {
        let news = self.store.events(self.id, self.state.sequence).map_err(|error| self.by_name(error))?;
        let leases = self.store.leases(self.id).map_err(|error| self.by_name(error))?;
        for stored in news {
            self.state.apply(stored)?;
        }
        for lease in leases {
            // The lease of a trial that is not known yet comes with the event that brings it.
            if let Ok(meta) = self.state.meta_mut(lease.trial)
                && meta.is_held()
            {
                meta.lease = Some(lease);
            }
        }
        self.look();
        Ok(())
    }

    /// Stale is computed and never stored: see `watch`.
    fn look(&mut self) {
        self.left.clear();
        let (watch, clock, known) = (&mut self.watch, self.clock.as_ref(), &mut self.left);
        self.state.each_open(|number, meta| {
            if meta.is_held() {
                let left = watch.left(number, meta, clock);
                meta.is_stale = left == Some(Duration::ZERO);
                known.extend(left.map(|left| (number, left)));
            }
        });
    }

    /// Writes an event if its precondition holds, and applies it.
    pub(super) fn append(
        &mut self,
        event: Event,
        precondition: Precondition<'_>,
    ) -> Result<Appended, StoreError> {
        self.append_all(vec![event], None, precondition)
    }

    /// Writes events if their precondition holds, and applies them. `known` is the configuration of
    /// the trial that the first of them brings, if there is one at hand.
    pub(super) fn append_all(
        &mut self,
        events: Vec<Event>,
        mut known: Option<Configuration>,
        precondition: Precondition<'_>,
    ) -> Result<Appended, StoreError> {
        let at = self.clock.now();
        let batch = Batch { at, events: &events, precondition };
        let appended = self.store.append(self.id, batch).map_err(|error| self.by_name(error))?;
        match appended {
            // Nobody wrote in between: what was written is all that is new.
            Appended::UpTo(last) if last == self.state.sequence + events.len() as u64 => {
                for event in events {
                    let stored = Stored { sequence: self.state.sequence + 1, at, event };
                    self.state.apply_known(stored, known.take())?;
                }
            }
            Appended::UpTo(_) | Appended::Refused => self.sync()?,
        }
        Ok(appended)
    }

    /// A store knows studies by their number, users by their name.
    fn by_name(&self, error: StoreError) -> StoreError {
        match error {
            StoreError::StudyGone { .. } => StoreError::StudyGone { name: self.state.name.clone() },
            other => other,
        }
    }
}
