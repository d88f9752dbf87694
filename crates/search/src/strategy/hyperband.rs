//! Hyperband  [Li et al. 2018]: many configurations on little, the best of them on more, in several brackets.
//!
//! R = 1/smallest, s_max = ⌊log_η R⌋; for s = s_max … 0: n = ⌈(s_max+1)·η^s/(s+1)⌉ configurations on a share η^{−s},
//! then the best ⌊nᵢ/η⌋ on η times as much, up to full evaluations; then from the first bracket again. Ties go to the
//! earlier trial, failures come last.
//!
//! New configurations come from any strategy. Random draws make Hyperband, [`Tpe`](super::Tpe), which ranks efforts
//! itself, makes BOHB [Falkner et al. 2018]; a strategy that knows full evaluations only can be shown the trials of the
//! greatest effort with enough losses.
//!
//! Brackets are read off the history by (bracket, rung), so a study resumes anywhere. Where a rung waits for losses
//! the next bracket begins, so workers are kept busy. A sweep costs about (s_max+1)² full evaluations. Not for
//! objectives whose ranking at a small share says nothing about the whole.
use super::{Ask, Component, Proposer, RandomSearch, Strategy, StrategyContext, StrategySpec, Suggestion};
use crate::error::SearchError;
use crate::history::History;
use crate::ladder::{Ladder, ranked};
use crate::memo::Memo;
use crate::trial::{Effort, Outcome, Trial};
use arbora_space::Rng;
use serde::{Deserialize, Serialize};

/// Where the note about a trial's bracket is kept.
const BRACKET: &str = "bracket";

/// Brackets of successive halving over another strategy, as data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HyperbandSpec {
    /// Where new configurations come from.
    pub strategy: StrategySpec,
    /// η: one in so many goes on, with so many times the effort.
    pub eta: f64,
    /// The least share of an evaluation.
    pub smallest: f64,
    /// The strategy is shown the greatest effort with at least this many losses as if it were full.
    pub least: Option<usize>,
}

impl Default for HyperbandSpec {
    fn default() -> Self {
        let strategy = StrategySpec::new(RandomSearch {});
        Self { strategy, eta: 3.0, smallest: 1.0 / 27.0, least: None }
    }
}

impl Component<dyn Strategy> for HyperbandSpec {
    const KIND: &'static str = "hyperband";

    fn build(&self, context: StrategyContext<'_>) -> Result<Box<dyn Strategy>, SearchError> {
        let ladder = Ladder { eta: self.eta, smallest: self.smallest };
        ladder.check()?;
        let strategy = self.strategy.build_in(context)?;
        Ok(Box::new(Hyperband { strategy, ladder, least: self.least }))
    }

    fn facts(&self) -> Proposer<'_> {
        Proposer::Other(Box::new(|_, _| &self.strategy))
    }
}

/// Brackets of successive halving over another strategy.
pub struct Hyperband {
    pub(crate) strategy: Box<dyn Strategy>,
    pub(crate) ladder: Ladder,
    /// The strategy is shown the greatest effort with at least this many losses as if it were full.
    pub(crate) least: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Place {
    /// Counts brackets from the first of the study.
    bracket: u64,
    rung: u32,
}

/// What to do next.
enum Step<'h> {
    Start { place: Place, below: u32 },
    Promote { place: Place, below: u32, trial: &'h Trial },
}

impl Hyperband {
    /// The first thing to do, bracket by bracket.
    fn next<'h>(&self, history: &'h History) -> Step<'h> {
        let placed: Vec<(Place, &Trial)> = history
            .trials()
            .iter()
            .filter(|t| !t.outcome.as_ref().is_some_and(Outcome::is_abandoned))
            .filter_map(|t| Some((t.memo.read(BRACKET)?, t)))
            .collect();
        let mut bracket = 0;
        loop {
            if let Some(step) = self.next_in(bracket, &placed) {
                return step;
            }
            bracket += 1;
        }
    }

    /// What a bracket can do now; nothing while it waits or when it is done.
    fn next_in<'h>(&self, bracket: u64, placed: &[(Place, &'h Trial)]) -> Option<Step<'h>> {
        let top = self.ladder.top();
        let s = top - (bracket % u64::from(top + 1)) as u32;
        let of = |rung: u32| {
            let place = Place { bracket, rung };
            placed.iter().filter(move |(at, _)| *at == place).map(|(_, t)| *t).collect::<Vec<&Trial>>()
        };
        let mut size = self.ladder.width(s);
        let mut here = of(0);
        if here.len() < size {
            return Some(Step::Start { place: Place { bracket, rung: 0 }, below: s });
        }
        for rung in 1..=s {
            if here.iter().any(|t| t.is_pending()) {
                return None;
            }
            size = self.ladder.kept(size);
            let above = of(rung);
            if above.len() < size {
                let is_promoted = |t: &Trial| above.iter().any(|a| a.configuration == t.configuration);
                let trial = ranked(&here).into_iter().take(size).find(|t| !is_promoted(t))?;
                return Some(Step::Promote { place: Place { bracket, rung }, below: s - rung, trial });
            }
            here = above;
        }
        None
    }

    /// The greatest effort with enough losses.
    fn shown(&self, history: &History, least: usize) -> Effort {
        let count = |effort: Effort| {
            history.trials().iter().filter(|t| t.effort == effort && t.loss().is_some()).count()
        };
        let mut efforts = (0..=self.ladder.top()).map(|below| self.ladder.effort(below));
        efforts.find(|&effort| count(effort) >= least).unwrap_or(Effort::Full)
    }
}

impl Strategy for Hyperband {
    fn suggest(&self, ask: &Ask<'_>, rng: &mut Rng) -> Result<Suggestion, SearchError> {
        match self.next(ask.history) {
            Step::Promote { place, below, trial } => Ok(Suggestion {
                configuration: trial.configuration.clone(),
                effort: self.ladder.effort(below),
                memo: Memo::new().with(BRACKET, &place),
            }),
            Step::Start { place, below } => {
                let seen = self.least.map(|least| ask.history.seen_at(self.shown(ask.history, least)));
                let history = seen.as_ref().unwrap_or(ask.history);
                let drawn = self.strategy.suggest(&Ask { history, ..*ask }, rng)?;
                let (effort, memo) = (self.ladder.effort(below), drawn.memo.with(BRACKET, &place));
                Ok(Suggestion { effort, memo, ..drawn })
            }
        }
    }
}

#[cfg(test)]
mod tests;
