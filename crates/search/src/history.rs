//! All trials in order, and what a model may learn from them.
use crate::error::SearchError;
use crate::trial::{Effort, Outcome, Trial};
use arbora_model::Dataset;
use arbora_space::{Configuration, Encoding, Points, Space};

/// Losses beyond this size are as good as this: their squares would leave the range of doubles.
const HUGE: f64 = 1e100;

/// All trials, in the order of asking.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    trials: Vec<Trial>,
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

    /// The fully evaluated trial of least loss; the earliest where several tie. Before the first full evaluation, the
    /// best of the greatest share so far; in a race over folds, the last trial of the configuration with the most
    /// folds and, among those, the least mean.
    pub fn incumbent(&self) -> Option<&Trial> {
        let best = |effort: &dyn Fn(&Effort) -> bool| {
            let known = self.trials.iter().filter(|t| effort(&t.effort));
            let complete = known.filter_map(|t| t.loss().map(|loss| (loss, t)));
            complete.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, t)| t)
        };
        let share = |t: &Trial| match t.effort {
            Effort::Share(share) if t.loss().is_some() => Some(share),
            _ => None,
        };
        let greatest = self.trials.iter().filter_map(share).reduce(f64::max);
        best(&|e| e.is_full())
            .or_else(|| greatest.and_then(|most| best(&|e| *e == Effort::Share(most))))
            .or_else(|| self.race_leader())
    }

    fn race_leader(&self) -> Option<&Trial> {
        let folds = self.trials.iter().filter(|t| matches!(t.effort, Effort::Fold(_)) && t.loss().is_some());
        let standing = folds.map(|t| (self.folds_of(&t.configuration), t));
        let rank = |(losses, _): &(Vec<(u32, f64)>, &Trial)| (losses.len(), mean(losses));
        let better = |a: &(Vec<(u32, f64)>, &Trial), b: &(Vec<(u32, f64)>, &Trial)| {
            rank(a).0.cmp(&rank(b).0).then(rank(b).1.total_cmp(&rank(a).1))
        };
        standing.max_by(better).map(|(_, t)| t)
    }

    /// Folds of a cross-validation that are known of a configuration, and their losses.
    pub fn folds_of(&self, configuration: &Configuration) -> Vec<(u32, f64)> {
        let same = self.trials.iter().filter(|t| t.configuration == *configuration);
        same.filter_map(|t| match t.effort {
            Effort::Fold(fold) => t.loss().map(|loss| (fold, loss)),
            _ => None,
        })
        .collect()
    }

    /// What a trial says of its configuration: its loss, or the mean over the folds known so far.
    pub fn standing(&self, trial: &Trial) -> Option<f64> {
        match trial.effort {
            Effort::Fold(_) => {
                Some(self.folds_of(&trial.configuration)).filter(|f| !f.is_empty()).map(|f| mean(&f))
            }
            _ => trial.loss(),
        }
    }

    /// What was observed by full evaluations, as points and losses. A failed trial counts as the worst loss seen: a
    /// place to avoid, at a distance the model can believe. With no loss at all there is nothing to learn from yet.
    pub fn dataset(&self, space: &Space, encoding: &Encoding) -> Result<Option<Dataset>, SearchError> {
        let full = || self.trials.iter().filter(|t| t.effort.is_full());
        let worst = full().filter_map(Trial::loss).reduce(f64::max);
        let Some(worst) = worst else { return Ok(None) };
        let loss = |trial: &Trial| match &trial.outcome {
            Some(Outcome::Complete { loss, .. }) => Some(loss.clamp(-HUGE, HUGE)),
            Some(Outcome::Failed { .. }) => Some(worst),
            Some(Outcome::Abandoned { .. }) | None => None,
        };
        Ok(Some(observations(full(), space, encoding, loss)?))
    }

    /// Logarithms of the costs of full evaluations, failed ones included; `None` before the first.
    pub fn costs(&self, space: &Space, encoding: &Encoding) -> Result<Option<Dataset>, SearchError> {
        let full = self.trials.iter().filter(|t| t.effort.is_full());
        let ln_cost = |trial: &Trial| {
            trial.outcome.as_ref().and_then(Outcome::cost).filter(|c| *c > 0.0).map(libm::log)
        };
        let data = observations(full, space, encoding, ln_cost)?;
        Ok((!data.is_empty()).then_some(data))
    }

    /// Configurations being evaluated.
    pub fn pending_configurations(&self) -> Vec<&Configuration> {
        self.pending().map(|t| &t.configuration).collect()
    }

    /// The history a strategy sees that is told about this effort alone: its trials count as full ones, those of any
    /// other effort as partial. Nothing is proposed again that was proposed with any effort.
    pub(crate) fn seen_at(&self, effort: Effort) -> History {
        let seen = |trial: &Trial| {
            let effort = match trial.effort {
                own if own == effort => Effort::Full,
                // All of it, and still not what is asked about.
                Effort::Full => Effort::Share(1.0),
                other => other,
            };
            Trial { effort, ..trial.clone() }
        };
        History { trials: self.trials.iter().map(seen).collect() }
    }

    pub(crate) fn push(&mut self, trial: Trial) {
        self.trials.push(trial);
    }

    pub(crate) fn get_mut(&mut self, number: u64) -> Option<&mut Trial> {
        self.trials.get_mut(usize::try_from(number).ok()?)
    }

    pub(crate) fn map_configurations(
        &mut self,
        mut into: impl FnMut(&Configuration) -> Result<Configuration, SearchError>,
    ) -> Result<(), SearchError> {
        let moved: Vec<Configuration> =
            self.trials.iter().map(|t| into(&t.configuration)).collect::<Result<_, _>>()?;
        for (trial, configuration) in self.trials.iter_mut().zip(moved) {
            trial.configuration = configuration;
        }
        Ok(())
    }
}

/// Points and what is learnt at each, of the trials that teach something.
fn observations<'t>(
    trials: impl Iterator<Item = &'t Trial>,
    space: &Space,
    encoding: &Encoding,
    target: impl Fn(&Trial) -> Option<f64>,
) -> Result<Dataset, SearchError> {
    let mut points = Points::new(space.layout().width());
    let mut targets = Vec::new();
    let stand_ins = space.stand_ins(&encoding.imputation);
    for trial in trials {
        if let Some(target) = target(trial) {
            space.encode_row(&trial.configuration, &stand_ins, encoding.branching, &mut points);
            targets.push(target);
        }
    }
    Ok(Dataset::new(points, targets)?)
}

fn mean(losses: &[(u32, f64)]) -> f64 {
    losses.iter().map(|(_, loss)| loss).sum::<f64>() / losses.len() as f64
}
