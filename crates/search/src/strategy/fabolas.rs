//! Multi-fidelity Bayesian optimisation: how much of which evaluation teaches most per cost?  [Klein et al. 2017;
//! criterion of Huang et al. 2006, as corrected from Jenatton et al. 2017, §5]
//!
//! One Gaussian process over (configuration, share), one over ln cost, then
//!
//! α(x, β) = EI(x, 1) · Corr[f(x, β), f(x, 1)] · cost(x, 1)/cost(x, β):
//!
//! the improvement of the whole evaluation, as far as the part speaks for it, per what it costs. Shares are steps of a
//! ladder, the last the whole; the first trials go round the partial steps with random configurations. Where costs
//! were never told they are taken as proportional to the share. Every earlier trial with a share counts, so a sweep
//! of Hyperband before it warms it up ([`Then`](super::Then)).
//!
//! The share is one more column, compared by the context kernel: losses level off, k·φ(β)ᵀΣφ(β') with φ = (1, (1 − β)²),
//! and the logarithms of costs grow, φ = (1, β)  [Klein et al. 2017; Jenatton et al. 2017, §5]. A fit costs O(n³) per
//! likelihood over all trials of all shares, so a few hundred trials are its end.
mod spec;
mod widened;

use super::{Ask, Strategy, Suggestion};
use crate::acquisition::{Acquisition, ExpectedImprovement, Reference};
use crate::error::SearchError;
use crate::ladder::Ladder;
use crate::memo::Memo;
use crate::trial::{Effort, Outcome, Trial};
use crate::unseen::Taken;
use arbora_model::{Dataset, FitError, JointModel, Memory, Model, Surrogate};
use arbora_space::{Configuration, Points, Rng};
pub use spec::FabolasSpec;
use widened::Widened;

/// Where the notes about the chains are kept.
const LOSS_CHAIN: &str = "fabolas_loss";
const COST_CHAIN: &str = "fabolas_cost";

/// Multi-fidelity search.
pub struct Fabolas {
    pub(crate) widened: Widened,
    pub(crate) loss: Box<dyn Surrogate>,
    pub(crate) cost: Box<dyn Surrogate>,
    pub(crate) ladder: Ladder,
    /// Random trials first.
    pub(crate) initial: usize,
    /// Random configurations that compete.
    pub(crate) candidates: usize,
    /// The best of them by EI, for which every share is weighed.
    pub(crate) finalists: usize,
}

/// The share of an effort; folds are no share.
fn share(effort: Effort) -> Option<f64> {
    match effort {
        Effort::Full => Some(1.0),
        Effort::Share(share) => Some(share),
        Effort::Fold(_) => None,
    }
}

/// Points and targets of the trials that have one.
type Observed<'h> = Vec<(&'h Configuration, f64, f64)>;

fn losses(trials: &[Trial]) -> Observed<'_> {
    let worst = trials.iter().filter_map(Trial::loss).fold(f64::NEG_INFINITY, f64::max);
    let known = trials.iter().filter_map(|t| {
        let loss = match t.outcome.as_ref()? {
            Outcome::Complete { loss, .. } => *loss,
            Outcome::Failed { .. } if worst.is_finite() => worst,
            Outcome::Failed { .. } | Outcome::Pruned { .. } | Outcome::Abandoned { .. } => return None,
        };
        Some((&t.configuration, share(t.effort)?, loss))
    });
    known.collect()
}

fn ln_costs(trials: &[Trial]) -> Observed<'_> {
    let known = trials.iter().filter_map(|t| {
        let cost = t.outcome.as_ref()?.cost().filter(|c| *c > 0.0)?;
        Some((&t.configuration, share(t.effort)?, libm::log(cost)))
    });
    known.collect()
}

impl Fabolas {
    fn fit(
        &self,
        surrogate: &dyn Surrogate,
        observed: &Observed<'_>,
        chain: &str,
        ask: &Ask<'_>,
        rng: &mut Rng,
    ) -> Result<Option<Box<dyn Model>>, SearchError> {
        if observed.is_empty() {
            return Ok(None);
        }
        let points = self.widened.points(ask.space, observed.iter().map(|(c, share, _)| (*c, *share)))?;
        let data = Dataset::new(points, observed.iter().map(|(_, _, y)| *y).collect())?;
        let last: Option<Memory> = ask.history.trials().iter().rev().find_map(|t| t.memo.read(chain));
        match surrogate.fit_until(&data, last.as_ref(), rng, ask.interrupt) {
            Ok(model) => Ok(Some(model)),
            Err(FitError::NotPositiveDefinite { .. }) => Ok(None),
            Err(other) => Err(other.into()),
        }
    }

