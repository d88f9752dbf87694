//! A study from its events: each is applied once, in order, and nothing else changes what is known.
use super::record::{Origin, TrialMeta, TrialRecord};
use crate::clock::Timestamp;
use crate::error::StoreError;
use crate::event::{Attributes, Details, Event};
use crate::lease::LeaseTerms;
use crate::store::{Lease, Stored, StudyRecord};
use arbora_search::{Effort, Memo, Outcome, SearchError, Study, StudyOptions, Trial};
use arbora_space::{Configuration, Named, Space, SpaceSpec};
use std::collections::BTreeSet;
use std::time::Duration;

/// What the events say, up to one of them. A trial is kept once, in the history of the search; what
/// else is known of it lies beside it, under the same index.
pub(crate) struct StudyState {
    pub(super) name: String,
    pub(super) study: Study,
    meta: Vec<TrialMeta>,
    /// Trials that have not ended, by number.
    open: BTreeSet<u64>,
    pub(super) attributes: Attributes,
    /// The last event applied.
    pub(super) sequence: u64,
}

impl StudyState {
    /// Before the first event.
    pub(crate) fn begin(record: &StudyRecord, options: StudyOptions) -> Result<Self, StoreError> {
        Ok(Self {
            name: record.name.clone(),
            study: Study::new(Space::from_json(&record.space)?, options)?,
            meta: Vec::new(),
            open: BTreeSet::new(),
            attributes: Attributes::new(),
            sequence: 0,
        })
    }

    /// Applies the next event.
    pub(crate) fn apply(&mut self, stored: Stored) -> Result<(), StoreError> {
        self.apply_known(stored, None)
    }

    /// The same. `known` is the configuration of the trial that the event brings, if the caller has
    /// it: it need not be made from names again.
    pub(super) fn apply_known(
        &mut self,
        stored: Stored,
        known: Option<Configuration>,
    ) -> Result<(), StoreError> {
        let Stored { sequence, at, event } = stored;
        let next = self.sequence + 1;
        if sequence != next {
            return Err(self.bad(sequence, format!("event {next} is missing before it")));
        }
        self.take_in(at, event, known).map_err(|error| self.bad(sequence, error.to_string()))?;
        self.sequence = sequence;
        Ok(())
    }

    /// The last event applied.
    #[cfg(feature = "sqlite")]
    pub(crate) fn sequence(&self) -> u64 {
        self.sequence
    }

    fn bad(&self, sequence: u64, problem: String) -> StoreError {
        StoreError::BadEvent { study: self.name.clone(), sequence, problem }
    }

    fn take_in(
        &mut self,
        at: Timestamp,
        event: Event,
        known: Option<Configuration>,
    ) -> Result<(), StoreError> {
        match event {
            Event::Asked { trial, configuration, effort, memo, worker, lease, terms, .. } => {
                let configuration = known.map_or_else(|| self.configuration(configuration), Ok)?;
                let asked = Trial::asked(trial, configuration, effort, memo);
                self.add_trial(at, Origin::Suggested, asked)?;
                self.hand_out(at, trial, worker, lease.map(|until| (until, terms)))
            }
            Event::Queued { trial, configuration } => {
                let queued = self.pending(trial, configuration)?;
                self.add_trial(at, Origin::Queued, queued)
            }
            Event::Added { trial, configuration, outcome, details } => {
                let added = self.pending(trial, configuration)?;
                self.add_trial(at, Origin::Added, added)?;
                self.end(at, trial, outcome, details)
            }
            Event::Claimed { trial, worker, lease, terms } => {
                self.hand_out(at, trial, worker, lease.map(|until| (until, terms)))
            }
            Event::Ended { trial, outcome, details } => self.end(at, trial, outcome, details),
            Event::Released { trial } => self.release(trial),
            Event::Noted { trial, attributes } => self.note(trial, attributes),
            Event::Reported { trial, step, value } => {
                self.meta_mut(trial)?.intermediate.push((step, value));
                Ok(self.study.take_report(trial, step, value)?)
            }
            Event::Amended { trial, configuration, space } => self.amend(trial, configuration, space),
            Event::SpaceChanged { space } => Ok(self.study.evolve(Space::new(space)?)?),
        }
    }

    fn configuration(&self, named: Named) -> Result<Configuration, StoreError> {
        Ok(self.study.space().configuration(named.0)?)
    }

