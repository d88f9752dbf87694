//! Does tuning overfit its validation rows, and what helps?  [T18, ch. 3]
//!
//! A problem is `holdout/NAME` or `folds/NAME`: a support vector machine with C and width, judged on a fifth of the rows
//! or by five folds; a third of all rows tests. A method is a strategy and what is done about overfitting:
//! `-r` draws the splits anew for every trial (CMA-ES: for every generation), `-pm` chooses by posterior mean instead of
//! by the least loss, `-sel` holds back a fifth of the rows to choose by, and `-pv`, `-bw`, `-gv` do so by generations.
use crate::error::BenchError;
use crate::run::{Key, Run};
use crate::session::{Learner, Protocol, Session};
use crate::workbench::Workbench;
use arbora_evaluation::select::{HeldBack, PosteriorMean, Scored};
use arbora_evaluation::{ResampleSpec, Reshuffle, Split};
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
            "gp" => "gp-matern-ls",
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

/// One search and the test error of what it chose.
pub fn trust(key: &Key, bench: &mut Workbench<'_>) -> Result<Run, BenchError> {
    let recipe = Recipe::named(&key.method)?;
    let (how, set) = key.problem.split_once('/').unwrap_or(("folds", &key.problem));
    let resample = match how {
        "holdout" => ResampleSpec::HoldOut { share: 0.2 },
        _ => ResampleSpec::Folds { count: 5, times: 1 },
    };
    let selection = recipe.selection.map(|_| 0.2);
    let protocol = Protocol { resample, reshuffle: recipe.reshuffle, test: 1.0 / 3.0, selection, cap: None };
    let stop = bench.stopper();
    bench.with_learner(&format!("svm-rbf/{set}"), key.seed, &protocol, |learner| {
        let mut trusting = Trusting::new(key, &recipe, learner)?;
        for trial in 0..key.trials {
            if stop() {
                return Err(BenchError::Interrupted);
            }
            trusting.step(trial)?;
        }
        trusting.finish()
    })
}

struct Trusting<'a> {
    run: Run,
    recipe: &'a Recipe,
    learner: &'a mut Learner,
    study: Study,
    scored: Vec<Scored>,
}

impl<'a> Trusting<'a> {
    fn new(key: &Key, recipe: &'a Recipe, learner: &'a mut Learner) -> Result<Self, BenchError> {
        // A loss that is drawn anew is noisy, so a configuration may come again.
        let repeats = recipe.reshuffle != Reshuffle::Never;
        let options = StudyOptions {
            strategy: recipe.strategy.clone(),
            seed: key.seed,
            repeats,
            ..StudyOptions::default()
        };
        let study = Study::new(learner.space().clone(), options)?;
        Ok(Self { run: Run::new(key.clone()), recipe, learner, study, scored: Vec::new() })
    }

    fn step(&mut self, trial: usize) -> Result<(), BenchError> {
        let asked = self.study.ask()?;
        let validation = self.learner.evaluate(&asked.configuration, trial)?.unwrap_or(1.0);
        self.run.observe(trial, validation);
        self.study.tell(asked.number, Report::Value(validation))?;
        if self.recipe.selection.is_some() {
            let plan = self.learner.plan();
            let split = Split { train: plan.search().to_vec(), valid: plan.selection().to_vec() };
            let selection = self.learner.error(&asked.configuration, &[split])?.unwrap_or(1.0);
            let generation = trial as u64 / GENERATION;
            self.scored.push(Scored { trial: asked.number, generation, validation, selection });
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Run, BenchError> {
        if let Some(chosen) = self.chosen()? {
            self.run.test = self.learner.test(&chosen)?;
        }
        Ok(self.run)
    }

    fn chosen(&self) -> Result<Option<Configuration>, BenchError> {
        let history: &History = self.study.history();
        if let (true, StrategySpec::Model(spec)) = (self.recipe.by_posterior, &self.recipe.strategy) {
            let (space, seed) = (self.learner.space(), self.run.key.seed);
            return Ok(PosteriorMean::Anywhere.choose(space, history, spec, seed)?);
        }
        if let Some(held_back) = self.recipe.selection {
            let best = held_back.choose(&self.scored);
            let trial = best.and_then(|number| history.trials().get(usize::try_from(number).ok()?));
            return Ok(trial.map(|trial| trial.configuration.clone()));
        }
        Ok(history.incumbent().map(|trial| trial.configuration.clone()))
    }
}