    /// A random configuration on the next partial step.
    fn explore(&self, ask: &Ask<'_>, rng: &mut Rng) -> Result<Suggestion, SearchError> {
        let configuration = Taken::draw_one(ask.history, ask.repeats, ask.space, rng)?;
        let top = self.ladder.top();
        let below = if top == 0 { 0 } else { top - (ask.history.len() as u32 % top) };
        Ok(Suggestion { configuration, effort: self.ladder.effort(below), memo: Memo::new() })
    }

    /// What improvements are measured against: the least expected loss of a whole evaluation at what was tried.
    fn reference(
        &self,
        ask: &Ask<'_>,
        model: &dyn Model,
        observed: &Observed<'_>,
    ) -> Result<Reference, SearchError> {
        let whole = self.widened.points(ask.space, observed.iter().map(|(c, ..)| (*c, 1.0)))?;
        let best = model.predict(&whole).mixture_mean().into_iter().fold(f64::INFINITY, f64::min);
        let n = observed.len() as f64;
        let mean = observed.iter().map(|o| o.2 / n).sum::<f64>();
        let spread = (observed.iter().map(|o| (o.2 - mean).powi(2) / n).sum::<f64>()).sqrt();
        Ok(Reference { best, spread: if spread > 0.0 { spread } else { 1.0 }, observed: observed.len() })
    }

    /// Random configurations and those tried, best expected improvement first.
    fn finalists(
        &self,
        ask: &Ask<'_>,
        model: &dyn Model,
        reference: &Reference,
        rng: &mut Rng,
    ) -> Result<Vec<(Configuration, f64)>, SearchError> {
        let mut all: Vec<Configuration> =
            (0..self.candidates).map(|_| ask.space.sample(rng)).collect::<Result<_, _>>()?;
        let tried = ask.history.trials().iter().map(|t| t.configuration.clone());
        all.extend(tried);
        all.sort();
        all.dedup();
        let whole = self.widened.points(ask.space, all.iter().map(|c| (c, 1.0)))?;
        let scores = ExpectedImprovement::default().over(model, reference, rng)?.score(&whole);
        let mut ranked: Vec<(Configuration, f64)> = all.into_iter().zip(scores).collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
        ranked.truncate(self.finalists);
        Ok(ranked)
    }

    /// The configuration and effort of greatest α among those not tried; nothing if all were.
    fn best_of(
        &self,
        ask: &Ask<'_>,
        finalists: Vec<(Configuration, f64)>,
        (model, cost): (&dyn Model, Option<&dyn Model>),
    ) -> Result<Option<(Configuration, Effort)>, SearchError> {
        let joint = model.joint().expect("a Gaussian process has joint predictions");
        let draws = model.predict(&Points::new(self.widened.width())).draws();
        let efforts: Vec<Effort> = (0..=self.ladder.top()).map(|below| self.ladder.effort(below)).collect();
        let shares: Vec<f64> = efforts.iter().filter_map(|e| share(*e)).collect();
        let mut best: Option<(f64, Configuration, Effort)> = None;
        for (configuration, wish) in finalists {
            let ladder = self.widened.points(ask.space, shares.iter().map(|s| (&configuration, *s)))?;
            let alike = correlations(joint, draws, &ladder);
            let prices = prices(cost, &ladder, &shares);
            for (i, &effort) in efforts.iter().enumerate() {
                let score = wish + libm::log(alike[i]) - prices[i];
                if best.as_ref().is_none_or(|(most, ..)| score > *most)
                    && is_open(ask, &configuration, effort)
                {
                    best = Some((score, configuration.clone(), effort));
                }
            }
        }
        Ok(best.map(|(_, configuration, effort)| (configuration, effort)))
    }
}

/// May a configuration be evaluated with this effort?
fn is_open(ask: &Ask<'_>, configuration: &Configuration, effort: Effort) -> bool {
    let mut same =
        ask.history.trials().iter().filter(|t| t.configuration == *configuration && t.effort == effort);
    ask.repeats || same.all(|t| t.outcome.as_ref().is_some_and(Outcome::is_abandoned))
}

