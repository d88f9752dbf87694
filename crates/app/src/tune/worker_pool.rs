//! The workers: threads of this process that share one study, each with one program at a time.
use super::budget::Budget;
use super::others;
use super::pulse::Pulse;
use super::reporter::Reporter;
use super::worker_event::WorkerEvent;
use crate::error::{AppError, Exit};
use crate::run::{self, Ending, Evaluation, Shutdown, ShutdownLevel, TrialRunner, Watchers};
use arbora_search::{Effort, Interrupt, Report, SearchError};
use arbora_space::Named;
use arbora_store::{
    AskRequest, DurableStudy, Heartbeat, LeaseTerms, StoreError, TrialRecord, TrialResult, TrialState, host,
};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What the workers of this process have in common.
pub(crate) struct WorkerPool {
    pub(crate) study: Mutex<DurableStudy>,
    pub(crate) runner: TrialRunner,
    pub(crate) budget: Budget,
    pub(crate) stop: Shutdown,
    failures_in_a_row: AtomicUsize,
    /// Whom this run said to wait for.
    waited_for: Mutex<String>,
}

/// What a worker does next.
enum Next {
    Evaluate(Task),
    /// Nothing is left but trials of others: they end, or become free.
    Wait,
    /// There is nothing more to do.
    Leave,
}

/// A trial to evaluate: its number, how much of it, its active parameters by name, and who had it and fell silent.
struct Task {
    trial: u64,
    effort: Effort,
    values: Named,
    former: Vec<LeaseTerms>,
}

/// How a trial ended. Its time is that of its program: to be written down it may have to wait for others.
struct Ended {
    trial: u64,
    verdict: Evaluation,
    took: Duration,
    is_lost: bool,
}

/// Between two looks at the trials of others.
const LOOK_EVERY: Duration = Duration::from_millis(500);

impl WorkerPool {
    /// A pool that has not begun.
    pub(crate) fn new(study: DurableStudy, runner: TrialRunner, budget: Budget, stop: Shutdown) -> Self {
        let (failures_in_a_row, waited_for) = (AtomicUsize::new(0), Mutex::default());
        Self { study: Mutex::new(study), runner, budget, stop, failures_in_a_row, waited_for }
    }

    /// The work of one worker, until there is nothing more to do.
    pub(crate) fn work(&self, request: &AskRequest, events: &Sender<WorkerEvent>) {
        let heartbeat = self.study().heartbeat(request);
        loop {
            match self.step(request, &heartbeat, events) {
                Ok(true) => {}
                Ok(false) => return,
                Err(trouble) => {
                    self.stop.raise(ShutdownLevel::Soon);
                    events.send(WorkerEvent::Trouble(trouble)).ok();
                    return;
                }
            }
        }
    }

    /// One trial. False if there is nothing more to do.
    fn step(
        &self,
        request: &AskRequest,
        heartbeat: &Heartbeat,
        events: &Sender<WorkerEvent>,
    ) -> Result<bool, AppError> {
        if self.stop.level() >= ShutdownLevel::Enough || self.budget.is_over() {
            return Ok(false);
        }
        let Task { trial, effort, values, former } = match self.next(request, events)? {
            Next::Evaluate(task) => task,
            Next::Wait => {
                self.pause();
                return Ok(true);
            }
            Next::Leave => return Ok(false),
        };
        events.send(WorkerEvent::Started).ok();
        let pulse = Pulse::begin(heartbeat, trial).map_err(|trouble| cannot_run(trial, &trouble))?;
        let mut is_ours = || !pulse.is_lost();
        self.end_orphans(trial, &former, &mut is_ours, events);
        let begun = Instant::now();
        let mut reporter = Reporter::new(&self.study, trial, events);
        let mut watchers = Watchers { is_ours: &mut is_ours, judge: &mut |reports| reporter.take(reports) };
        let verdict = self.runner.evaluate((trial, effort), &values, &self.stop, &mut watchers);
        reporter.finish();
        let ended = Ended { trial, verdict, took: begun.elapsed(), is_lost: pulse.is_lost() };
        self.record(ended, events)?;
        Ok(true)
    }

    /// The next trial within the budget.
    fn next(&self, request: &AskRequest, events: &Sender<WorkerEvent>) -> Result<Next, AppError> {
        match self.ask(request, events) {
            // A long suggestion, or somebody else holds the file: the user does not want to wait.
            Err(trouble) if trouble.exit() == Exit::Interrupted => Ok(Next::Leave),
            next => next,
        }
    }

    fn ask(&self, request: &AskRequest, events: &Sender<WorkerEvent>) -> Result<Next, AppError> {
        let mut study = self.study();
        study.sync()?;
        // Another worker may have raised the flag while this one waited for the study.
        if self.stop.level() >= ShutdownLevel::Enough {
            return Ok(Next::Leave);
        }
        if self.budget.is_taken(&study) {
            return Ok(self.wait_or(&study, events, |_| Next::Leave));
        }
        let stop = self.stop.clone();
        let interrupt = Interrupt::when(move || stop.level() >= ShutdownLevel::Soon);
        let trial = match study.ask_until(request, &interrupt) {
            Ok(trial) => trial,
            Err(StoreError::Search(
                nothing @ (SearchError::Exhausted { .. } | SearchError::NothingNew { .. }),
            )) => {
                return Ok(self.wait_or(&study, events, |events| {
                    events.send(WorkerEvent::Exhausted(nothing.into())).ok();
                    Next::Leave
                }));
            }
            Err(trouble) => return Err(trouble.into()),
        };
        if self.budget.is_beyond(&study, &trial) {
            study.abandon(trial.number(), "another process had the last trial of the budget")?;
            return Ok(Next::Wait);
        }
        let values = study.space().named(trial.configuration());
        let (number, effort, former) = (trial.number(), trial.effort(), trial.former.clone());
        Ok(Next::Evaluate(Task { trial: number, effort, values, former }))
    }

