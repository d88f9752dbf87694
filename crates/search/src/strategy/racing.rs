//! A race over the folds of a cross-validation: a challenger earns its folds one batch at a time  [SMAC's intensify,
//! Hutter et al. 2011; with folds as instances in Eggensperger et al. 2013].
//!
//! Before each challenger the incumbent runs one more fold. A challenger runs 1, 2, 4, … of the incumbent's folds; after
//! each batch it is out if its mean over them is worse, and the new incumbent once it has all of them. Comparisons are
//! on common folds only; a failed fold loses. Challengers come from any strategy, which sees one trial per
//! configuration: the mean of its folds.
//!
//! Everything is read off the history, so a study resumes anywhere; while a batch is out with workers, other
//! challengers start. With one fold it is the strategy itself. Not for folds of very unequal difficulty in small
//! numbers: the first fold decides most races.
use super::{Ask, Component, Proposer, Strategy, StrategyContext, StrategySpec, Suggestion};
use crate::error::{SearchError, at_least_one};
use crate::history::History;
use crate::memo::Memo;
use crate::pruner::FoldMean;
use crate::trial::{Effort, Outcome, Trial};
use arbora_space::{Configuration, Rng};
use serde::{Deserialize, Serialize};

/// Marks the fold an incumbent runs before a challenger.
const DEFENCE: &str = "defence";

/// On the same folds the noise of a fold cancels.
const SAME_FOLDS: f64 = 0.0;
/// Whoever is worse is out: the next batch costs twice as much.
const NO_DOUBT: f64 = 0.0;

/// A race over the folds of a cross-validation, as data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RacingSpec {
    /// Where challengers come from.
    pub strategy: StrategySpec,
    /// Folds of a whole evaluation.
    pub folds: u32,
}

impl Component<dyn Strategy> for RacingSpec {
    const KIND: &'static str = "racing";

    fn build(&self, context: StrategyContext<'_>) -> Result<Box<dyn Strategy>, SearchError> {
        at_least_one("folds", self.folds as usize)?;
        Ok(Box::new(Racing { strategy: self.strategy.build_in(context)?, folds: self.folds }))
    }

    fn facts(&self) -> Proposer<'_> {
        Proposer::Other(Box::new(|_, _| &self.strategy))
    }
}

/// A race over folds.
pub struct Racing {
    pub(crate) strategy: Box<dyn Strategy>,
    pub(crate) folds: u32,
}

/// One configuration and its folds.
struct Runner<'h> {
    configuration: &'h Configuration,
    /// Folds with a loss; a failure counts as infinite.
    told: Vec<(u32, f64)>,
    pending: Vec<u32>,
    memo: &'h Memo,
}

impl Runner<'_> {
    fn issued(&self) -> usize {
        self.told.len() + self.pending.len()
    }

    fn has(&self, fold: u32) -> bool {
        self.told.iter().any(|(f, _)| *f == fold) || self.pending.contains(&fold)
    }

    /// Mean over some folds, if all of them are told.
    fn mean_over(&self, folds: &[(u32, f64)]) -> Option<f64> {
        let losses: Option<Vec<f64>> =
            folds.iter().map(|(f, _)| self.told.iter().find(|(own, _)| own == f).map(|(_, l)| *l)).collect();
        losses.filter(|l| !l.is_empty()).map(|l| l.iter().sum::<f64>() / l.len() as f64)
    }

    /// Is its mean worse than the incumbent's on what both have?
    fn is_behind(&self, incumbent: &Runner<'_>) -> bool {
        let common: Vec<(u32, f64)> =
            self.told.iter().copied().filter(|(f, _)| incumbent.told.iter().any(|(i, _)| i == f)).collect();
        match (self.mean_over(&common), incumbent.mean_over(&common)) {
            (Some(own), Some(other)) => {
                let [own, other] = [own, other].map(|mean| FoldMean { mean, folds: common.len() });
                own.is_behind(other, SAME_FOLDS, NO_DOUBT)
            }
            _ => false,
        }
    }
}

