//! Does tuning overfit its validation rows, and what helps?  [T18, ch. 3]
//!
//! A problem is `holdout/NAME` or `folds/NAME`: a support vector machine with C and width, judged on a fifth of the rows
//! or by five folds; a third of all rows tests. A method is a strategy and what is done about overfitting:
//! `-r` draws the splits anew for every trial (CMA-ES: for every generation), `-pm` chooses by posterior mean instead of
//! by the least loss, `-sel` holds back a fifth of the rows to choose by, and `-pv`, `-bw`, `-gv` do so by generations.
//! The rows held back are predicted by the models of the trial itself, on average where there are five. What is chosen is
//! trained once more on all rows but those that test, the ones held back included.
use crate::error::BenchError;
use crate::run::{Key, Run};
use crate::session::{Errors, Learner, Protocol, Session};
use crate::workbench::Workbench;
use arbora_evaluation::select::{HeldBack, PosteriorMean, Scored};
use arbora_evaluation::{ResampleSpec, Reshuffle};
use arbora_search::{History, Report, SearchError, StrategySpec, Study, StudyOptions};
use arbora_space::Configuration;

/// Trials of a generation of CMA-ES in two dimensions.
const GENERATION: u64 = 6;

/// What a method is made of.
struct Recipe {
    strategy: StrategySpec,
    reshuffle: Reshuffle,
    by_posterior: bool,
    selection: Option<HeldBack>,
}

impl Recipe {
    fn named(name: &str) -> Result<Self, BenchError> {
        let mut parts = name.split('-');
        let strategy = match parts.next().unwrap_or_default() {
            "gp" => "gp-matern-polish",
            "rs" => "random",
            other => other,
        };
        let is_cma = strategy == "cma";
        let mut recipe = Self {
            strategy: strategy.parse()?,
            reshuffle: Reshuffle::Never,
            by_posterior: false,
            selection: None,
        };
        for part in parts {
            match part {
                "r" if is_cma => recipe.reshuffle = Reshuffle::EachGeneration { size: GENERATION },
                "r" => recipe.reshuffle = Reshuffle::EachTrial,
                "pm" => recipe.by_posterior = true,
                "sel" => recipe.selection = Some(HeldBack::Least),
                "pv" => recipe.selection = Some(HeldBack::PartialValidation),
                "bw" => recipe.selection = Some(HeldBack::Backwarding),
                "gv" => recipe.selection = Some(HeldBack::GlobalValidation),
                _ => return Err(unknown(name)),
            }
        }
        Ok(recipe)
    }
}

fn unknown(method: &str) -> BenchError {
    let problem = "a method is gp, cma, rs or grid, then -r, -pm, -sel, -pv, -bw or -gv";
    SearchError::BadSetting { setting: "method", value: method.to_owned(), problem }.into()
}

/// One search and the test error of what it chose. Methods that search alike share the search.
pub fn trust(key: &Key, bench: &mut Workbench<'_>) -> Result<Run, BenchError> {
    let recipe = Recipe::named(&key.method)?;
    let (how, set) = key.problem.split_once('/').unwrap_or(("folds", &key.problem));
    let resample = match how {
        "holdout" => ResampleSpec::HoldOut { share: 0.2 },
        _ => ResampleSpec::Folds { count: 5, times: 1 },
    };
    let selection = recipe.selection.map(|_| 0.2);
    let (reshuffle, test) = (recipe.reshuffle, 1.0 / 3.0);
    let protocol = Protocol { resample, reshuffle, test, selection, ..Protocol::cross_validation() };
    let Key { seed, trials, .. } = key;
    let name = format!("{set}, seed {seed}, {trials} trials by {:?} under {protocol:?}", recipe.strategy);
    let (kept, stop) = (bench.take_kept::<Search>(&name), bench.stopper());
    let (search, run) = bench.with_learner(&format!("svm-rbf/{set}"), *seed, &protocol, |learner| {
        let search = match kept {
            Some(search) => search,
            None => Search::make(key, &recipe, learner, stop)?,
        };
        let mut run = Run { key: key.clone(), ..search.run.clone() };
        if let Some(chosen) = search.choose(&recipe)? {
            run.test = learner.test(&chosen)?;
        }
        Ok((search, run))
    })?;
    bench.keep(name, search);
    Ok(run)
}

/// A search that has come to its end.
struct Search {
    /// Losses and improvements, under the key of the first method that wanted it.
    run: Run,
    study: Study,
    /// What the rows held back say, where some were.
    scored: Vec<Scored>,
}

impl Search {
    fn make(
        key: &Key,
        recipe: &Recipe,
        learner: &mut Learner,
        stop: &dyn Fn() -> bool,
    ) -> Result<Self, BenchError> {
        // A loss that is drawn anew is noisy, so a configuration may come again.
        let repeats = recipe.reshuffle != Reshuffle::Never;
        let strategy = recipe.strategy.clone();
        let options = StudyOptions { strategy, seed: key.seed, repeats, ..StudyOptions::default() };
        let study = Study::new(learner.space().clone(), options)?;
        let mut search = Self { run: Run::new(key.clone()), study, scored: Vec::new() };
        for trial in 0..key.trials {
            if stop() {
                return Err(BenchError::Interrupted);
            }
            search.step(trial, recipe, learner)?;
        }
        Ok(search)
    }

    fn step(&mut self, trial: usize, recipe: &Recipe, learner: &mut Learner) -> Result<(), BenchError> {
        let asked = self.study.ask()?;
        // A learner that cannot learn is always wrong.
        let failed = Errors { validation: 1.0, selection: 1.0 };
        let errors = learner.errors(&asked.configuration, trial)?.unwrap_or(failed);
        let Errors { validation, selection } = errors;
        self.run.observe(trial, validation);
        self.study.tell(asked.number, Report::Value(validation))?;
        if recipe.selection.is_some() {
            let generation = trial as u64 / GENERATION;
            self.scored.push(Scored { trial: asked.number, generation, validation, selection });
        }
        Ok(())
    }

    fn choose(&self, recipe: &Recipe) -> Result<Option<Configuration>, BenchError> {
        let history: &History = self.study.history();
        if let (true, StrategySpec::Model(spec)) = (recipe.by_posterior, &recipe.strategy) {
            let (space, seed) = (self.study.space(), self.run.key.seed);
            return Ok(PosteriorMean::Anywhere.choose(space, history, spec, seed)?);
        }
        if let Some(held_back) = recipe.selection {
            let best = held_back.choose(&self.scored);
            let trial = best.and_then(|number| history.trials().get(usize::try_from(number).ok()?));
            return Ok(trial.map(|trial| trial.configuration.clone()));
        }
        Ok(history.incumbent().map(|trial| trial.configuration.clone()))
    }
}
