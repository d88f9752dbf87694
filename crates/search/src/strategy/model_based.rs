//! Bayesian optimisation: a design first, then model, utility, candidate  [Lévesque et al. 2017, algorithm 1].
mod spec;

use super::{Ask, Strategy, Suggestion};
use crate::acquisition::{Acquisition, ExpectedCost, PerCost, PriorWeighted, Reference};
use crate::design::Design;
use crate::error::SearchError;
use crate::history::CHAIN;
use crate::maximize::{Maximizer, Region};
use crate::memo::Memo;
use crate::unseen::Taken;
use arbora_model::{Dataset, FitError, Memory, Model, PendingOutcomes, Surrogate};
use arbora_space::{Configuration, Encoding, Points, Rng};
use serde::{Deserialize, Serialize};
pub use spec::{CostSpec, ModelSpec};

/// Where the note about the chain of the model of costs is kept.
const COST_CHAIN: &str = "cost_chain";

/// What is assumed of evaluations that are still running.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Pending {
    /// Outcomes drawn from the posterior, the utility averaged over them  [Snoek et al. 2012].
    Fantasies {
        /// How many.
        count: usize,
    },
    /// Every draw of θ has an outcome of its own, drawn from what it predicts: fantasies at the price of one.
    OnePerDraw,
    /// The posterior mean comes true  (kriging believer).
    Believer,
    /// The outcome is the least, mean or greatest loss so far  (constant liar).
    LeastLoss,
    /// The mean of the losses so far.
    MeanLoss,
    /// The greatest loss so far.
    GreatestLoss,
}

impl Default for Pending {
    fn default() -> Self {
        Pending::Fantasies { count: 100 }
    }
}

/// What improvements are measured against.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Incumbent {
    /// The least loss observed  (the papers).
    #[default]
    LeastLoss,
    /// The least posterior mean at an observed point: better under noise.
    LeastMean,
}

/// A design, then a surrogate, an acquisition and a maximizer.
pub struct ModelBased {
    pub(crate) design: Box<dyn Design>,
    pub(crate) surrogate: Box<dyn Surrogate>,
    pub(crate) acquisition: Box<dyn Acquisition>,
    pub(crate) maximizer: Box<dyn Maximizer>,
    pub(crate) encoding: Encoding,
    pub(crate) pending: Pending,
    pub(crate) incumbent: Incumbent,
    /// A model of ln cost to divide wishes by.
    pub(crate) cost: Option<(Box<dyn Surrogate>, ExpectedCost)>,
    /// β: how strongly, and how long, the priors of the space weigh.
    pub(crate) prior_weight: f64,
}

impl Strategy for ModelBased {
    fn suggest(&self, ask: &Ask<'_>, rng: &mut Rng) -> Result<Suggestion, SearchError> {
        let taken = Taken::of(ask.history, ask.repeats);
        if let Some(planned) = self.design.point(ask.space, ask.history.len(), ask.seed)? {
            let configuration =
                if taken.contains(&planned) { taken.draw_unseen(ask.space, rng)? } else { planned };
            return Ok(Suggestion::full(configuration, remembered(ask)));
        }
        let Some(data) = ask.history.dataset(ask.space, &self.encoding)? else {
            return Ok(Suggestion::full(taken.draw_unseen(ask.space, rng)?, remembered(ask)));
        };
        self.suggest_by_model(ask, &data, &taken, rng)
    }
}

impl ModelBased {
    fn suggest_by_model(
        &self,
        ask: &Ask<'_>,
        data: &Dataset,
        taken: &Taken<'_>,
        rng: &mut Rng,
    ) -> Result<Suggestion, SearchError> {
        let chain = ask.history.chain();
        let model = match self.surrogate.fit_until(data, chain.as_ref(), rng, ask.interrupt) {
            Ok(model) => model,
            // A matrix that no jitter mends is no reason to stop a study: draw, and say so in the memo.
            Err(trouble @ FitError::NotPositiveDefinite { .. }) => {
                let memo = remembered(ask).with("fell_back_to_random", &trouble.to_string());
                return Ok(Suggestion::full(taken.draw_unseen(ask.space, rng)?, memo));
            }
            Err(other) => return Err(other.into()),
        };
        let memo = match model.memory() {
            Some(memory) => Memo::new().with(CHAIN, &memory),
            None => Memo::new(),
        };
        let reference = self.reference(model.as_ref(), data);
        let fantasized = self.fantasize(ask, model.as_ref(), data, rng)?;
        let believed = fantasized.as_deref().unwrap_or(model.as_ref());
        let (cost, memo) = self.fit_cost(ask, memo, rng)?;
        let mut wish = self.acquisition.over(believed, &reference, rng)?;
        if let (Some(cost), Some((_, expected))) = (cost.as_deref(), &self.cost) {
            wish = Box::new(PerCost { wish, cost, expected: *expected });
        }
        if self.prior_weight > 0.0 {
            let power = self.prior_weight / ask.history.len().max(1) as f64;
            wish = Box::new(PriorWeighted { wish, space: ask.space, power });
        }
        let best_first = ranked_by_loss(ask);
        let region = Region {
            space: ask.space,
            encoding: &self.encoding,
            taken,
            visited: &best_first,
            interrupt: ask.interrupt,
        };
        let candidates = self.maximizer.maximize(wish.as_ref(), &region, rng)?;
        let fresh = candidates.into_iter().map(|c| c.configuration).find(|c| !taken.contains(c));
        let configuration = match fresh {
            Some(configuration) => configuration,
            None => taken.draw_unseen(ask.space, rng)?,
        };
        Ok(Suggestion::full(configuration, memo))
    }

