//! Asking: first trials that wait, then stale ones, then a new suggestion.
//!
//! Every attempt reads what is new, decides, and writes its decision with the precondition that
//! made it right. A refusal means that somebody else wrote something in between, so of all who try,
//! one always gets on.
use super::DurableStudy;
use super::record::{TrialRecord, TrialState};
use super::refusal::Refusals;
use super::request::{AskRequest, StalePolicy};
use crate::clock::Timestamp;
use crate::error::StoreError;
use crate::event::{Details, Event};
use crate::lease::LeaseTerms;
use crate::process::{Process, host};
use crate::store::{Appended, Precondition};
use arbora_search::{Interrupt, Outcome, Study, Trial};

impl DurableStudy {
    /// The next trial for a worker, stored before it is handed out.
    pub fn ask(&mut self, request: &AskRequest) -> Result<TrialRecord<'static>, StoreError> {
        self.ask_until(request, Interrupt::never())
    }

    /// The same as long as the suggestion is wanted: an interrupted study is as it was.
    pub fn ask_until(
        &mut self,
        request: &AskRequest,
        interrupt: &Interrupt,
    ) -> Result<TrialRecord<'static>, StoreError> {
        self.ask_by(request, |study| Ok(study.suggest_until(interrupt)?))
    }

    /// The same with suggestions from elsewhere than the study's strategy. `suggest` is called
    /// again if somebody else wrote something meanwhile.
    pub fn ask_by<E: From<StoreError>>(
        &mut self,
        request: &AskRequest,
        mut suggest: impl FnMut(&Study) -> Result<Trial, E>,
    ) -> Result<TrialRecord<'static>, E> {
        let mut refusals = Refusals::default();
        loop {
            self.sync()?;
            let given = match self.to_hand_out(request.stale) {
                Some(trial) => self.claim(trial, request)?,
                None => self.suggest(request, &mut suggest)?,
            };
            if let Some(trial) = given {
                self.started.insert(trial, self.clock.elapsed());
                return Ok(self.trial(trial)?.into_owned());
            }
            self.refused(&mut refusals)?;
        }
    }

    /// The first trial that waits, or that is stale and may be handed out again.
    fn to_hand_out(&self, stale: StalePolicy) -> Option<u64> {
        let first = |state| self.state.open_records().find(|record| record.state() == state);
        let waiting = first(TrialState::Waiting);
        let found = match stale {
            StalePolicy::HandOutAgain => waiting.or_else(|| first(TrialState::Stale)),
            StalePolicy::Abandon | StalePolicy::Leave => waiting,
        };
        found.map(|record| record.number())
    }

    /// `None` if somebody else was faster.
    fn claim(&mut self, trial: u64, request: &AskRequest) -> Result<Option<u64>, StoreError> {
        let (lease, terms) = self.terms(request).unzip();
        let event = Event::Claimed { trial, worker: request.worker.clone(), lease, terms };
        let appended = self.append_freed(trial, event)?;
        Ok(matches!(appended, Appended::UpTo(_)).then_some(trial))
    }

    /// Writes what only a trial that waits, or that is still as silent as it was, may get.
    fn append_freed(&mut self, trial: u64, event: Event) -> Result<Appended, StoreError> {
        match self.trial(trial)?.lease.clone() {
            Some(lease) => self.append(event, Precondition::Silent(&lease)),
            None => self.append(event, Precondition::Waiting(trial)),
        }
    }

    /// What a worker promises: the end of its lease, and all that others need to judge whether it
    /// lives.
    fn terms(&self, request: &AskRequest) -> Option<(Timestamp, LeaseTerms)> {
        let lease = request.lease?;
        let terms = LeaseTerms {
            lease,
            host: host(),
            place: self.clock.place(),
            since: self.clock.elapsed(),
            process: request.is_bound.then(Process::this),
        };
        Some((self.clock.steady().after(lease), terms))
    }

    /// `None` if somebody else was faster.
    fn suggest<E: From<StoreError>>(
        &mut self,
        request: &AskRequest,
        suggest: &mut impl FnMut(&Study) -> Result<Trial, E>,
    ) -> Result<Option<u64>, E> {
        let lock = self.store.suggest_lock(self.id)?;
        // Others may have suggested while this one waited. What came in between without a wait is
        // refused when it is written.
        if !lock.is_immediate() {
            self.sync()?;
        }
        if request.stale == StalePolicy::Abandon {
            self.abandon_stale()?;
        }
        if self.to_hand_out(request.stale).is_some() {
            return Ok(None);
        }
        let seen = self.state.sequence;
        let trial = suggest(&self.state.study)?;
        let (lease, terms) = self.terms(request).unzip();
        let event = Event::Asked {
            trial: trial.number,
            configuration: self.space().named(&trial.configuration),
            effort: trial.effort,
            memo: trial.memo,
            seen,
            worker: request.worker.clone(),
            lease,
            terms,
        };
        let precondition = Precondition::NothingInvalidatedSince(seen);
        let appended = self.append_all(vec![event], Some(trial.configuration), precondition)?;
        drop(lock);
        Ok(matches!(appended, Appended::UpTo(_)).then_some(trial.number))
    }

    fn abandon_stale(&mut self) -> Result<(), StoreError> {
        let stale = self.state.open_records().filter(|record| record.state() == TrialState::Stale);
        let silent = stale.map(|record| {
            let worker = record.worker.as_deref().unwrap_or_default();
            (record.number(), format!("worker `{worker}` gave no more signs of life"))
        });
        for (trial, reason) in silent.collect::<Vec<_>>() {
            let outcome = Outcome::Abandoned { reason };
            self.append_freed(trial, Event::Ended { trial, outcome, details: Details::default() })?;
        }
        Ok(())
    }
}
