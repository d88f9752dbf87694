//! Tree-structured Parzen estimator  [Bergstra et al. 2011, 2013; hyperopt].
//!
//! Trials are split at the best n_b; for every parameter l is the density of its values in the good trials in which
//! it was active, g in the others. Candidates are drawn from l, and every parameter takes the draw of greatest
//! ln l − ln g, as in hyperopt: EI ∝ (γ + (1−γ)·g/l)⁻¹. Since the densities are products, that is the best of all
//! combinations of the draws, 24^D of them. `joint` weighs whole configurations, each drawn at once, and so finds the
//! best of 24 only: on a bowl in two dimensions its suggestions lie a third further from the optimum. Running trials count as bad, so that workers spread. Of trials
//! with different efforts those that got further are better: who was not promoted is bad. Judged by the losses of
//! one effort alone, the survivors would be split among themselves and their neighbourhood avoided.
//!
//! The priors of the space enter as a component of both densities. O(n·D) a suggestion. Parameters are taken as
//! independent given the branch: where two must fit together, a Gaussian process sees more.
mod node;

use super::{Ask, Component, Strategy, StrategyContext, Suggestion};
use crate::error::SearchError;
use crate::history::History;
use crate::memo::Memo;
use crate::trial::{Effort, Outcome};
use crate::unseen::Taken;
use arbora_space::{Configuration, Rng, Space};
use node::Node;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::collections::HashMap;

/// Rounds of candidates before a random configuration stands in for those that are taken or forbidden.
const ROUNDS: usize = 10;

/// How many of n trials are good.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Good {
    /// min(⌈¼√n⌉, 25), as hyperopt does.
    #[default]
    SquareRoot,
    /// ⌈γn⌉; Bergstra et al. 2011 take γ = 0.15.
    Quantile(f64),
}

impl Good {
    fn count(self, trials: usize) -> usize {
        let count = match self {
            Good::SquareRoot => (0.25 * (trials as f64).sqrt()).ceil().min(25.0),
            Good::Quantile(share) => (share * trials as f64).ceil(),
        };
        (count as usize).clamp(1, trials.max(1))
    }
}

/// The estimator's settings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tpe {
    /// Random trials first.
    pub startup: usize,
    /// Draws from l.
    pub candidates: usize,
    /// How many trials are good.
    pub good: Good,
    /// Weigh whole configurations rather than one parameter at a time?
    pub joint: bool,
}

impl Default for Tpe {
    fn default() -> Self {
        Self { startup: 20, candidates: 24, good: Good::SquareRoot, joint: false }
    }
}

impl Component<dyn Strategy> for Tpe {
    const KIND: &'static str = "tpe";

    fn build(&self, _context: StrategyContext<'_>) -> Result<Box<dyn Strategy>, SearchError> {
        self.check()?;
        Ok(Box::new(*self))
    }
}

impl Tpe {
    fn check(&self) -> Result<(), SearchError> {
        if self.candidates == 0 {
            let problem = "at least one is needed";
            return Err(SearchError::BadSetting { setting: "candidates", value: "0".into(), problem });
        }
        match self.good {
            Good::Quantile(share) if !(share > 0.0 && share < 1.0) => {
                let problem = "a quantile is between 0 and 1";
                Err(SearchError::BadSetting { setting: "good", value: share.to_string(), problem })
            }
            _ => Ok(()),
        }
    }

    /// Good and bad configurations, each in the order of asking.
    fn split<'h>(&self, history: &'h History) -> (Vec<&'h Configuration>, Vec<&'h Configuration>) {
        let known = standings(history);
        let mut order: Vec<usize> = (0..known.len()).collect();
        order.sort_by(|&a, &b| known[a].1.compare(&known[b].1));
        let told = known.iter().filter(|(_, standing)| standing.loss.is_finite()).count();
        let mut is_good = vec![false; known.len()];
        order.iter().take(self.good.count(told)).for_each(|&i| is_good[i] = true);
        let of = |good: bool| {
            known.iter().zip(&is_good).filter(|(_, is)| **is == good).map(|((c, _), _)| *c).collect()
        };
        (of(true), of(false))
    }

    /// Codes of one candidate in every column.
    fn draw(&self, nodes: &[Node<'_>], rng: &mut Rng) -> Vec<f64> {
        let best_of = |node: &Node<'_>, rng: &mut Rng| {
            let draws: Vec<f64> = (0..self.candidates).map(|_| node.draw(rng)).collect();
            let by_score = |a: &&f64, b: &&f64| node.score(**b).total_cmp(&node.score(**a));
            *draws.iter().min_by(by_score).expect("at least one candidate")
        };
        nodes.iter().map(|node| if self.joint { node.draw(rng) } else { best_of(node, rng) }).collect()
    }

    /// The best candidate that may be proposed.
    fn propose(
        &self,
        space: &Space,
        nodes: &[Node<'_>],
        taken: &Taken<'_>,
        rng: &mut Rng,
    ) -> Option<Configuration> {
        for _ in 0..ROUNDS {
            let count = if self.joint { self.candidates } else { 1 };
            let mut best: Option<(f64, Configuration)> = None;
            for _ in 0..count {
                let codes = self.draw(nodes, rng);
                let drawn = space.decode_dense(&codes);
                let is_fresh = space.violated(&drawn).is_none() && !taken.contains(&drawn);
                let score: f64 = drawn.iter().map(|(id, _)| nodes[id.index()].score(codes[id.index()])).sum();
                if is_fresh && best.as_ref().is_none_or(|(most, _)| score > *most) {
                    best = Some((score, drawn));
                }
            }
            if let Some((_, configuration)) = best {
                return Some(configuration);
            }
        }
        None
    }
}

