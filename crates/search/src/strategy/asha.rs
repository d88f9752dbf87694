//! Asynchronous successive halving  [ASHA, Li et al. 2020]: promote whenever something deserves it, never wait.
//!
//! Rungs have shares smallest·η^k. From the highest rung down: if one of the best ⌊n_k/η⌋ losses of a rung has not gone
//! on, it goes on; if no rung has one, a new configuration starts at the bottom. Everything is read off the history
//! by (configuration, effort), so a study resumes anywhere. Early promotions may be mistakes that a synchronous
//! bracket would not make; with many workers the time saved is worth more.
use super::{Ask, Component, Proposer, RandomSearch, Strategy, StrategyContext, StrategySpec, Suggestion};
use crate::error::SearchError;
use crate::history::History;
use crate::ladder::{Ladder, ranked};
use crate::memo::Memo;
use crate::trial::{Effort, Outcome, Trial};
use arbora_space::Rng;
use serde::{Deserialize, Serialize};

/// Asynchronous successive halving over another strategy, as data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AshaSpec {
    /// Where new configurations come from.
    pub strategy: StrategySpec,
    /// η: one in so many goes on, with so many times the effort.
    pub eta: f64,
    /// The least share of an evaluation.
    pub smallest: f64,
}

impl Default for AshaSpec {
    fn default() -> Self {
        Self { strategy: StrategySpec::new(RandomSearch {}), eta: 4.0, smallest: 1.0 / 64.0 }
    }
}

impl Component<dyn Strategy> for AshaSpec {
    const KIND: &'static str = "asha";

    fn build(&self, context: StrategyContext<'_>) -> Result<Box<dyn Strategy>, SearchError> {
        let ladder = Ladder { eta: self.eta, smallest: self.smallest };
        ladder.check()?;
        Ok(Box::new(Asha { strategy: self.strategy.build_in(context)?, ladder }))
    }

    fn facts(&self) -> Proposer<'_> {
        Proposer::Other(Box::new(|_, _| &self.strategy))
    }
}

/// Rungs over another strategy.
pub struct Asha {
    pub(crate) strategy: Box<dyn Strategy>,
    pub(crate) ladder: Ladder,
}

impl Asha {
    /// The best trial that has not gone on, from the highest rung down, and the effort it goes on with.
    fn promotion<'h>(&self, history: &'h History) -> Option<(&'h Trial, Effort)> {
        let kept = history.trials().iter().filter(|t| !t.outcome.as_ref().is_some_and(Outcome::is_abandoned));
        let kept: Vec<&Trial> = kept.collect();
        (1..=self.ladder.top()).find_map(|below| {
            let (effort, next) = (self.ladder.effort(below), self.ladder.effort(below - 1));
            let here: Vec<&Trial> =
                kept.iter().copied().filter(|t| t.effort == effort && t.loss().is_some()).collect();
            let deserving = self.ladder.kept(here.len());
            let has_gone_on =
                |t: &Trial| kept.iter().any(|o| o.effort == next && o.configuration == t.configuration);
            let best = ranked(&here).into_iter().take(deserving).find(|t| !has_gone_on(t));
            best.map(|trial| (trial, next))
        })
    }
}

impl Strategy for Asha {
    fn suggest(&self, ask: &Ask<'_>, rng: &mut Rng) -> Result<Suggestion, SearchError> {
        if let Some((trial, effort)) = self.promotion(ask.history) {
            let configuration = trial.configuration.clone();
            return Ok(Suggestion { configuration, effort, memo: Memo::new() });
        }
        let bottom = self.ladder.effort(self.ladder.top());
        let seen = ask.history.seen_at(bottom);
        let drawn = self.strategy.suggest(&Ask { history: &seen, ..*ask }, rng)?;
        Ok(Suggestion { effort: bottom, ..drawn })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::{Study, StudyOptions};
    use arbora_space::{Param, Space};

    #[test]
    fn the_best_third_of_every_rung_goes_on_and_nobody_waits() {
        let space = Space::new([Param::real("x", 0.0, 1.0)]).unwrap();
        let strategy = StrategySpec::from_json(r#"{"kind":"asha","eta":3,"smallest":0.1111111111111111}"#);
        let options = StudyOptions { strategy: strategy.unwrap(), seed: 2, ..StudyOptions::default() };
        let mut study = Study::new(space, options).unwrap();
        let ladder = Ladder { eta: 3.0, smallest: 1.0 / 9.0 };
        let mut open = Vec::new();
        for _ in 0..120 {
            let before = study.history().clone();
            let trial = study.ask().unwrap();
            if trial.effort == ladder.effort(2) {
                assert_eq!(left_behind(&before, ladder), 0, "somebody deserved to go on");
            }
            // Four workers; the oldest finishes first.
            open.push(trial);
            if open.len() == 4 {
                let trial = open.remove(0);
                let x = study.value(&trial, "x").and_then(|v| v.as_f64()).unwrap();
                study.tell(trial.number, (x - 0.3).abs()).unwrap();
            }
        }
        assert!(study.best_value().unwrap() < 0.02);
    }

    /// Trials among the best third of their rung that did not go on.
    fn left_behind(history: &History, ladder: Ladder) -> usize {
        let at = |below: u32| history.trials().iter().filter(move |t| t.effort == ladder.effort(below));
        let left = |below: u32| {
            let told: Vec<&Trial> = at(below).filter(|t| t.loss().is_some()).collect();
            let worse = |t: &Trial| told.iter().filter(|o| o.loss() > t.loss()).count();
            let best = told.iter().filter(|t| told.len() - worse(t) <= told.len() / 3);
            best.filter(|t| at(below - 1).all(|above| above.configuration != t.configuration)).count()
        };
        left(1) + left(2)
    }
}