    /// A trial that users brought.
    fn pending(&self, number: u64, named: Named) -> Result<Trial, StoreError> {
        let configuration = self.configuration(named)?;
        Ok(Trial::asked(number, configuration, Effort::Full, Memo::new()))
    }

    fn add_trial(&mut self, at: Timestamp, origin: Origin, trial: Trial) -> Result<(), StoreError> {
        let number = trial.number;
        self.study.admit(trial)?;
        self.open.insert(number);
        self.meta.push(TrialMeta::new(origin, at));
        Ok(())
    }

    fn hand_out(
        &mut self,
        at: Timestamp,
        trial: u64,
        worker: String,
        lease: Option<(Timestamp, Option<LeaseTerms>)>,
    ) -> Result<(), StoreError> {
        // Whoever gets it again may begin again.
        self.study.reopen(trial)?;
        let meta = self.meta_mut(trial)?;
        meta.former.extend(meta.terms.take());
        meta.let_go();
        meta.started_at = Some(at);
        meta.attempts += 1;
        if let Some((until, terms)) = lease {
            meta.lease = Some(Lease { trial, worker: worker.clone(), until });
            meta.promised = Some(until);
            // Earlier versions wrote the end of the lease by the clock of the event.
            meta.terms =
                Some(terms.unwrap_or_else(|| LeaseTerms { lease: until.since(at), ..LeaseTerms::default() }));
        }
        meta.worker = Some(worker);
        Ok(())
    }

    fn end(
        &mut self,
        at: Timestamp,
        trial: u64,
        outcome: Outcome,
        details: Details,
    ) -> Result<(), StoreError> {
        self.study.close(trial, outcome)?;
        self.open.remove(&trial);
        let meta = self.meta_mut(trial)?;
        meta.ended_at = Some(at);
        meta.let_go();
        meta.duration = details.duration.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        meta.trace = details.trace;
        meta.attributes.extend(details.attributes);
        Ok(())
    }

    fn release(&mut self, trial: u64) -> Result<(), StoreError> {
        let meta = self.meta_mut(trial)?;
        meta.let_go();
        (meta.worker, meta.started_at) = (None, None);
        Ok(())
    }

    fn note(&mut self, trial: Option<u64>, attributes: Attributes) -> Result<(), StoreError> {
        match trial {
            Some(trial) => self.meta_mut(trial)?.attributes.extend(attributes),
            None => self.attributes.extend(attributes),
        }
        Ok(())
    }

    fn amend(&mut self, trial: u64, configuration: Named, space: SpaceSpec) -> Result<(), StoreError> {
        let space = Space::new(space)?;
        let configuration = space.configuration(configuration.0)?;
        Ok(self.study.amend(trial, &configuration, space)?)
    }

    /// All trials, in order.
    pub(super) fn records(
        &self,
    ) -> impl ExactSizeIterator<Item = TrialRecord<'_>> + DoubleEndedIterator + Clone {
        let direction = self.study.options().direction;
        let trials = self.study.history().trials().iter().zip(&self.meta);
        trials.map(move |(trial, meta)| TrialRecord::new(trial, meta, direction))
    }

    /// One trial.
    pub(super) fn record(&self, number: u64) -> Result<TrialRecord<'_>, StoreError> {
        let index = self.index(number)?;
        let trial = &self.study.history().trials()[index];
        Ok(TrialRecord::new(trial, &self.meta[index], self.study.options().direction))
    }

    /// Trials that have not ended, in order: few, however many have.
    pub(super) fn open_records(&self) -> impl Iterator<Item = TrialRecord<'_>> {
        self.open.iter().filter_map(|number| self.record(*number).ok())
    }

    /// Shows what is kept with each trial that has not ended, in order.
    pub(super) fn each_open(&mut self, mut see: impl FnMut(u64, &mut TrialMeta)) {
        for number in &self.open {
            let index = usize::try_from(*number).ok();
            if let Some(meta) = index.and_then(|index| self.meta.get_mut(index)) {
                see(*number, meta);
            }
        }
    }

    pub(super) fn meta_mut(&mut self, number: u64) -> Result<&mut TrialMeta, StoreError> {
        let index = self.index(number)?;
        Ok(&mut self.meta[index])
    }

    fn index(&self, number: u64) -> Result<usize, SearchError> {
        let count = self.meta.len();
        let index = usize::try_from(number).ok().filter(|index| *index < count);
        index.ok_or(SearchError::UnknownTrial { number, count })
    }
}