    /// Waits for the trials of others if there are any, and says so; otherwise it is over.
    fn wait_or(
        &self,
        study: &DurableStudy,
        events: &Sender<WorkerEvent>,
        over: impl FnOnce(&Sender<WorkerEvent>) -> Next,
    ) -> Next {
        if !others::keep_waiting(study, &self.budget) {
            return over(events);
        }
        let waited = others::described(study);
        let mut before = self.waited_for.lock().unwrap_or_else(PoisonError::into_inner);
        if *before != waited.whom {
            *before = waited.whom;
            events.send(WorkerEvent::Said(waited.line)).ok();
        }
        Next::Wait
    }

    /// Until it is time to look again, or to stop.
    fn pause(&self) {
        let begun = Instant::now();
        while begun.elapsed() < LOOK_EVERY
            && self.stop.level() < ShutdownLevel::Enough
            && !self.budget.is_over()
        {
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Programs that a killed run left behind are ended before their trial is run again.
    fn end_orphans(
        &self,
        trial: u64,
        former: &[LeaseTerms],
        is_ours: &mut dyn FnMut() -> bool,
        events: &Sender<WorkerEvent>,
    ) {
        for terms in former {
            let mut ending = Ending { grace: self.runner.grace, stop: &self.stop, beat: is_ours };
            for group in run::end_orphans(terms, trial, &mut ending) {
                let line = format!(
                    "trial {trial}: ended process group {group}, left behind by {terms}, which was killed"
                );
                events.send(WorkerEvent::Said(line)).ok();
            }
        }
    }

    fn record(&self, ended: Ended, events: &Sender<WorkerEvent>) -> Result<(), AppError> {
        let Ended { trial, verdict, took, is_lost } = ended;
        let duration = Some(took);
        match verdict {
            Evaluation::Value(reading) => {
                let result = TrialResult {
                    cost: reading.cost.filter(|cost| cost.is_finite() && *cost >= 0.0),
                    duration,
                    attributes: reading.attributes,
                    ..Report::Value(reading.value).into()
                };
                self.tell(trial, &result, events)
            }
            Evaluation::Failed { reason, trace } => {
                self.tell(trial, &TrialResult { trace, duration, ..Report::Failure(reason).into() }, events)
            }
            Evaluation::Pruned { reason } => {
                self.tell(trial, &TrialResult { duration, ..Report::Pruned(reason).into() }, events)
            }
            // Somebody else has it: it is theirs to end.
            Evaluation::Stopped if is_lost => Ok(()),
            Evaluation::Stopped => self.release(trial, events),
            Evaluation::Broken(trouble) => {
                self.release(trial, events)?;
                Err(cannot_run(trial, &trouble))
            }
        }
    }

    fn tell(&self, trial: u64, result: &TrialResult, events: &Sender<WorkerEvent>) -> Result<(), AppError> {
        let mut study = self.study();
        let told = loop {
            match study.tell(trial, result.clone()) {
                // A result is dear: only who insists gives it up.
                Err(StoreError::Interrupted { .. }) if self.stop.level() < ShutdownLevel::Now => {
                    let line = format!(
                        "trial {trial} has ended and cannot be written yet; once more gives its result up"
                    );
                    events.send(WorkerEvent::Said(line)).ok();
                }
                told => break told,
            }
        };
        if already_told(told)? {
            return Ok(());
        }
        let record = study.trial(trial)?.into_owned();
        self.count_failures(&record, events);
        events.send(WorkerEvent::Ended(Box::new(record))).ok();
        Ok(())
    }

    /// The trial waits, and whoever goes on with the study gets it first.
    fn release(&self, trial: u64, events: &Sender<WorkerEvent>) -> Result<(), AppError> {
        match self.study().release(trial) {
            // Somebody holds the file. The trial is free all the same: this process ends now.
            Err(StoreError::Interrupted { .. }) => Ok(()),
            done => {
                already_told(done)?;
                events.send(WorkerEvent::Released).ok();
                Ok(())
            }
        }
    }

    fn count_failures(&self, record: &TrialRecord<'_>, events: &Sender<WorkerEvent>) {
        if record.state() != TrialState::Failed {
            // One success shows that the command works.
            self.failures_in_a_row.store(usize::MAX / 2, Ordering::SeqCst);
            return;
        }
        let failures = self.failures_in_a_row.fetch_add(1, Ordering::SeqCst) + 1;
        if Some(failures) == self.budget.failures {
            self.stop.raise(ShutdownLevel::Soon);
            events.send(WorkerEvent::GaveUp).ok();
        }
    }

    /// The study, even if a worker panicked: what it holds was written down before.
    pub(crate) fn study(&self) -> MutexGuard<'_, DurableStudy> {
        self.study.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn cannot_run(trial: u64, trouble: &std::io::Error) -> AppError {
    AppError::CannotRun { trial, problem: trouble.to_string() }
}

/// Another worker may have told it, or the user: the first to tell is right.
fn already_told(done: Result<(), StoreError>) -> Result<bool, AppError> {
    match done {
        Ok(()) => Ok(false),
        Err(StoreError::Search(SearchError::AlreadyTold { .. })) => Ok(true),
        Err(trouble) => Err(trouble.into()),
    }
}

/// A name that no other living worker has: host, process, thread.
pub(crate) fn worker_name(index: usize) -> String {
    format!("{}-{}-{index}", host(), std::process::id())
}
