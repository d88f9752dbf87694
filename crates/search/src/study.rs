//! A study: one search over a space, by asking and telling.
mod reports;

use crate::error::SearchError;
use crate::history::History;
use crate::memo::Memo;
use crate::pruner::{Pruner, PrunerContext, PrunerSpec};
use crate::range::ValueRange;
use crate::strategy::{Ask, Strategy, StrategySpec, Suggestion};
use crate::trial::{Effort, Outcome, Trial};
use arbora_model::{Interrupt, Workers};
use arbora_space::{Configuration, Rng, Space};
use serde::{Deserialize, Serialize};

/// Which objective values are good. Inside a study everything is a loss.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Small ones.
    #[default]
    Minimize,
    /// Large ones.
    Maximize,
}

impl Direction {
    /// The loss of an objective value, and back: flipping twice is the identity.
    pub fn flip(self, value: f64) -> f64 {
        match self {
            Direction::Minimize => value,
            Direction::Maximize => -value,
        }
    }
}

/// What an evaluation reports.
#[derive(Clone, Debug, PartialEq)]
pub enum Report {
    /// The objective's value, in the study's direction.
    Value(f64),
    /// The same as a loss: smaller is better, whatever the study's direction.
    Loss(f64),
    /// It crashed, timed out or made no sense, for this reason.
    Failure(String),
    /// It was stopped early because of its intermediate values, for this reason.
    Pruned(String),
    /// It was given up from outside, for this reason: nothing is learnt, and the configuration may come again.
    Abandoned(String),
}

impl From<f64> for Report {
    fn from(value: f64) -> Self {
        Report::Value(value)
    }
}

/// The settings of a study: plain data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StudyOptions {
    /// How suggestions are made.
    pub strategy: StrategySpec,
    /// Which objective values are good.
    pub direction: Direction,
    /// The source of all randomness.
    pub seed: u64,
    /// May a configuration be proposed again? Say yes for noisy objectives.
    pub repeats: bool,
    /// Threads a suggestion may use. One by default: an optimiser must not fight the evaluations for the cores.
    /// Suggestions are the same with any number.
    pub threads: usize,
    /// Does a configuration always give the same value? Then the best value told is to be trusted as it is.
    #[serde(skip_serializing_if = "is_false")]
    pub deterministic: bool,
    /// Which values there can be; no verdict promises others.
    #[serde(skip_serializing_if = "ValueRange::is_open")]
    pub range: ValueRange,
    /// Which trials are stopped early, where the evaluation asks. It changes no suggestion.
    #[serde(skip_serializing_if = "is_standard")]
    pub pruner: PrunerSpec,
}

