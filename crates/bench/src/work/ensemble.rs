//! Ensembles from a search, and searches for an ensemble  [T18, ch. 4].
//!
//! Five folds; out-of-fold predictions of every trial line up row by row and vote. Methods: `rs-best`, `cma-best` and
//! `bo-best` take the best trial, `rs-post` and `bo-post` select greedily afterwards, `eo-zo`, `eo-c`, `eo-sqm` and
//! `eo-sig` let the search look for the member that is missing (by the zero–one loss, the C-bound, the squared margin or
//! the sigmoid), `eo-post` selects greedily after such a search. Members are trained on all rows but those that test.
use crate::error::BenchError;
use crate::run::{Key, Run};
use crate::session::{Learner, Protocol, Session};
use crate::workbench::Workbench;
use arbora_evaluation::ensemble::{ABSENT, Greedy, Member, Pool, SlotRule, Slots, VoteLoss, Votes};
use arbora_model::Workers;
use arbora_search::{Ask, SearchError, Strategy, StrategySpec, Study, StudyOptions, Trial};
use arbora_space::{Configuration, Rng};

/// Slots of an ensemble  [T18, §4.4].
const MEMBERS: usize = 12;

struct Recipe {
    strategy: &'static str,
    /// The loss of the slots a search works for.
    slots: Option<VoteLoss>,
    /// Is an ensemble selected afterwards?
    selects: bool,
}

fn recipe(method: &str) -> Result<Recipe, BenchError> {
    let strategy = match method.split('-').next() {
        Some("rs") => "random",
        Some("cma") => "cma",
        _ => "gp-matern-ls",
    };
    let slots = match method {
        "eo-zo" => Some(VoteLoss::ZeroOne),
        "eo-c" => Some(VoteLoss::CBound),
        "eo-sqm" | "eo-post" => Some(VoteLoss::SquaredMargin),
        "eo-sig" => Some(VoteLoss::Sigmoid),
        "rs-best" | "rs-post" | "cma-best" | "bo-best" | "bo-post" => None,
        _ => {
            let problem = "a method is rs-, cma- or bo-, then best or post, or eo- and its loss";
            return Err(
                SearchError::BadSetting { setting: "method", value: method.to_owned(), problem }.into()
            );
        }
    };
    Ok(Recipe { strategy, slots, selects: method.ends_with("-post") })
}

/// One search, and the test error of the vote it leads to.
pub fn ensemble(key: &Key, bench: &mut Workbench<'_>) -> Result<Run, BenchError> {
    let recipe = recipe(&key.method)?;
    let protocol = Protocol { test: 1.0 / 3.0, ..Protocol::cross_validation() };
    let stop = bench.stopper();
    bench.with_learner(&key.problem, key.seed, &protocol, |learner| {
        let mut voting = Voting::new(key, &recipe, learner)?;
        for trial in 0..key.trials {
            if stop() {
                return Err(BenchError::Interrupted);
            }
            voting.step(trial)?;
        }
        voting.finish()
    })
}

struct Voting<'a> {
    run: Run,
    recipe: &'a Recipe,
    learner: &'a mut Learner,
    strategy: Box<dyn Strategy>,
    study: Study,
    pool: Pool,
    slots: Option<Slots>,
    classes: usize,
}

impl<'a> Voting<'a> {
    fn new(key: &Key, recipe: &'a Recipe, learner: &'a mut Learner) -> Result<Self, BenchError> {
        let spec: StrategySpec = recipe.strategy.parse()?;
        let strategy = spec.build(learner.space(), &Workers::serial())?;
        let options = StudyOptions { strategy: spec, seed: key.seed, ..StudyOptions::default() };
        let study = Study::new(learner.space().clone(), options)?;
        let classes = learner.labels().iter().max().map_or(2, |most| *most as usize + 1).max(2);
        let labels = learner.plan().search().iter().map(|row| learner.labels()[*row]).collect();
        let pool = Pool::new(labels, classes)?;
        let slots = match recipe.slots {
            Some(loss) => Some(Slots::new(MEMBERS, loss, SlotRule::ZeroOne)?),
            None => None,
        };
        Ok(Self { run: Run::new(key.clone()), recipe, learner, strategy, study, pool, slots, classes })
    }

    fn step(&mut self, trial: usize) -> Result<(), BenchError> {
        let asked = self.next()?;
        let splits = self.learner.plan().splits(trial as u64)?;
        let Some(predicted) = self.learner.predict(&asked, &splits)? else {
            self.run.failures += 1;
            self.study.add(asked, 1.0)?;
            return Ok(());
        };
        let search = self.learner.plan().search();
        let (mut votes, mut wrong) = (vec![ABSENT; search.len()], 0.0);
        for (split, list) in splits.iter().zip(&predicted) {
            wrong += self.learner.wrong(&split.valid, list) / splits.len() as f64;
            for (row, class) in split.valid.iter().zip(list) {
                votes[search.binary_search(row).expect("folds divide the rows searched on")] = *class;
            }
        }
        self.run.observe(trial, wrong);
        let number = self.study.add(asked, wrong)?;
        self.pool.push(Member { trial: number, loss: wrong, votes })?;
        if let Some(slots) = &mut self.slots {
            slots.fill(&self.pool, self.pool.members().len() - 1);
        }
        Ok(())
    }

    /// What next: for the slot that is to be filled, or for itself.
    fn next(&self) -> Result<Configuration, BenchError> {
        let history = self.study.history();
        let mut rng = Rng::for_trial(self.run.key.seed, history.len() as u64);
        let ask = Ask { space: self.learner.space(), history, seed: self.run.key.seed, repeats: false };
        let suggestion = match &self.slots {
            Some(slots) if !self.pool.members().is_empty() => {
                slots.suggest(&self.pool, self.strategy.as_ref(), &ask, &mut rng)?
            }
            _ => self.strategy.suggest(&ask, &mut rng)?,
        };
        Ok(suggestion.configuration)
    }

    fn finish(mut self) -> Result<Run, BenchError> {
        let chosen = match &self.slots {
            _ if self.pool.members().is_empty() => Vec::new(),
            _ if self.recipe.selects => {
                let greedy = Greedy { size: MEMBERS, best_prefix: false, ..Greedy::default() };
                greedy.select(&self.pool, &mut Rng::new(self.run.key.seed))?
            }
            Some(slots) => slots.members(),
            None => vec![best(&self.pool)],
        };
        self.run = self.run.with("members", chosen.len() as f64);
        self.run.test = self.vote(&chosen)?;
        Ok(self.run)
    }

    fn vote(&mut self, chosen: &[usize]) -> Result<Option<f64>, BenchError> {
        let split = self.learner.final_split();
        let labels: Vec<u32> = split.valid.iter().map(|row| self.learner.labels()[*row]).collect();
        let mut votes = Votes::new(labels, self.classes)?;
        for member in chosen {
            let number = self.pool.members()[*member].trial;
            let trial: &Trial = &self.study.history().trials()[usize::try_from(number).unwrap_or(0)];
            let configuration = trial.configuration.clone();
            if let Some(predicted) = self.learner.predict(&configuration, std::slice::from_ref(&split))? {
                votes.add(&predicted[0]);
            }
        }
        Ok((votes.members() > 0).then(|| self.learner.wrong(&split.valid, &votes.predict())))
    }
}

/// The member of least loss, the earliest where several tie.
fn best(pool: &Pool) -> usize {
    let members = pool.members().iter().enumerate();
    members.min_by(|a, b| a.1.loss.total_cmp(&b.1.loss)).map_or(0, |(i, _)| i)
}