fn runners(history: &History) -> Vec<Runner<'_>> {
    let mut all: Vec<Runner<'_>> = Vec::new();
    for trial in history.trials() {
        let Effort::Fold(fold) = trial.effort else { continue };
        if trial.outcome.as_ref().is_some_and(Outcome::is_abandoned) {
            continue;
        }
        let found = all.iter().position(|r| *r.configuration == trial.configuration);
        let at = found.unwrap_or_else(|| {
            let (configuration, memo) = (&trial.configuration, &trial.memo);
            all.push(Runner { configuration, told: Vec::new(), pending: Vec::new(), memo });
            all.len() - 1
        });
        match &trial.outcome {
            None => all[at].pending.push(fold),
            Some(outcome) => all[at].told.push((fold, outcome.loss().unwrap_or(f64::INFINITY))),
        }
    }
    all
}

/// The first runner, or whoever beat it and its successors on all of their folds.
fn leader(runners: &[Runner<'_>]) -> Option<usize> {
    let mut leader = runners.iter().position(|r| !r.told.is_empty())?;
    for (i, runner) in runners.iter().enumerate() {
        let has_all = runners[leader].told.iter().all(|(f, _)| runner.told.iter().any(|(own, _)| own == f));
        if i != leader && has_all && i > leader && !runner.is_behind(&runners[leader]) {
            leader = i;
        }
    }
    Some(leader)
}

/// After 1, 3, 7, … folds a challenger is judged.
fn is_batch_end(folds: usize) -> bool {
    (folds + 1).is_power_of_two()
}

impl Racing {
    /// A fold for a challenger that is still in the race: the next of its batch, or the first of a larger one.
    fn challenge<'h>(
        runners: &'h [Runner<'h>],
        leader: usize,
        rng: &mut Rng,
    ) -> Option<(&'h Configuration, u32)> {
        let incumbent = &runners[leader];
        runners.iter().enumerate().skip(leader + 1).find_map(|(_, runner)| {
            let missing: Vec<u32> =
                incumbent.told.iter().map(|(f, _)| *f).filter(|&f| !runner.has(f)).collect();
            let at_end = is_batch_end(runner.issued());
            let is_out = at_end && runner.pending.is_empty() && runner.is_behind(incumbent);
            let must_wait = at_end && !runner.pending.is_empty();
            if missing.is_empty() || is_out || must_wait {
                return None;
            }
            Some((runner.configuration, missing[rng.below(missing.len())]))
        })
    }

    /// One more fold for the incumbent, unless the last trial was one.
    fn defence(&self, ask: &Ask<'_>, incumbent: &Runner<'_>, rng: &mut Rng) -> Option<u32> {
        let has_just = ask.history.trials().last().is_some_and(|t| t.memo.read::<bool>(DEFENCE).is_some());
        let unseen: Vec<u32> = (0..self.folds).filter(|&f| !incumbent.has(f)).collect();
        (!has_just && !unseen.is_empty()).then(|| unseen[rng.below(unseen.len())])
    }

    /// A new configuration, on a fold the incumbent has run.
    fn enter(
        &self,
        ask: &Ask<'_>,
        runners: &[Runner<'_>],
        leader: Option<usize>,
        rng: &mut Rng,
    ) -> Result<Suggestion, SearchError> {
        let seen = averaged(runners);
        let drawn = self.strategy.suggest(&Ask { history: &seen, ..*ask }, rng)?;
        let fold = match leader {
            Some(i) => runners[i].told[rng.below(runners[i].told.len())].0,
            None => rng.below(self.folds as usize) as u32,
        };
        Ok(Suggestion { effort: Effort::Fold(fold), ..drawn })
    }
}