/// How a configuration did: what got further is better, then what lost less; the rest did not end well or has not
/// ended.
#[derive(Clone, Copy)]
struct Standing {
    share: f64,
    loss: f64,
}

impl Standing {
    fn compare(&self, other: &Self) -> Ordering {
        let ended = |s: &Self| s.loss.is_finite();
        ended(other)
            .cmp(&ended(self))
            .then(other.share.total_cmp(&self.share))
            .then(self.loss.total_cmp(&other.loss))
    }
}

/// Every configuration once, as it did with the greatest effort, in the order of first asking.
fn standings(history: &History) -> Vec<(&Configuration, Standing)> {
    let mut known: Vec<(&Configuration, Standing)> = Vec::new();
    let mut places: HashMap<&Configuration, usize> = HashMap::new();
    let teaching = history.trials().iter().filter(|t| history.teaches(t));
    // A pruned trial stands where its curve was going, a failed one last.
    let forecasts = history.pruned_losses();
    for trial in teaching.filter(|t| !t.outcome.as_ref().is_some_and(Outcome::is_abandoned)) {
        let share = match trial.effort {
            Effort::Full => 1.0,
            Effort::Share(share) => share,
            Effort::Fold(_) => 0.0,
        };
        let forecast = forecasts.get(&trial.number).copied();
        let standing = Standing { share, loss: trial.loss().or(forecast).unwrap_or(f64::INFINITY) };
        match places.get(&trial.configuration) {
            Some(&at) if standing.compare(&known[at].1).is_lt() => known[at].1 = standing,
            Some(_) => {}
            None => {
                places.insert(&trial.configuration, known.len());
                known.push((&trial.configuration, standing));
            }
        }
    }
    known
}

impl Strategy for Tpe {
    fn suggest(&self, ask: &Ask<'_>, rng: &mut Rng) -> Result<Suggestion, SearchError> {
        let taken = Taken::of(ask.history, ask.repeats);
        let teaching = ask.history.trials().iter().filter(|t| ask.history.teaches(t));
        let told = teaching.filter(|t| t.loss().is_some()).count();
        let mut proposed = None;
        if told >= self.startup.max(1) {
            let (good, bad) = self.split(ask.history);
            let nodes: Vec<Node<'_>> =
                ask.space.ids().map(|id| Node::new(ask.space.parameter(id), id, &good, &bad)).collect();
            proposed = self.propose(ask.space, &nodes, &taken, rng);
        }
        let configuration = match proposed {
            Some(configuration) => configuration,
            None => taken.draw_unseen(ask.space, rng)?,
        };
        Ok(Suggestion::full(configuration, Memo::new()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::{RandomSearch, StrategySpec};
    use crate::study::{Study, StudyOptions};
    use arbora_space::Param;

    #[test]
    fn the_best_are_good_and_the_rest_bad() {
        assert_eq!([1, 16, 17, 100, 40_000].map(|n| Good::SquareRoot.count(n)), [1, 1, 2, 3, 25]);
        assert_eq!([1, 10, 100].map(|n| Good::Quantile(0.15).count(n)), [1, 2, 15]);
    }

    #[test]
    fn it_beats_chance_in_a_conditional_space() {
        for joint in [true, false] {
            let (mut sum, mut chance) = (0.0, 0.0);
            for seed in 0..8 {
                sum += best(StrategySpec::new(Tpe { joint, ..Tpe::default() }), seed);
                chance += best(StrategySpec::new(RandomSearch {}), seed);
            }
            assert!(sum < 0.5 * chance, "joint {joint}: {sum} against {chance}");
        }
    }

    fn best(strategy: StrategySpec, seed: u64) -> f64 {
        let space = Space::new([
            Param::choice("m", ["a", "b", "c"]),
            Param::real("x", 0.0, 1.0).when("m == 'a'"),
            Param::real("y", 1e-3, 1e3).log().when("m == 'a'"),
            Param::integer("k", 1, 30).when("m != 'a'"),
        ])
        .unwrap();
        let mut study =
            Study::new(space, StudyOptions { strategy, seed, ..StudyOptions::default() }).unwrap();
        for _ in 0..80 {
            let trial = study.ask().unwrap();
            let value = |name| study.value(&trial, name).and_then(|v| v.as_f64());
            let loss = match (value("x"), value("y"), value("k")) {
                (Some(x), Some(y), _) => (x - 0.3).powi(2) + (y.log10() / 6.0 - 0.2).powi(2),
                (_, _, k) => 0.2 + (k.unwrap() / 30.0 - 0.5).powi(2),
            };
            study.tell(trial.number, loss).unwrap();
        }
        study.best_value().unwrap()
    }
}