    /// A model of ln cost, once costs were told, and the memo with its chain. One that cannot be fitted is done
    /// without: costs only rank wishes.
    fn fit_cost(
        &self,
        ask: &Ask<'_>,
        memo: Memo,
        rng: &mut Rng,
    ) -> Result<(Option<Box<dyn Model>>, Memo), SearchError> {
        let Some((surrogate, _)) = &self.cost else { return Ok((None, memo)) };
        let Some(data) = ask.history.costs(ask.space, &self.encoding)? else { return Ok((None, memo)) };
        let last: Option<Memory> = ask.history.trials().iter().rev().find_map(|t| t.memo.read(COST_CHAIN));
        match surrogate.fit_until(&data, last.as_ref(), rng, ask.interrupt) {
            Ok(model) => {
                let memo = model.memory().map(|memory| memo.clone().with(COST_CHAIN, memory)).unwrap_or(memo);
                Ok((Some(model), memo))
            }
            Err(FitError::NotPositiveDefinite { .. }) => Ok((None, memo)),
            Err(other) => Err(other.into()),
        }
    }

    fn reference(&self, model: &dyn Model, data: &Dataset) -> Reference {
        let least = data.losses().iter().copied().fold(f64::INFINITY, f64::min);
        let best = match self.incumbent {
            Incumbent::LeastLoss => least,
            Incumbent::LeastMean => {
                model.predict(data.points()).mixture_mean().into_iter().fold(f64::INFINITY, f64::min)
            }
        };
        Reference { best, spread: spread(data.losses()), observed: data.losses().len() }
    }

    fn fantasize(
        &self,
        ask: &Ask<'_>,
        model: &dyn Model,
        data: &Dataset,
        rng: &mut Rng,
    ) -> Result<Option<Box<dyn Model>>, SearchError> {
        let running = ask.history.pending_configurations();
        let (false, Some(joint)) = (running.is_empty(), model.joint()) else { return Ok(None) };
        let points: Points = ask.space.encode(running, &self.encoding);
        let losses = data.losses();
        let how = match self.pending {
            Pending::Fantasies { count } => PendingOutcomes::Fantasies { count },
            Pending::OnePerDraw => PendingOutcomes::OnePerDraw,
            Pending::Believer => PendingOutcomes::Believer,
            Pending::LeastLoss => PendingOutcomes::Liar(losses.iter().copied().fold(f64::INFINITY, f64::min)),
            Pending::MeanLoss => PendingOutcomes::Liar(losses.iter().sum::<f64>() / losses.len() as f64),
            Pending::GreatestLoss => {
                PendingOutcomes::Liar(losses.iter().copied().fold(f64::NEG_INFINITY, f64::max))
            }
        };
        Ok(Some(joint.fantasize(&points, &how, rng)?))
    }
}

/// The standard deviation, scaled while it is computed so that squares of tiny losses survive.
fn spread(losses: &[f64]) -> f64 {
    let n = losses.len() as f64;
    let mean = losses.iter().map(|y| y / n).sum::<f64>();
    let widest = losses.iter().map(|y| (y - mean).abs()).fold(0.0, f64::max);
    if widest == 0.0 {
        return 1.0;
    }
    widest * (losses.iter().map(|y| ((y - mean) / widest).powi(2)).sum::<f64>() / n).sqrt()
}

/// The chain's state travels from trial to trial, also through those that did not move it.
fn remembered(ask: &Ask<'_>) -> Memo {
    ask.history.chain().map_or_else(Memo::new, |memory| Memo::new().with(CHAIN, &memory))
}

/// Evaluated configurations, best first: starts for local searches.
fn ranked_by_loss<'a>(ask: &Ask<'a>) -> Vec<&'a Configuration> {
    let mut complete: Vec<(f64, &Configuration)> =
        ask.history.trials().iter().filter_map(|t| Some((t.loss()?, &t.configuration))).collect();
    complete.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut seen = std::collections::HashSet::new();
    complete.into_iter().map(|(_, c)| c).filter(|c| seen.insert(*c)).collect()
}
