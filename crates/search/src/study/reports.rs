//! What a trial says on its way, and whether it is worth its next step.
use super::Study;
use crate::error::SearchError;
use crate::pruner::{Look, StepOrder};
use crate::trial::Trial;

impl Study {
    /// Takes in an intermediate value of a pending trial, in the study's direction. Any double will do; one that is not
    /// a number says that the trial has gone wrong. Steps must ascend unless the pruner takes them for names.
    ///
    /// ```
    /// use arbora_search::{Report, Study, StudyOptions};
    /// use arbora_space::{Param, Space};
    /// let space = Space::new([Param::real("rate", 0.0, 1.0)])?;
    /// let mut study = Study::new(space, StudyOptions::default())?;
    /// for number in 0..20 {
    ///     let rate = study.ask()?.configuration.iter().next().and_then(|(_, v)| v.as_f64()).unwrap();
    ///     let loss = |epoch: u64| rate + 1.0 / (1.0 + epoch as f64);
    ///     let mut outcome = Report::Value(loss(9));
    ///     for epoch in 0..10 {
    ///         study.report(number, epoch, loss(epoch))?;
    ///         if let Some(reason) = study.should_prune(number)? {
    ///             outcome = Report::Pruned(reason);
    ///             break;
    ///         }
    ///     }
    ///     study.tell(number, outcome)?;
    /// }
    /// assert!(study.history().trials().iter().any(|trial| trial.is_pruned()));
    /// # Ok::<(), arbora_search::SearchError>(())
    /// ```
    pub fn report(&mut self, number: u64, step: u64, value: f64) -> Result<(), SearchError> {
        self.check_report(number, step)?;
        self.take_report(number, step, value)
    }

    /// May this step be reported next?
    pub fn check_report(&self, number: u64, step: u64) -> Result<(), SearchError> {
        let trial = self.pending(number)?;
        match (self.pruner.order(), trial.curve.passes(step)) {
            (StepOrder::Ascending, Err(last)) => Err(SearchError::StepBack { number, step, last }),
            _ => Ok(()),
        }
    }

    /// Takes in an intermediate value that was reported earlier or elsewhere, in whatever order.
    pub fn take_report(&mut self, number: u64, step: u64, value: f64) -> Result<(), SearchError> {
        let (count, loss) = (self.history.len(), self.options.direction.flip(value));
        let trial = self.history.get_mut(number).ok_or(SearchError::UnknownTrial { number, count })?;
        trial.curve.push(step, loss);
        Ok(())
    }

    /// A pending trial is evaluated anew: its next report may be of a step that it had reported before, and replaces
    /// what was known from there on.
    pub fn reopen(&mut self, number: u64) -> Result<(), SearchError> {
        let count = self.history.len();
        let trial = self.history.get_mut(number).ok_or(SearchError::UnknownTrial { number, count })?;
        trial.curve.reopen();
        Ok(())
    }

    /// Why a pending trial is not worth its next step, in words; `None` if it is to go on. A function of the history.
    pub fn should_prune(&self, number: u64) -> Result<Option<String>, SearchError> {
        let trial = self.pending(number)?;
        Ok(self.pruner.stops(&Look { history: &self.history, trial }))
    }

    fn pending(&self, number: u64) -> Result<&Trial, SearchError> {
        let count = self.history.len();
        let found = usize::try_from(number).ok().and_then(|at| self.history.trials().get(at));
        let trial = found.ok_or(SearchError::UnknownTrial { number, count })?;
        match &trial.outcome {
            None => Ok(trial),
            Some(told) => Err(SearchError::AlreadyTold { number, outcome: told.to_string() }),
        }
    }
}
