//! All trials in order, and what a model may learn from them.
use crate::error::SearchError;
use crate::forecast::{Forecast, Line};
use crate::trial::{Effort, Outcome, Trial};
use arbora_model::{Dataset, Memory, saturate};
use arbora_space::{Configuration, Encoding, Points, Space};
use std::collections::{BTreeMap, BTreeSet};

/// The note of a memo under which a model's chain travels.
pub(crate) const CHAIN: &str = "chain";

/// The note under which a strategy that knows no conditions keeps where a trial lies, dead coordinates included.
pub(crate) const PLACE: &str = "place";

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

    /// The fully evaluated trial of least loss; the earliest where several tie. In a race over folds, the last trial of
    /// the configuration with the most folds and, among those, the least mean. Never one of a share of an evaluation:
    /// where there is none yet, [`missing`](Self::missing) says why.
    pub fn incumbent(&self) -> Option<&Trial> {
        let complete = self.teaching().filter_map(|t| t.loss().map(|loss| (loss, t)));
        let best = complete.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, t)| t);
        best.or_else(|| self.race_leader())
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

    /// What was observed by full evaluations, as points and losses: see [`observed`](Self::observed). With no loss at
    /// all there is nothing to learn from yet.
    pub fn dataset(&self, space: &Space, encoding: &Encoding) -> Result<Option<Dataset>, SearchError> {
        let observed = self.observed();
        if observed.is_empty() {
            return Ok(None);
        }
        let known: BTreeMap<u64, f64> = observed.iter().map(|(trial, loss)| (trial.number, *loss)).collect();
        let loss = |trial: &Trial| known.get(&trial.number).map(|loss| saturate(*loss));
        Ok(Some(observations(self.teaching(), space, encoding, loss)?))
    }

    /// What models are told about full evaluations, in the order of asking; nothing before the first loss.
    ///
    /// A failed trial counts as the worst loss seen: a place to avoid, at a distance the model can believe. A pruned
    /// one counts as what its curve forecasts, and never as better than the incumbent: the truncated value is not a
    /// loss, and what nobody finished is nobody's record. (Not as the median of the complete ones or worse, either:
    /// close to the optimum most trials are pruned, and a model that took them for mediocre would turn away from it.)
    /// Where too few curves have ended to forecast anything, a pruned trial is left out.
    pub fn observed(&self) -> Vec<(&Trial, f64)> {
        let losses = || self.teaching().filter_map(Trial::loss);
        let (Some(worst), Some(best)) = (losses().reduce(f64::max), losses().reduce(f64::min)) else {
            return Vec::new();
        };
        let forecasts = self.expected_ends();
        let seen = self.teaching().filter_map(|trial| {
            let loss = match trial.outcome.as_ref()? {
                Outcome::Complete { loss, .. } => *loss,
                Outcome::Failed { .. } => worst,
                // What exploded is as bad as what failed.
                Outcome::Pruned { .. } if !trial.curve.last()?.1.is_finite() => worst,
                Outcome::Pruned { .. } => forecasts.get(&trial.number)?.max(best),
                Outcome::Abandoned { .. } => return None,
            };
            Some((trial, loss))
        });
        seen.collect()
    }

    /// Where the curves of pruned trials were going, by number. Those that came furthest first: what they are expected
    /// to end with helps to forecast those that came less far, for the complete ones alone are the best of all.
    fn expected_ends(&self) -> BTreeMap<u64, f64> {
        let mut by_step: BTreeMap<u64, Vec<(&Trial, f64)>> = BTreeMap::new();
        for trial in self.teaching().filter(|trial| trial.is_pruned()) {
            if let Some((step, last)) = trial.curve.last().filter(|(_, last)| last.is_finite()) {
                by_step.entry(step).or_default().push((trial, last));
            }
        }
        let mut ends: Vec<(&Trial, f64)> = self.teaching().filter_map(|t| Some((t, t.loss()?))).collect();
        let mut expected = BTreeMap::new();
        for (step, pruned) in by_step.into_iter().rev() {
            let pairs: Vec<(f64, f64)> =
                ends.iter().filter_map(|(t, end)| Some((t.curve.reaching(step)?, *end))).collect();
            let Some(line) = Line::fit(&pairs) else { continue };
            for (trial, last) in pruned {
                let end = line.expected(last);
                expected.insert(trial.number, end);
                ends.push((trial, end));
            }
        }
        expected
    }

    /// What the pruned trials count as, by number: see [`observed`](Self::observed).
    pub(crate) fn pruned_losses(&self) -> BTreeMap<u64, f64> {
        if !self.trials.iter().any(Trial::is_pruned) {
            return BTreeMap::new();
        }
        let pruned = self.observed().into_iter().filter(|(trial, _)| trial.is_pruned());
        pruned.map(|(trial, loss)| (trial.number, loss)).collect()
    }

    /// How a trial will end, by what its curve says so far: learnt from the complete trials of the same effort. `None`
    /// if it has reported nothing, no finite number, or if too few of those came as far.
    pub fn forecast(&self, trial: &Trial) -> Option<Forecast> {
        let (step, last) = trial.curve.last().filter(|(_, last)| last.is_finite())?;
        Some(self.line(step, trial.effort)?.at(last))
    }

    /// From the loss at a step to the final one.
    fn line(&self, step: u64, effort: Effort) -> Option<Line> {
        let complete = self.trials.iter().filter(|t| t.effort == effort && self.teaches(t));
        let pairs: Vec<(f64, f64)> =
            complete.filter_map(|t| Some((t.curve.reaching(step)?, t.loss()?))).collect();
        Line::fit(&pairs)
    }

    /// Logarithms of the costs of full evaluations, failed ones included; `None` before the first.
    pub fn costs(&self, space: &Space, encoding: &Encoding) -> Result<Option<Dataset>, SearchError> {
        let ln_cost = |trial: &Trial| {
            trial.outcome.as_ref().and_then(Outcome::cost).filter(|c| *c > 0.0).map(libm::log)
        };
        let data = observations(self.teaching(), space, encoding, ln_cost)?;
        Ok((!data.is_empty()).then_some(data))
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
    /// stays but where its trials lie. A completed trial without a label teaches nothing, but its configuration counts as tried; failed and
    /// pending trials stay as they are.
    #[must_use]
    pub fn relabelled(&self, label: impl Fn(&Trial) -> Option<f64>) -> History {
        let mut other =
            History { trials: Vec::with_capacity(self.trials.len()), hidden: self.hidden.clone() };
        let labels: Vec<Option<f64>> = self.trials.iter().map(label).collect();
        for (i, trial) in self.trials.iter().enumerate() {
            let mut trial = Trial { memo: trial.memo.only(PLACE), ..trial.clone() };
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
    pub(crate) fn teaching(&self) -> impl Iterator<Item = &Trial> {
        self.trials.iter().filter(|t| t.effort.is_full() && self.teaches(t))
    }

    /// Is what a trial ended with to be learnt from?
    pub(crate) fn teaches(&self, trial: &Trial) -> bool {
        !self.hidden.contains(&trial.number)
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
        History { trials: self.trials.iter().map(seen).collect(), hidden: self.hidden.clone() }
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

/// Points and what is learnt at each, of the trials that teach something.
fn observations<'t>(
    trials: impl Iterator<Item = &'t Trial>,
    space: &Space,
    encoding: &Encoding,
    target: impl Fn(&Trial) -> Option<f64>,
) -> Result<Dataset, SearchError> {
    let mut points = Points::new(space.layout().width());
    let mut targets = Vec::new();
    let imputed = space.imputed_values(&encoding.imputation);
    for trial in trials {
        if let Some(target) = target(trial) {
            let dense = space.imputed_values_of(&trial.configuration, &encoding.imputation, &imputed);
            space.encode_row(&trial.configuration, &dense, encoding.branching, &mut points);
            targets.push(target);
        }
    }
    Ok(Dataset::new(points, targets)?)
}

fn mean(losses: &[(u32, f64)]) -> f64 {
    losses.iter().map(|(_, loss)| loss).sum::<f64>() / losses.len() as f64
}