/// One trial per configuration: the mean of its folds.
fn averaged(runners: &[Runner<'_>]) -> History {
    let mut history = History::new();
    for (number, runner) in (0..).zip(runners) {
        let outcome = runner.mean_over(&runner.told).map(|loss| {
            if loss.is_finite() {
                Outcome::Complete { loss, cost: None }
            } else {
                Outcome::Failed { reason: "a fold failed".into(), cost: None }
            }
        });
        let (configuration, memo) = (runner.configuration.clone(), runner.memo.clone());
        history.push(Trial { outcome, ..Trial::asked(number, configuration, Effort::Full, memo) });
    }
    history
}

impl Strategy for Racing {
    fn suggest(&self, ask: &Ask<'_>, rng: &mut Rng) -> Result<Suggestion, SearchError> {
        let runners = runners(ask.history);
        let leader = leader(&runners);
        if let Some(i) = leader {
            if let Some((configuration, fold)) = Self::challenge(&runners, i, rng) {
                let (configuration, effort) = (configuration.clone(), Effort::Fold(fold));
                return Ok(Suggestion { configuration, effort, memo: Memo::new() });
            }
            if let Some(fold) = self.defence(ask, &runners[i], rng) {
                let (configuration, effort) = (runners[i].configuration.clone(), Effort::Fold(fold));
                return Ok(Suggestion { configuration, effort, memo: Memo::new().with(DEFENCE, &true) });
            }
        }
        self.enter(ask, &runners, leader, rng)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::RandomSearch;
    use crate::study::{Study, StudyOptions};
    use arbora_space::{Param, Space};
    use std::collections::HashSet;

    fn study(seed: u64) -> Study {
        let space = Space::new([Param::real("x", 0.0, 1.0)]).unwrap();
        let strategy =
            StrategySpec::new(RacingSpec { strategy: StrategySpec::new(RandomSearch {}), folds: 5 });
        Study::new(space, StudyOptions { strategy, seed, ..StudyOptions::default() }).unwrap()
    }

    fn run(seed: u64, workers: usize) -> (Study, Vec<(usize, HashSet<u32>)>) {
        let mut study = study(seed);
        let (mut open, mut leaders): (Vec<Trial>, _) = (Vec::new(), Vec::new());
        for _ in 0..200 {
            open.push(study.ask().unwrap());
            if open.len() == workers {
                let trial = open.remove(0);
                let Effort::Fold(fold) = trial.effort else { panic!("folds only") };
                let x = study.value(&trial, "x").and_then(|v| v.as_f64()).unwrap();
                // Folds differ by more than configurations do: only common folds can be compared.
                study.tell(trial.number, (x - 0.6).abs() + f64::from(fold)).unwrap();
            }
            let all = runners(study.history());
            if let Some(i) = leader(&all) {
                leaders.push((i, all[i].told.iter().map(|(f, _)| *f).collect()));
            }
        }
        (study, leaders)
    }

    #[test]
    fn a_fold_is_never_run_twice() {
        for workers in [1, 4] {
            let (study, _) = run(1, workers);
            let mut seen = HashSet::new();
            for trial in study.history().trials() {
                assert!(seen.insert((&trial.configuration, format!("{:?}", trial.effort))));
            }
        }
    }

    #[test]
    fn the_folds_of_the_incumbent_only_grow() {
        let (study, leaders) = run(2, 1);
        for pair in leaders.windows(2) {
            assert!(pair[0].0 <= pair[1].0 && pair[0].1.is_subset(&pair[1].1), "{pair:?}");
        }
        assert_eq!(leaders.last().unwrap().1.len(), 5);
        // Most challengers are out after one fold.
        let all = runners(study.history());
        assert!(all.iter().filter(|r| r.issued() == 1).count() > all.len() / 2);
        let best = study.best().unwrap();
        let x = study.value(best, "x").and_then(|v| v.as_f64()).unwrap();
        assert!((x - 0.6).abs() < 0.05, "{x}");
        // The mean over five folds: their own losses average two.
        assert!((study.best_value().unwrap() - 2.0 - (x - 0.6).abs()).abs() < 1e-9);
    }
}