/// ln cost of every share of one configuration, relative to the whole, which comes first.
fn prices(cost: Option<&dyn Model>, ladder: &Points, shares: &[f64]) -> Vec<f64> {
    match cost {
        Some(model) => {
            let said = model.predict(ladder).mixture_mean();
            said.iter().map(|ln| ln - said[0]).collect()
        }
        None => shares.iter().map(|share| libm::log(*share)).collect(),
    }
}

/// Corr[f(x, β), f(x, 1)] for every row, the first being the whole; the mean over draws of θ.
fn correlations(joint: &dyn JointModel, draws: usize, ladder: &Points) -> Vec<f64> {
    let mut mean = vec![0.0; ladder.len()];
    for draw in 0..draws {
        let covariance = joint.covariance(draw, ladder);
        for (i, correlation) in mean.iter_mut().enumerate() {
            let scale = (covariance.at(i, i) * covariance.at(0, 0)).sqrt();
            let own = if scale > 0.0 { covariance.at(i, 0) / scale } else { f64::from(u8::from(i == 0)) };
            *correlation += own.clamp(0.0, 1.0) / draws as f64;
        }
    }
    mean
}

impl Strategy for Fabolas {
    fn suggest(&self, ask: &Ask<'_>, rng: &mut Rng) -> Result<Suggestion, SearchError> {
        let observed = losses(ask.history.trials());
        if ask.history.len() < self.initial || observed.iter().all(|o| !o.2.is_finite()) {
            return self.explore(ask, rng);
        }
        let Some(model) = self.fit(self.loss.as_ref(), &observed, LOSS_CHAIN, ask, rng)? else {
            return self.explore(ask, rng);
        };
        let costs = ln_costs(ask.history.trials());
        let cost = self.fit(self.cost.as_ref(), &costs, COST_CHAIN, ask, rng)?;
        let reference = self.reference(ask, model.as_ref(), &observed)?;
        let finalists = self.finalists(ask, model.as_ref(), &reference, rng)?;
        let found = self.best_of(ask, finalists, (model.as_ref(), cost.as_deref()))?;
        let Some((configuration, effort)) = found else { return self.explore(ask, rng) };
        let mut memo = Memo::new();
        for (chain, memory) in
            [(LOSS_CHAIN, model.memory()), (COST_CHAIN, cost.as_deref().and_then(Model::memory))]
        {
            if let Some(memory) = memory {
                memo = memo.with(chain, memory);
            }
        }
        Ok(Suggestion { configuration, effort, memo })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::StrategySpec;
    use crate::study::{Report, Study, StudyOptions};
    use arbora_space::{Param, Space};

    #[test]
    fn it_learns_from_cheap_parts_and_ends_on_the_whole() {
        let space = Space::new([Param::real("x", 0.0, 1.0), Param::choice("c", ["a", "b"])]).unwrap();
        let strategy = StrategySpec::from_json(
            r#"{"kind":"fabolas","smallest":0.0625,"eta":4,"initial":6,"infer":{"kind":"map"},"candidates":100}"#,
        );
        let options = StudyOptions { strategy: strategy.unwrap(), seed: 3, ..StudyOptions::default() };
        let mut study = Study::new(space, options).unwrap();
        let (mut spent, mut efforts) = (0.0, Vec::new());
        for _ in 0..30 {
            let trial = study.ask().unwrap();
            let x = study.value(&trial, "x").and_then(|v| v.as_f64()).unwrap();
            let is_b = study.value(&trial, "c").unwrap().as_str() == Some("b");
            let part = share(trial.effort).unwrap();
            let loss = (x - 0.3).powi(2) + 0.3 * f64::from(u8::from(is_b)) + 0.5 * (1.0 - part).powi(2);
            study.tell_with_cost(trial.number, Report::Value(loss), Some(part)).unwrap();
            spent += part;
            efforts.push(trial.effort);
        }
        assert!(efforts[..6].iter().all(|e| !e.is_full()));
        assert!(efforts.iter().any(Effort::is_full), "the whole is never tried");
        assert!(spent < 20.0, "{spent} whole evaluations");
        assert!(study.best_value().unwrap() < 0.02, "{:?}", study.best_value());
    }
}
