//! Hands the intermediate values of one trial to the study, and asks whether it is still worth its next step.
//!
//! While another worker has the study to itself, for a long suggestion, values wait: who watches a program must not.
use super::worker_event::WorkerEvent;
use crate::run::StepReport;
use arbora_search::SearchError;
use arbora_store::{DurableStudy, StoreError};
use std::collections::VecDeque;
use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError, TryLockError};

/// The reports of one trial.
pub(super) struct Reporter<'p> {
    study: &'p Mutex<DurableStudy>,
    events: &'p Sender<WorkerEvent>,
    trial: u64,
    waiting: VecDeque<(u64, f64, bool)>,
    /// Was the user told of a line that is no use?
    has_complained: bool,
}

impl<'p> Reporter<'p> {
    pub(super) fn new(study: &'p Mutex<DurableStudy>, trial: u64, events: &'p Sender<WorkerEvent>) -> Self {
        Self { study, events, trial, waiting: VecDeque::new(), has_complained: false }
    }

    /// Takes in what the program said; why it is to be stopped, if it is.
    pub(super) fn take(&mut self, reports: Vec<StepReport>) -> Option<String> {
        self.keep(reports);
        if self.waiting.is_empty() {
            return None;
        }
        let mut study = match self.study.try_lock() {
            Ok(study) => study,
            Err(TryLockError::Poisoned(study)) => study.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        while let Some(&(step, number, is_loss)) = self.waiting.front() {
            if !self.write(&mut study, step, number, is_loss) {
                return None;
            }
            self.waiting.pop_front();
            // Asked after each report, as the rungs of some pruners want it; what cannot be asked goes on.
            if let Ok(Some(reason)) = study.should_prune(self.trial) {
                return Some(reason);
            }
        }
        None
    }

    /// Writes down what is left of a program that has ended; there is nothing to stop any more.
    pub(super) fn finish(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        if waiting.is_empty() {
            return;
        }
        let mut study = self.study.lock().unwrap_or_else(PoisonError::into_inner);
        for (step, number, is_loss) in waiting {
            self.write(&mut study, step, number, is_loss);
        }
    }

    fn keep(&mut self, reports: Vec<StepReport>) {
        for report in reports {
            match report {
                StepReport::Value { step, number, is_loss } => {
                    self.waiting.push_back((step, number, is_loss));
                }
                StepReport::Unreadable(line) => {
                    self.complain(&format!("cannot read `{line}`; write `arbora: step 3 loss 0.12`"));
                }
            }
        }
    }

    /// False if it could not be written now and may be later.
    fn write(&mut self, study: &mut DurableStudy, step: u64, number: f64, is_loss: bool) -> bool {
        let value = if is_loss { study.value_of(number) } else { number };
        match study.report(self.trial, step, value) {
            Err(StoreError::Interrupted { .. }) => return false,
            Err(StoreError::Search(step_back @ SearchError::StepBack { .. })) => {
                self.complain(&format!("{step_back}; this report is left out"));
            }
            // Somebody else told the trial, or the store is gone: the end of the trial will say so.
            Ok(()) | Err(_) => {}
        }
        true
    }

    fn complain(&mut self, problem: &str) {
        if !std::mem::replace(&mut self.has_complained, true) {
            let line = format!("trial {}: {problem}", self.trial);
            self.events.send(WorkerEvent::Said(line)).ok();
        }
    }
}
