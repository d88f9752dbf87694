//! All trials in order, and what a model may learn from them.
use crate::error::SearchError;
use crate::memo::Memo;
use crate::trial::{Outcome, Trial};
use arbora_model::{Dataset, Memory};
use arbora_space::{Configuration, Encoding, Points, Space};
use std::collections::BTreeSet;

/// The note of a memo under which a model's chain travels.
pub(crate) const CHAIN: &str = "chain";

/// Losses beyond this size are as good as this: their squares would leave the range of doubles.
const HUGE: f64 = 1e100;

/// All trials, in the order of asking.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    trials: Vec<Trial>,
    hidden: BTreeSet<u64>,
}

impl History {
    /// Nothing tried yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// In the order of asking.
    pub fn trials(&self) -> &[Trial] {
        &self.trials
    }

    /// How many, pending ones included.
    pub fn len(&self) -> usize {
        self.trials.len()
    }

    /// True if nothing was asked yet.
    pub fn is_empty(&self) -> bool {
        self.trials.is_empty()
    }

    /// Asked for and not told.
    pub fn pending(&self) -> impl Iterator<Item = &Trial> {
        self.trials.iter().filter(|t| t.is_pending())
    }

    /// The fully evaluated trial of least loss; the earliest where several tie.
    pub fn incumbent(&self) -> Option<&Trial> {
        let complete = self.teaching().filter_map(|t| t.loss().map(|loss| (loss, t)));
        complete.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, t)| t)
    }

    /// What was observed by full evaluations, as points and losses. A failed trial counts as the worst loss seen: a place to avoid, at
    /// a distance the model can believe. With no loss at all there is nothing to learn from yet.
    pub fn dataset(&self, space: &Space, encoding: &Encoding) -> Result<Option<Dataset>, SearchError> {
        let worst = self.teaching().filter_map(Trial::loss).reduce(f64::max);
        let Some(worst) = worst else { return Ok(None) };
        let mut points = Points::new(space.layout().width());
        let mut losses = Vec::with_capacity(self.trials.len());
        let stand_ins = space.stand_ins(&encoding.imputation);
        for trial in self.teaching() {
            let loss = match &trial.outcome {
                Some(Outcome::Complete { loss, .. }) => *loss,
                Some(Outcome::Failed { .. }) => worst,
                Some(Outcome::Abandoned { .. }) | None => continue,
            };
            let dense = space.stand_ins_of(&trial.configuration, &encoding.imputation, &stand_ins);
            space.encode_row(&trial.configuration, &dense, encoding.branching, &mut points);
            losses.push(loss.clamp(-HUGE, HUGE));
        }
        Ok(Some(Dataset::new(points, losses)?))
    }

    /// What the last model of this study learnt about itself, if a strategy wrote it down.
    pub fn chain(&self) -> Option<Memory> {
        self.trials.iter().rev().find_map(|trial| trial.memo.read(CHAIN))
    }

    /// Configurations being evaluated.
    pub fn pending_configurations(&self) -> Vec<&Configuration> {
        self.pending().map(|t| &t.configuration).collect()
    }

    /// The same trials with other losses, as if the objective had been another one: nothing remembered about the old one
    /// stays. A completed trial without a label teaches nothing, but its configuration counts as tried; failed and
    /// pending trials stay as they are.
    #[must_use]
    pub fn relabelled(&self, label: impl Fn(&Trial) -> Option<f64>) -> History {
        let mut other =
            History { trials: Vec::with_capacity(self.trials.len()), hidden: self.hidden.clone() };
        let labels: Vec<Option<f64>> = self.trials.iter().map(label).collect();
        for (i, trial) in self.trials.iter().enumerate() {
            let mut trial = Trial { memo: Memo::new(), ..trial.clone() };
            if let Some(Outcome::Complete { loss, .. }) = &mut trial.outcome {
                match labels[i] {
                    Some(other_loss) => *loss = other_loss,
                    None => {
                        other.hidden.insert(trial.number);
                    }
                }
            }
            other.trials.push(trial);
        }
        other
    }

    /// Trials that teach: evaluated in full and not hidden.
    fn teaching(&self) -> impl Iterator<Item = &Trial> {
        self.trials.iter().filter(|t| t.effort.is_full() && !self.hidden.contains(&t.number))
    }

    pub(crate) fn push(&mut self, trial: Trial) {
        self.trials.push(trial);
    }

    pub(crate) fn get_mut(&mut self, number: u64) -> Option<&mut Trial> {
        self.trials.get_mut(usize::try_from(number).ok()?)
    }

    /// Gives every trial another configuration; all or none.
    pub(crate) fn map_trials(
        &mut self,
        into: impl FnMut(&Trial) -> Result<Configuration, SearchError>,
    ) -> Result<(), SearchError> {
        let moved: Vec<Configuration> = self.trials.iter().map(into).collect::<Result<_, _>>()?;
        for (trial, configuration) in self.trials.iter_mut().zip(moved) {
            trial.configuration = configuration;
        }
        Ok(())
    }
}
