//! Telling, and everything else that is written about trials.
use super::DurableStudy;
use super::refusal::Refusals;
use super::request::TrialResult;
use crate::error::StoreError;
use crate::event::{Attributes, Details, Event};
use crate::store::{Appended, Precondition};
use arbora_search::{Outcome, SearchError, Study};
use arbora_space::{Configuration, Space};
use std::ops::Range;
use std::time::Duration;

impl DurableStudy {
    /// Writes down how a trial ended. Once this returns it survives a crash. The first to tell a
    /// trial wins, also over a worker that got it later because the first was thought dead.
    pub fn tell(&mut self, trial: u64, result: impl Into<TrialResult>) -> Result<(), StoreError> {
        self.expect_open(trial)?;
        let event = self.ending(trial, result.into())?;
        self.append_open(trial, event)?;
        self.started.remove(&trial);
        Ok(())
    }

    /// The event that ends a trial. How long one took that was given up is known only if somebody
    /// says so.
    fn ending(&self, trial: u64, mut result: TrialResult) -> Result<Event, StoreError> {
        let outcome = self.state.study.judge(trial, result.report.clone(), result.cost)?;
        if !outcome.is_abandoned() {
            result.duration = result.duration.or_else(|| self.measured(trial));
        }
        Ok(Event::Ended { trial, outcome, details: details(&result) })
    }

    /// Since this handle asked for it; by the wall clock if another one did.
    fn measured(&self, trial: u64) -> Option<Duration> {
        match self.started.get(&trial) {
            Some(started) => Some(self.clock.elapsed().saturating_sub(*started)),
            None => self.trial(trial).ok()?.started_at.map(|started| self.clock.now().since(started)),
        }
    }

    /// Adds a result that is known already, as a trial of its own.
    pub fn add(
        &mut self,
        configuration: &Configuration,
        result: impl Into<TrialResult>,
    ) -> Result<u64, StoreError> {
        Ok(self.add_all(&[(configuration.clone(), result.into())])?.start)
    }

    /// Adds many results at once, all or none; answers with their numbers.
    pub fn add_all(&mut self, results: &[(Configuration, TrialResult)]) -> Result<Range<u64>, StoreError> {
        let mut refusals = Refusals::default();
        loop {
            let first = self.trials().len() as u64;
            let events = (first..).zip(results).map(|(trial, result)| self.added(trial, result));
            let events = events.collect::<Result<Vec<Event>, StoreError>>()?;
            let seen = self.state.sequence;
            if self.append_all(events, None, Precondition::NothingInvalidatedSince(seen))?
                != Appended::Refused
            {
                return Ok(first..first + results.len() as u64);
            }
            self.refused(&mut refusals)?;
        }
    }

    fn added(
        &self,
        trial: u64,
        (configuration, result): &(Configuration, TrialResult),
    ) -> Result<Event, StoreError> {
        self.space().check(configuration)?;
        let outcome = self.state.study.judge(trial, result.report.clone(), result.cost)?;
        let configuration = self.space().named(configuration);
        Ok(Event::Added { trial, configuration, outcome, details: details(result) })
    }

    /// Wants a configuration tried: the next worker that asks gets it.
    pub fn queue(&mut self, configuration: &Configuration) -> Result<u64, StoreError> {
        let mut refusals = Refusals::default();
        loop {
            self.space().check(configuration)?;
            let trial = self.trials().len() as u64;
            let event = Event::Queued { trial, configuration: self.space().named(configuration) };
            let seen = self.state.sequence;
            if self.append(event, Precondition::NothingInvalidatedSince(seen))? != Appended::Refused {
                return Ok(trial);
            }
            self.refused(&mut refusals)?;
        }
    }

    /// Keeps attributes with a trial, or with the study; later ones replace earlier ones of the
    /// same name.
    pub fn note(&mut self, trial: Option<u64>, attributes: Attributes) -> Result<(), StoreError> {
        if let Some(number) = trial {
            self.expect_known(number)?;
        }
        self.append(Event::Noted { trial, attributes }, Precondition::Always)?;
        Ok(())
    }

    /// Keeps an intermediate value of a trial that has not ended. Steps must go up, see
    /// [`Study::report`].
    pub fn report(&mut self, trial: u64, step: u64, value: f64) -> Result<(), StoreError> {
        self.expect_open(trial)?;
        self.state.study.check_report(trial, step)?;
        self.append_open(trial, Event::Reported { trial, step, value })
    }

