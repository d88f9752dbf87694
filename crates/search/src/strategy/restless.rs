//! Another strategy that does not stay where nothing more is to be gained.
//!
//! A model that has found a basin refines it digit after digit, since that is what it can promise. Where the optimum
//! lies in a part it has given up, every one of these trials is lost. So as soon as the last trials have gained next
//! to nothing, every `every`-th one goes to the others, by turns, until one of them gains again.
//!
//! With b the least loss, b′ the least loss before the last `patience` trials and m the median loss, nothing is gained
//! if b′ − b ≤ gain·(m − b). A function of the losses alone, and of their order.
use super::{Ask, Component, Proposer, Strategy, StrategyContext, StrategySpec, Suggestion};
use crate::error::{SearchError, at_least_one};
use crate::history::History;
use arbora_space::Rng;
use serde::{Deserialize, Serialize};

/// A strategy, and others when it is stuck.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RestlessSpec {
    /// Whose suggestions.
    pub strategy: StrategySpec,
    /// Asked by turns when it is stuck.
    pub others: Vec<StrategySpec>,
    /// Trials that may gain nothing.
    pub patience: usize,
    /// What counts as nothing, as a share of the way from the best loss to the median.
    pub gain: f64,
    /// Every so many-th trial is one of the others'.
    pub every: usize,
}

impl Component<dyn Strategy> for RestlessSpec {
    const KIND: &'static str = "restless";

    fn build(&self, context: StrategyContext<'_>) -> Result<Box<dyn Strategy>, SearchError> {
        at_least_one("patience", self.patience)?;
        at_least_one("every", self.every)?;
        if !(self.gain.is_finite() && self.gain >= 0.0) {
            let (value, problem) = (self.gain.to_string(), "it must be a finite number, zero or more");
            return Err(SearchError::BadSetting { setting: "gain", value, problem });
        }
        if self.others.is_empty() {
            let problem = "there must be someone to ask when the strategy is stuck";
            return Err(SearchError::BadSetting { setting: "others", value: "[]".into(), problem });
        }
        let others = self.others.iter().map(|other| other.build_in(context)).collect::<Result<_, _>>()?;
        Ok(Box::new(Restless { strategy: self.strategy.build_in(context)?, others, spec: self.clone() }))
    }

    fn facts(&self) -> Proposer<'_> {
        Proposer::Other(Box::new(|_, _| &self.strategy))
    }
}

/// A strategy, and others when it is stuck.
struct Restless {
    strategy: Box<dyn Strategy>,
    others: Vec<Box<dyn Strategy>>,
    spec: RestlessSpec,
}

impl Strategy for Restless {
    fn suggest(&self, ask: &Ask<'_>, rng: &mut Rng) -> Result<Suggestion, SearchError> {
        let number = ask.history.len();
        if number.is_multiple_of(self.spec.every) && self.spec.is_stuck(ask.history) {
            let turn = number / self.spec.every % self.others.len();
            return self.others[turn].suggest(ask, rng);
        }
        self.strategy.suggest(ask, rng)
    }
}

impl RestlessSpec {
    fn is_stuck(&self, history: &History) -> bool {
        let losses: Vec<f64> = history.trials().iter().filter_map(crate::trial::Trial::loss).collect();
        let Some(before) = losses.len().checked_sub(self.patience).filter(|&before| before > 0) else {
            return false;
        };
        let least = |losses: &[f64]| losses.iter().copied().fold(f64::INFINITY, f64::min);
        let best = least(&losses);
        let mut sorted = losses.clone();
        let (_, &mut median, _) = sorted.select_nth_unstable_by(losses.len() / 2, f64::total_cmp);
        least(&losses[..before]) - best <= self.gain * (median - best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::{LatinHypercubes, RandomSearch};
    use crate::study::{Study, StudyOptions};
    use arbora_model::Workers;
    use arbora_space::{Param, Space};

    fn spec() -> RestlessSpec {
        RestlessSpec {
            strategy: StrategySpec::new(LatinHypercubes { count: 50 }),
            others: vec![StrategySpec::new(RandomSearch {})],
            patience: 3,
            gain: 0.1,
            every: 2,
        }
    }

    fn space() -> Space {
        Space::new([Param::real("x", 0.0, 1.0)]).unwrap()
    }

    fn told(losses: &[f64]) -> Study {
        let mut study = Study::new(space(), StudyOptions::default()).unwrap();
        for &loss in losses {
            let drawn = study.space().sample(&mut Rng::new(study.history().len() as u64)).unwrap();
            study.add(drawn, loss).unwrap();
        }
        study
    }

    #[test]
    fn it_is_stuck_when_the_last_trials_gain_next_to_nothing() {
        for (losses, is_stuck) in [
            (&[][..], false),
            (&[1.0, 1.0, 1.0], false),
            (&[1.0, 1.0, 1.0, 1.0], true),
            (&[5.0, 1.0, 9.0, 9.0, 9.0], true),
            // The best gains 0.5 where the median is 8 above it, then 1.5 where it is 7.5 above.
            (&[9.0, 1.5, 9.0, 9.0, 1.0], true),
            (&[9.0, 2.0, 8.0, 9.0, 0.5], false),
            (&[9.0, 2.0, 0.5, 8.0, 9.0, 9.0], true),
        ] {
            assert_eq!(spec().is_stuck(told(losses).history()), is_stuck, "{losses:?}");
        }
    }

    #[test]
    fn others_are_asked_by_turns_only_when_it_is_stuck() {
        let two = RestlessSpec {
            others: vec![StrategySpec::new(RandomSearch {}), StrategySpec::new(LatinHypercubes { count: 7 })],
            ..spec()
        };
        let (space, workers) = (space(), Workers::serial());
        let asked = |strategy: &StrategySpec, study: &Study| {
            let ask = Ask {
                space: &space,
                history: study.history(),
                seed: 3,
                repeats: false,
                interrupt: arbora_model::Interrupt::never(),
            };
            strategy.build(&space, &workers).unwrap().suggest(&ask, &mut Rng::new(9)).unwrap()
        };
        let restless = StrategySpec::new(two.clone());
        let stuck = |trials: usize| told(&vec![1.0; trials]);
        assert_eq!(asked(&restless, &stuck(4)), asked(&two.others[0], &stuck(4)));
        assert_eq!(asked(&restless, &stuck(5)), asked(&two.strategy, &stuck(5)));
        assert_eq!(asked(&restless, &stuck(6)), asked(&two.others[1], &stuck(6)));
        let gains = told(&[9.0, 5.0, 3.0, 1.0]);
        assert_eq!(asked(&restless, &gains), asked(&two.strategy, &gains));
    }

    #[test]
    fn settings_that_make_no_sense_are_named() {
        let (space, workers) = (space(), Workers::serial());
        for (wrong, name) in [
            (RestlessSpec { patience: 0, ..spec() }, "patience"),
            (RestlessSpec { every: 0, ..spec() }, "every"),
            (RestlessSpec { gain: f64::NAN, ..spec() }, "gain"),
            (RestlessSpec { others: Vec::new(), ..spec() }, "others"),
        ] {
            let error = StrategySpec::new(wrong).build(&space, &workers).err().unwrap().to_string();
            assert!(error.contains(name), "{error}");
        }
    }
}