/// Studies that were stored before there were pruners stay as they are written.
fn is_standard(pruner: &PrunerSpec) -> bool {
    *pruner == PrunerSpec::default()
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_false(flag: &bool) -> bool {
    !flag
}

impl Default for StudyOptions {
    fn default() -> Self {
        Self {
            strategy: StrategySpec::default(),
            direction: Direction::Minimize,
            seed: 0,
            repeats: false,
            threads: 1,
            deterministic: false,
            range: ValueRange::default(),
            pruner: PrunerSpec::default(),
        }
    }
}

/// One search over a space. A suggestion is a pure function of (space, history, seed).
///
/// ```
/// use arbora_search::{Study, StudyOptions};
/// use arbora_space::{Param, Space};
/// let space = Space::new([Param::real("x", -1.0, 1.0)])?;
/// let mut study = Study::new(space, StudyOptions { seed: 7, ..StudyOptions::default() })?;
/// for _ in 0..12 {
///     let trial = study.ask()?;
///     let x = study.value(&trial, "x").and_then(|v| v.as_f64()).unwrap();
///     study.tell(trial.number, (x - 0.3) * (x - 0.3))?;
/// }
/// assert!(study.best().unwrap().loss().unwrap() < 0.05);
/// # Ok::<(), arbora_search::SearchError>(())
/// ```
pub struct Study {
    space: Space,
    options: StudyOptions,
    workers: Workers,
    strategy: Box<dyn Strategy>,
    pruner: Box<dyn Pruner>,
    history: History,
}

impl Study {
    /// A study that has tried nothing yet.
    pub fn new(space: Space, options: StudyOptions) -> Result<Self, SearchError> {
        Self::resume(space, options, History::new())
    }

    /// A study that goes on where a history ends, as if it had never stopped.
    pub fn resume(space: Space, options: StudyOptions, history: History) -> Result<Self, SearchError> {
        options.range.check()?;
        let workers = Workers::new(options.threads);
        let strategy = options.strategy.build(&space, &workers)?;
        let direction = options.direction;
        let pruner = options.pruner.build(PrunerContext { loss_of: &|value| direction.flip(value) })?;
        Ok(Self { space, options, workers, strategy, pruner, history })
    }

    /// Everything that can be tried.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The settings.
    pub fn options(&self) -> &StudyOptions {
        &self.options
    }

    /// Everything that was tried.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The next trial to evaluate. It is pending until it is told; asking again takes it into account.
    pub fn ask(&mut self) -> Result<Trial, SearchError> {
        self.ask_until(Interrupt::never())
    }

    /// The same as long as it is wanted: an interrupted study is as it was.
    pub fn ask_until(&mut self, interrupt: &Interrupt) -> Result<Trial, SearchError> {
        let trial = self.suggest_until(interrupt)?;
        self.history.push(trial.clone());
        Ok(trial)
    }

    /// What [`ask`](Self::ask) would answer, without taking it: a pure function of (space, history, seed).
    pub fn suggest(&self) -> Result<Trial, SearchError> {
        self.suggest_until(Interrupt::never())
    }

    /// The same as long as it is wanted. What is not interrupted does not depend on the interrupt.
    pub fn suggest_until(&self, interrupt: &Interrupt) -> Result<Trial, SearchError> {
        let number = self.history.len() as u64;
        let mut rng = Rng::for_trial(self.options.seed, number);
        let ask = Ask {
            space: &self.space,
            history: &self.history,
            seed: self.options.seed,
            repeats: self.options.repeats,
            interrupt,
        };
        let suggestion = self.strategy.suggest(&ask, &mut rng);
        // Once it was raised, any answer was good enough.
        if interrupt.is_raised() {
            return Err(SearchError::Interrupted);
        }
        let Suggestion { configuration, effort, memo } = suggestion?;
        Ok(Trial::asked(number, configuration, effort, memo))
    }

    /// Takes in a trial that was suggested earlier or elsewhere. Its number must be the next one.
    pub fn admit(&mut self, trial: Trial) -> Result<(), SearchError> {
        self.space.check(&trial.configuration)?;
        let next = self.history.len() as u64;
        if trial.number != next {
            return Err(SearchError::OutOfOrder { number: trial.number, next });
        }
        self.history.push(trial);
        Ok(())
    }

    /// Reports how a trial ended. A value that is not finite counts as a failure.
    pub fn tell(&mut self, number: u64, report: impl Into<Report>) -> Result<(), SearchError> {
        self.tell_with_cost(number, report, None)
    }

    /// As [`tell`](Self::tell), with what the evaluation cost.
    pub fn tell_with_cost(
        &mut self,
        number: u64,
        report: impl Into<Report>,
        cost: Option<f64>,
    ) -> Result<(), SearchError> {
        let outcome = self.judge(number, report, cost)?;
        self.close(number, outcome)
    }

    /// What a report about a trial comes to, without taking it in: the value as a loss, one that is not finite as a
    /// failure.
    pub fn judge(
        &self,
        number: u64,
        report: impl Into<Report>,
        cost: Option<f64>,
    ) -> Result<Outcome, SearchError> {
        match cost {
            Some(cost) if !(cost.is_finite() && cost >= 0.0) => Err(SearchError::BadCost { number, cost }),
            _ => Ok(self.outcome(report.into(), cost)),
        }
    }

    /// Takes in how a trial ended, as judged earlier or elsewhere.
    pub fn close(&mut self, number: u64, outcome: Outcome) -> Result<(), SearchError> {
        let count = self.history.len();
        let trial = self.history.get_mut(number).ok_or(SearchError::UnknownTrial { number, count })?;
        if let Some(told) = &trial.outcome {
            return Err(SearchError::AlreadyTold { number, outcome: told.to_string() });
        }
        trial.outcome = Some(outcome);
        Ok(())
    }

    /// Adds a result that is known already, from an earlier study or from a table.
    pub fn add(
        &mut self,
        configuration: Configuration,
        report: impl Into<Report>,
    ) -> Result<u64, SearchError> {
        self.space.check(&configuration)?;
        let number = self.history.len() as u64;
        let outcome = Some(self.outcome(report.into(), None));
        let asked = Trial::asked(number, configuration, Effort::Full, Memo::new());
        self.history.push(Trial { outcome, ..asked });
        Ok(number)
    }

    fn outcome(&self, report: Report, cost: Option<f64>) -> Outcome {
        match report {
            Report::Value(value) if value.is_finite() => {
                Outcome::Complete { loss: self.options.direction.flip(value), cost }
            }
            Report::Value(value) => {
                Outcome::Failed { reason: format!("the objective returned {value}"), cost }
            }
            Report::Loss(loss) => self.outcome(Report::Value(self.options.direction.flip(loss)), cost),
            Report::Failure(reason) => Outcome::Failed { reason, cost },
            Report::Pruned(reason) => Outcome::Pruned { reason, cost },
            Report::Abandoned(reason) => Outcome::Abandoned { reason },
        }
    }

    /// The best trial so far; `None` before the first full evaluation, and then [`History::missing`] says why.
    pub fn best(&self) -> Option<&Trial> {
        self.history.incumbent()
    }

    /// The best objective value so far, in the study's direction.
    pub fn best_value(&self) -> Option<f64> {
        self.best()
            .and_then(|trial| self.history.standing(trial))
            .map(|loss| self.options.direction.flip(loss))
    }

    /// The value of a parameter in a trial, by name; `None` where it is inactive.
    pub fn value(&self, trial: &Trial, name: &str) -> Option<arbora_space::Value> {
        self.space.value(&trial.configuration, name)
    }

    /// Changes the space of the running study; old trials stay and stay valid.
    pub fn evolve(&mut self, to: Space) -> Result<(), SearchError> {
        let strategy = self.options.strategy.build(&to, &self.workers)?;
        let from = &self.space;
        self.history.map_trials(|trial| Ok(to.adopt(from, &trial.configuration)?))?;
        self.strategy = strategy;
        self.space = to;
        Ok(())
    }

    /// An open trial turned out to try something else than suggested, in a space revised for it: for objectives that
    /// decide themselves which parameters they have.
    ///
    /// Complete trials keep their values, as under [`evolve`](Self::evolve). Of all others only the values that the
    /// new space gives a place are kept: nothing was learnt from them that a revision could contradict.
    pub fn amend(
        &mut self,
        number: u64,
        configuration: &Configuration,
        to: Space,
    ) -> Result<(), SearchError> {
        to.check(configuration)?;
        let count = self.history.len();
        let amended = self.history.trials().get(usize::try_from(number).unwrap_or(usize::MAX));
        if let Some(told) = &amended.ok_or(SearchError::UnknownTrial { number, count })?.outcome {
            return Err(SearchError::AlreadyTold { number, outcome: told.to_string() });
        }
        let strategy = self.options.strategy.build(&to, &self.workers)?;
        let from = &self.space;
        self.history.map_trials(|trial| match &trial.outcome {
            _ if trial.number == number => Ok(configuration.clone()),
            Some(Outcome::Complete { .. }) => Ok(to.adopt(from, &trial.configuration)?),
            _ => Ok(to.canonical(from.named(&trial.configuration).into_iter().filter(|(name, value)| {
                to.id(name).is_some_and(|id| to.parameter(id).domain().canonical(value).is_some())
            }))?),
        })?;
        self.strategy = strategy;
        self.space = to;
        Ok(())
    }
}