    /// Why a trial that has not ended is not worth its next step, by what all workers have reported
    /// until now; `None` if it is to go on.
    pub fn should_prune(&mut self, trial: u64) -> Result<Option<String>, StoreError> {
        self.sync()?;
        self.expect_open(trial)?;
        Ok(self.state.study.should_prune(trial)?)
    }

    /// Gives a trial up: nothing is learnt from it, and its configuration may be suggested again.
    pub fn abandon(&mut self, trial: u64, reason: impl Into<String>) -> Result<(), StoreError> {
        self.expect_open(trial)?;
        let outcome = Outcome::Abandoned { reason: reason.into() };
        self.append_open(trial, Event::Ended { trial, outcome, details: Details::default() })
    }

    /// Puts a trial back: it waits, and the next worker that asks gets it.
    pub fn release(&mut self, trial: u64) -> Result<(), StoreError> {
        self.expect_open(trial)?;
        self.append_open(trial, Event::Released { trial })
    }

    /// Changes the space of the running study; old trials stay and stay valid.
    pub fn evolve(&mut self, space: &Space) -> Result<(), StoreError> {
        let event = Event::SpaceChanged { space: space.spec().clone() };
        let mut refusals = Refusals::default();
        loop {
            let history = self.state.study.history().clone();
            let mut rehearsal = Study::resume(self.space().clone(), self.options().clone(), history)?;
            rehearsal.evolve(space.clone())?;
            let seen = self.state.sequence;
            if self.append(event.clone(), Precondition::NothingInvalidatedSince(seen))? != Appended::Refused {
                return Ok(());
            }
            self.refused(&mut refusals)?;
        }
    }

    /// As [`tell`](Self::tell), for a trial that may have turned out to try something else than
    /// suggested: with `found`, what it tried and the space revised for it are written too; see
    /// [`Study::amend`]. Holds only if no trial and no space came in after event `seen`, which the
    /// caller looked at: false if one did, and nothing is written.
    pub fn tell_found(
        &mut self,
        trial: u64,
        found: Option<(&Configuration, &Space)>,
        result: impl Into<TrialResult>,
        seen: u64,
    ) -> Result<bool, StoreError> {
        self.expect_open(trial)?;
        let mut events = Vec::new();
        if let Some((configuration, space)) = found {
            let history = self.state.study.history().clone();
            let mut rehearsal = Study::resume(self.space().clone(), self.options().clone(), history)?;
            rehearsal.amend(trial, configuration, space.clone())?;
            let configuration = space.named(configuration);
            events.push(Event::Amended { trial, configuration, space: space.spec().clone() });
        }
        events.push(self.ending(trial, result.into())?);
        let is_written =
            self.append_all(events, None, Precondition::NothingInvalidatedSince(seen))? != Appended::Refused;
        if is_written {
            self.started.remove(&trial);
        }
        Ok(is_written)
    }

    /// Appends what only an open trial may get. If it has ended meanwhile, the error says how.
    fn append_open(&mut self, trial: u64, event: Event) -> Result<(), StoreError> {
        if self.append(event, Precondition::StillOpen(trial))? != Appended::Refused {
            return Ok(());
        }
        self.expect_open(trial)?;
        let (study, sequence) = (self.state.name.clone(), self.state.sequence);
        let problem = format!("the store takes trial {trial} for ended, its events do not");
        Err(StoreError::BadEvent { study, sequence, problem })
    }

    /// Somebody else may have asked for it: look again before calling it unknown.
    fn expect_known(&mut self, trial: u64) -> Result<(), StoreError> {
        if self.trial(trial).is_err() {
            self.sync()?;
        }
        self.trial(trial).map(|_| ())
    }

    fn expect_open(&mut self, number: u64) -> Result<(), StoreError> {
        self.expect_known(number)?;
        match self.trial(number)?.outcome() {
            None => Ok(()),
            Some(told) => Err(SearchError::AlreadyTold { number, outcome: told.to_string() }.into()),
        }
    }
}

fn details(result: &TrialResult) -> Details {
    Details {
        duration: result.duration.map(|duration| duration.as_secs_f64()),
        trace: result.trace.clone(),
        attributes: result.attributes.clone(),
    }
}
