//! A study from its events: each is taken in once, in order, and nothing else changes what is known.
use super::record::{Origin, TrialRecord, TrialState};
use crate::clock::Timestamp;
use crate::error::StoreError;
use crate::event::{Attributes, Details, Event};
use crate::hold::Hold;
use crate::store::{Lease, Stored, StudyRecord};
use arbora_search::{Effort, Memo, Outcome, SearchError, Study, StudyOptions, Trial};
use arbora_space::{Named, Space};
use std::time::Duration;

/// What the events say, up to one of them.
pub(crate) struct Fold {
    pub(super) name: String,
    pub(super) study: Study,
    pub(super) records: Vec<TrialRecord>,
    pub(super) attributes: Attributes,
    /// The last event taken in.
    pub(super) sequence: u64,
}

impl Fold {
    /// Before the first event.
    pub(crate) fn begin(record: &StudyRecord, options: StudyOptions) -> Result<Self, StoreError> {
        Ok(Self {
            name: record.name.clone(),
            study: Study::new(Space::from_json(&record.space)?, options)?,
            records: Vec::new(),
            attributes: Attributes::new(),
            sequence: 0,
        })
    }

    /// Takes in the next event.
    pub(crate) fn take(&mut self, stored: Stored) -> Result<(), StoreError> {
        let Stored { sequence, at, event } = stored;
        let next = self.sequence + 1;
        if sequence != next {
            return Err(self.bad(sequence, format!("event {next} is missing before it")));
        }
        self.apply(at, event).map_err(|error| self.bad(sequence, error.to_string()))?;
        self.sequence = sequence;
        Ok(())
    }

    /// The last event taken in.
    #[cfg(feature = "sqlite")]
    pub(crate) fn sequence(&self) -> u64 {
        self.sequence
    }

    fn bad(&self, sequence: u64, problem: String) -> StoreError {
        StoreError::BadEvent { study: self.name.clone(), sequence, problem }
    }

    fn apply(&mut self, at: Timestamp, event: Event) -> Result<(), StoreError> {
        match event {
            Event::Asked { trial, configuration, effort, memo, worker, lease, hold, .. } => {
                self.birth(at, Origin::Suggested, trial, configuration, (effort, memo))?;
                self.hand_out(at, trial, worker, lease.map(|until| (until, hold)))
            }
            Event::Queued { trial, configuration } => {
                self.birth(at, Origin::Queued, trial, configuration, (Effort::Full, Memo::new()))
            }
            Event::Added { trial, configuration, outcome, details } => {
                self.birth(at, Origin::Added, trial, configuration, (Effort::Full, Memo::new()))?;
                self.end(at, trial, outcome, details)
            }
            Event::Claimed { trial, worker, lease, hold } => {
                self.hand_out(at, trial, worker, lease.map(|until| (until, hold)))
            }
            Event::Told { trial, loss, cost, details } => {
                self.end(at, trial, Outcome::Complete { loss, cost }, details)
            }
            Event::Failed { trial, reason, cost, details } => {
                self.end(at, trial, Outcome::Failed { reason, cost }, details)
            }
            Event::Abandoned { trial, reason } => {
                self.end(at, trial, Outcome::Abandoned { reason }, Details::default())
            }
            Event::Released { trial } => self.release(trial),
            Event::Noted { trial, attributes } => self.note(trial, attributes),
            Event::Reported { trial, step, value } => {
                self.record(trial)?.intermediate.push((step, value));
                Ok(())
            }
            Event::Amended { trial, configuration, space } => self.amend(trial, configuration, &space),
            Event::SpaceChanged { space } => self.evolve(&space),
        }
    }

    fn birth(
        &mut self,
        at: Timestamp,
        origin: Origin,
        number: u64,
        configuration: Named,
        (effort, memo): (Effort, Memo),
    ) -> Result<(), StoreError> {
        let configuration = self.study.space().configuration(configuration.0)?;
        let trial = Trial { number, configuration: configuration.clone(), effort, outcome: None, memo };
        self.study.admit(trial)?;
        self.records.push(TrialRecord {
            number,
            configuration,
            effort,
            origin,
            state: TrialState::Waiting,
            loss: None,
            value: None,
            cost: None,
            duration: None,
            asked_at: at,
            started_at: None,
            ended_at: None,
            worker: None,
            lease: None,
            hold: None,
            former: Vec::new(),
            promised: None,
            attempts: 0,
            reason: None,
            trace: None,
            attributes: Attributes::new(),
            intermediate: Vec::new(),
        });
        Ok(())
    }

    fn hand_out(
        &mut self,
        at: Timestamp,
        trial: u64,
        worker: String,
        lease: Option<(Timestamp, Option<Hold>)>,
    ) -> Result<(), StoreError> {
        let record = self.record(trial)?;
        record.former.extend(record.hold.take());
        record.let_go();
        record.state = TrialState::Running;
        record.started_at = Some(at);
        record.attempts += 1;
        if let Some((until, hold)) = lease {
            record.lease = Some(Lease { trial, worker: worker.clone(), until });
            record.promised = Some(until);
            // Earlier versions wrote the end of the lease by the clock of the event.
            record.hold = Some(hold.unwrap_or_else(|| Hold { lease: until.since(at), ..Hold::default() }));
        }
        record.worker = Some(worker);
        Ok(())
    }

    fn end(
        &mut self,
        at: Timestamp,
        trial: u64,
        outcome: Outcome,
        details: Details,
    ) -> Result<(), StoreError> {
        self.study.close(trial, outcome.clone())?;
        let direction = self.study.options().direction;
        let record = self.record(trial)?;
        record.ended_at = Some(at);
        record.let_go();
        record.duration = details.duration.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        record.trace = details.trace;
        record.attributes.extend(details.attributes);
        record.close(outcome, direction);
        Ok(())
    }

    fn release(&mut self, trial: u64) -> Result<(), StoreError> {
        let record = self.record(trial)?;
        record.state = TrialState::Waiting;
        record.let_go();
        record.worker = None;
        record.started_at = None;
        Ok(())
    }

    fn note(&mut self, trial: Option<u64>, attributes: Attributes) -> Result<(), StoreError> {
        match trial {
            Some(trial) => self.record(trial)?.attributes.extend(attributes),
            None => self.attributes.extend(attributes),
        }
        Ok(())
    }

    fn evolve(&mut self, space: &serde_json::Value) -> Result<(), StoreError> {
        self.study.evolve(Space::from_json(&space.to_string())?)?;
        self.copy_configurations();
        Ok(())
    }

    fn amend(
        &mut self,
        trial: u64,
        configuration: Named,
        space: &serde_json::Value,
    ) -> Result<(), StoreError> {
        let space = Space::from_json(&space.to_string())?;
        let configuration = space.configuration(configuration.0)?;
        self.study.amend(trial, &configuration, space)?;
        self.copy_configurations();
        Ok(())
    }

    fn copy_configurations(&mut self) {
        for (record, trial) in self.records.iter_mut().zip(self.study.history().trials()) {
            record.configuration = trial.configuration.clone();
        }
    }

    pub(super) fn record(&mut self, number: u64) -> Result<&mut TrialRecord, StoreError> {
        let count = self.records.len();
        let found = usize::try_from(number).ok().and_then(|index| self.records.get_mut(index));
        Ok(found.ok_or(SearchError::UnknownTrial { number, count })?)
    }
}
