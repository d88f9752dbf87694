//! Does tuning overfit its validation rows, and what helps?  [T18, ch. 3]
//!
//! A problem is `holdout/NAME` or `folds/NAME`: a support vector machine with C and width, judged on a fifth of the rows
//! or by five folds; a third of all rows tests. A method is a strategy and what is done about overfitting:
//! `-r` draws the splits anew for every trial (CMA-ES: for every generation), `-pm` chooses by posterior mean instead of
//! by the least loss, `-sel` holds back a fifth of the rows to choose by, and `-pv`, `-bw`, `-gv` do so by generations.
//! The rows held back are predicted by the models of the trial itself, on average where there are five. What is chosen is
//! trained once more on all rows but those that test, the ones held back included.
use super::Worker;
use crate::error::BenchError;
use crate::run::{Key, Run};
use crate::task::{Errors, Learner, Protocol, Task};
use arbora_evaluation::select::{HeldBack, PosteriorMean, Scored};
use arbora_evaluation::{ResampleSpec, Reshuffle};
use arbora_search::{History, ModelSpec, Report, SearchError, StrategySpec, Study, StudyOptions};
use arbora_space::Configuration;

/// Trials of a generation of CMA-ES in two dimensions.
const GENERATION: u64 = 6;

/// What a method is made of.
struct TrustMethod {
    strategy: StrategySpec,
    reshuffle: Reshuffle,
    by_posterior: bool,
    selection: Option<HeldBack>,
}

impl TrustMethod {
    fn named(name: &str) -> Result<Self, BenchError> {
        let mut parts = name.split('-');
        let strategy = match parts.next().unwrap_or_default() {
            "gp" => "gp-matern-polish",
            "rs" => "random",
            other => other,
        };
        let is_cma = strategy == "cma";
        let mut method = Self {
            strategy: strategy.parse()?,
            reshuffle: Reshuffle::Never,
            by_posterior: false,
            selection: None,
        };
        for part in parts {
            match part {
                "r" if is_cma => method.reshuffle = Reshuffle::EachGeneration { size: GENERATION },
                "r" => method.reshuffle = Reshuffle::EachTrial,
                "pm" => method.by_posterior = true,
                "sel" => method.selection = Some(HeldBack::Least),
                "pv" => method.selection = Some(HeldBack::PartialValidation),
                "bw" => method.selection = Some(HeldBack::Backwarding),
                "gv" => method.selection = Some(HeldBack::GlobalValidation),
                _ => return Err(unknown(name)),
            }
        }
        Ok(method)
    }
}

fn unknown(method: &str) -> BenchError {
    let problem = "a method is gp, cma, rs or grid, then -r, -pm, -sel, -pv, -bw or -gv";
    SearchError::BadSetting { setting: "method", value: method.to_owned(), problem }.into()
}

/// One search and the test error of what it chose. Methods that search alike share the search.
pub fn trust(key: &Key, worker: &mut Worker<'_>) -> Result<Run, BenchError> {
    let method = TrustMethod::named(&key.method)?;
    let (how, set) = key.problem.split_once('/').unwrap_or(("folds", &key.problem));
    let resample = match how {
        "holdout" => ResampleSpec::HoldOut { share: 0.2 },
        _ => ResampleSpec::Folds { count: 5, times: 1 },
    };
    let selection = method.selection.map(|_| 0.2);
    let (reshuffle, test) = (method.reshuffle, 1.0 / 3.0);
    let protocol = Protocol { resample, reshuffle, test, selection, ..Protocol::cross_validation() };
    let Key { seed, trials, .. } = key;
    let wanted = SearchKey {
        set: set.to_owned(),
        seed: *seed,
        trials: *trials,
        strategy: method.strategy.clone(),
        protocol,
    };
    let kept = worker.trust.take().filter(|(of, _)| *of == wanted).map(|(_, search)| search);
    let stop = worker.context.stopper();
    let (search, run) =
        worker.context.with_learner(&format!("svm-rbf/{set}"), *seed, &wanted.protocol, |learner| {
            let search = match kept {
                Some(search) => search,
                None => TrustSearch::make(key, &method, learner, stop)?,
            };
            let mut run = Run { key: key.clone(), ..search.run.clone() };
            if let Some(chosen) = search.choose(&method)? {
                run.test = learner.test(&chosen)?;
            }
            Ok((search, run))
        })?;
    worker.trust = Some((wanted, search));
    Ok(run)
}

/// All that a search depends on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SearchKey {
    set: String,
    seed: u64,
    trials: usize,
    strategy: StrategySpec,
    protocol: Protocol,
}

/// A search that has come to its end.
pub(super) struct TrustSearch {
    /// Losses and improvements, under the key of the first method that wanted it.
    run: Run,
    study: Study,
    /// What the rows held back say, where some were.
    scored: Vec<Scored>,
}

impl TrustSearch {
    fn make(
        key: &Key,
        method: &TrustMethod,
        learner: &mut Learner,
        stop: &dyn Fn() -> bool,
    ) -> Result<Self, BenchError> {
        // A loss that is drawn anew is noisy, so a configuration may come again.
        let repeats = method.reshuffle != Reshuffle::Never;
        let strategy = method.strategy.clone();
        let options = StudyOptions { strategy, seed: key.seed, repeats, ..StudyOptions::default() };
        let study = Study::new(learner.space().clone(), options)?;
        let mut search = Self { run: Run::new(key.clone()), study, scored: Vec::new() };
        for trial in 0..key.trials {
            if stop() {
                return Err(BenchError::Interrupted);
            }
            search.step(trial, method, learner)?;
        }
        Ok(search)
    }

    fn step(&mut self, trial: usize, method: &TrustMethod, learner: &mut Learner) -> Result<(), BenchError> {
        let asked = self.study.ask()?;
        // A learner that cannot learn is always wrong.
        let failed = Errors { validation: 1.0, selection: 1.0 };
        let errors = learner.errors(&asked.configuration, trial)?.unwrap_or(failed);
        let Errors { validation, selection } = errors;
        self.run.observe(trial, validation);
        self.study.tell(asked.number, Report::Value(validation))?;
        if method.selection.is_some() {
            let generation = trial as u64 / GENERATION;
            self.scored.push(Scored { trial: asked.number, generation, validation, selection });
        }
        Ok(())
    }

    fn choose(&self, method: &TrustMethod) -> Result<Option<Configuration>, BenchError> {
        let history: &History = self.study.history();
        if let (true, Some(spec)) = (method.by_posterior, method.strategy.get::<ModelSpec>()) {
            let (space, seed) = (self.study.space(), self.run.key.seed);
            return Ok(PosteriorMean::Anywhere.choose(space, history, spec, seed)?);
        }
        if let Some(held_back) = method.selection {
            let best = held_back.choose(&self.scored);
            let trial = best.and_then(|number| history.trials().get(usize::try_from(number).ok()?));
            return Ok(trial.map(|trial| trial.configuration.clone()));
        }
        Ok(history.incumbent().map(|trial| trial.configuration.clone()))
    }
}
