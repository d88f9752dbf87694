//! Ensembles from a search, and searches for an ensemble  [T18, ch. 4].
//!
//! Five folds; out-of-fold predictions of every trial line up row by row and vote. Methods: `rs-best`, `cma-best` and
//! `bo-best` take the best trial, `rs-post` and `bo-post` select greedily afterwards, `eo-zo`, `eo-c`, `eo-sqm` and
//! `eo-sig` let the search look for the member that is missing (by the zero–one loss, the C-bound, the squared margin or
//! the sigmoid), `eo-post` selects greedily after such a search. A slot is filled by the zero–one loss, as the algorithm is
//! printed; with `-same` after the name by the loss of the search, as the program behind the thesis' figures did. With
//! `-raw` at the end the process takes a choice for a number and absent parameters for present ones, as that program did,
//! and is asked at random points; without, they are imputed and a local search follows. Members
//! are trained on all rows but those that test. Beside the test error a run keeps what the ensemble looked like to the
//! search: the error of its votes on rows that validate (`voted`), the share of them where the truth is level with another
//! class (`tied`; such a row counts as an error), and the mean of its members' own errors (`alone`).
use crate::error::BenchError;
use crate::run::{Key, Run};
use crate::session::{Learner, Protocol, Session};
use crate::workbench::Workbench;
use arbora_evaluation::ensemble::{ABSENT, Greedy, Member, Pool, SlotRule, Slots, VoteLoss, Voters, Votes};
use arbora_model::Workers;
use arbora_search::{Ask, SearchError, Strategy, StrategySpec, Study, StudyOptions, Trial};
use arbora_space::{Configuration, Rng};

/// Slots of an ensemble  [T18, §4.4].
const MEMBERS: usize = 12;

struct Recipe {
    strategy: &'static str,
    /// The loss of the slots a search works for.
    slots: Option<(VoteLoss, SlotRule)>,
    /// Is an ensemble selected afterwards?
    selects: bool,
}

fn recipe(method: &str) -> Result<Recipe, BenchError> {
    let (name, process) = match method.strip_suffix("-raw") {
        Some(name) if name.starts_with("bo-") || name.starts_with("eo-") => (name, "gp-matern-noimpute"),
        _ => (method, "gp-matern-ls"),
    };
    let strategy = match name.split('-').next() {
        Some("rs") => "random",
        Some("cma") => "cma",
        _ => process,
    };
    let (name, rule) = match name.strip_suffix("-same") {
        Some(name) if name.starts_with("eo-") => (name, SlotRule::SameLoss),
        _ => (name, SlotRule::ZeroOne),
    };
    let slots = match name {
        "eo-zo" => Some(VoteLoss::ZeroOne),
        "eo-c" => Some(VoteLoss::CBound),
        "eo-sqm" | "eo-post" => Some(VoteLoss::SquaredMargin),
        "eo-sig" => Some(VoteLoss::Sigmoid),
        "rs-best" | "rs-post" | "cma-best" | "bo-best" | "bo-post" => None,
        _ => {
            let problem =
                "a method is rs-, cma- or bo-, then best or post, or eo- and its loss; then -same, -raw";
            return Err(
                SearchError::BadSetting { setting: "method", value: method.to_owned(), problem }.into()
            );
        }
    };
    Ok(Recipe { strategy, slots: slots.map(|loss| (loss, rule)), selects: name.ends_with("-post") })
}

/// One search, and the test error of the vote it leads to. Methods that search alike share the search.
pub fn ensemble(key: &Key, bench: &mut Workbench<'_>) -> Result<Run, BenchError> {
    let recipe = recipe(&key.method)?;
    let protocol = Protocol { test: 1.0 / 3.0, ..Protocol::cross_validation() };
    let Key { problem, seed, trials, .. } = key;
    let name =
        format!("{problem}, seed {seed}, {trials} trials by {} for {:?}", recipe.strategy, recipe.slots);
    let (kept, stop) = (bench.take_kept::<Search>(&name), bench.stopper());
    let (search, run) = bench.with_learner(problem, *seed, &protocol, |learner| {
        let search = match kept {
            Some(search) => search,
            None => Search::make(key, &recipe, learner, stop)?,
        };
        let chosen = search.choose(&recipe, *seed)?;
        let run = search.result(key, &chosen, learner)?;
        Ok((search, run))
    })?;
    bench.keep(name, search);
    Ok(run)
}

/// A search that has come to its end.
struct Search {
    /// Losses, improvements and failures, under the key of the first method that wanted it.
    run: Run,
    study: Study,
    pool: Pool,
    slots: Option<Judged>,
}

/// Slots, and what judges who gets them.
struct Judged {
    slots: Slots,
    loss: VoteLoss,
    rule: SlotRule,
}

impl Judged {
    fn voters<'a>(&self, pool: &'a Pool) -> Voters<'a> {
        Voters { pool, loss: self.loss, rule: self.rule }
    }
}

impl Search {
    fn make(
        key: &Key,
        recipe: &Recipe,
        learner: &mut Learner,
        stop: &dyn Fn() -> bool,
    ) -> Result<Self, BenchError> {
        let spec: StrategySpec = recipe.strategy.parse()?;
        let strategy = spec.build(learner.space(), &Workers::serial())?;
        let options = StudyOptions { strategy: spec, seed: key.seed, ..StudyOptions::default() };
        let study = Study::new(learner.space().clone(), options)?;
        let labels = learner.plan().search().iter().map(|row| learner.labels()[*row]).collect();
        let pool = Pool::new(labels, classes(learner))?;
        let slots = match recipe.slots {
            Some((loss, rule)) => Some(Judged { slots: Slots::new(MEMBERS)?, loss, rule }),
            None => None,
        };
        let mut search = Self { run: Run::new(key.clone()), study, pool, slots };
        for trial in 0..key.trials {
            if stop() {
                return Err(BenchError::Interrupted);
            }
            let asked = search.next(strategy.as_ref())?;
            search.evaluate(trial, asked, learner)?;
        }
        Ok(search)
    }

    /// What next: for the slot that is to be filled, or for itself.
    fn next(&self, strategy: &dyn Strategy) -> Result<Configuration, BenchError> {
        let history = self.study.history();
        let seed = self.run.key.seed;
        let mut rng = Rng::for_trial(seed, history.len() as u64);
        let ask = Ask { space: self.study.space(), history, seed, repeats: false };
        let suggestion = match &self.slots {
            Some(judged) if !self.pool.members().is_empty() => {
                judged.slots.suggest(&judged.voters(&self.pool), strategy, &ask, &mut rng)?
            }
            _ => strategy.suggest(&ask, &mut rng)?,
        };
        Ok(suggestion.configuration)
    }

    fn evaluate(
        &mut self,
        trial: usize,
        asked: Configuration,
        learner: &mut Learner,
    ) -> Result<(), BenchError> {
        let splits = learner.plan().splits(trial as u64)?;
        let Some(predicted) = learner.predict(&asked, &splits)? else {
            self.run.failures += 1;
            self.study.add(asked, 1.0)?;
            return Ok(());
        };
        let rows = learner.plan().search();
        let (mut votes, mut wrong) = (vec![ABSENT; rows.len()], 0.0);
        for (split, list) in splits.iter().zip(&predicted) {
            wrong += learner.wrong(&split.valid, list) / splits.len() as f64;
            for (row, class) in split.valid.iter().zip(list) {
                votes[rows.binary_search(row).expect("folds divide the rows searched on")] = *class;
            }
        }
        self.run.observe(trial, wrong);
        let number = self.study.add(asked, wrong)?;
        self.pool.push(Member { trial: number, loss: wrong, votes })?;
        if let Some(judged) = &mut self.slots {
            let voters = judged.voters(&self.pool);
            judged.slots.take_in(&voters, self.pool.members().len() - 1);
        }
        Ok(())
    }

    /// Who votes.
    fn choose(&self, recipe: &Recipe, seed: u64) -> Result<Vec<usize>, BenchError> {
        Ok(match &self.slots {
            _ if self.pool.members().is_empty() => Vec::new(),
            _ if recipe.selects => {
                let greedy = Greedy { size: MEMBERS, best_prefix: false, ..Greedy::default() };
                greedy.select(&self.pool, &mut Rng::new(seed))?
            }
            Some(judged) => judged.slots.members(),
            None => vec![best(&self.pool)],
        })
    }

    fn result(&self, key: &Key, chosen: &[usize], learner: &mut Learner) -> Result<Run, BenchError> {
        let run = Run { key: key.clone(), test: self.vote(chosen, learner)?, ..self.run.clone() };
        let run = run.with("members", chosen.len() as f64);
        if chosen.is_empty() {
            return Ok(run);
        }
        let own: f64 = chosen.iter().map(|member| self.pool.members()[*member].loss).sum();
        let votes = self.pool.votes_of(chosen);
        let tied = votes.tallies().filter(|row| row.right == row.rival).count() as f64;
        Ok(run
            .with("voted", VoteLoss::ZeroOne.of(&votes))
            .with("tied", tied / votes.labels().len() as f64)
            .with("alone", own / chosen.len() as f64))
    }

    fn vote(&self, chosen: &[usize], learner: &mut Learner) -> Result<Option<f64>, BenchError> {
        let split = learner.final_split();
        let labels: Vec<u32> = split.valid.iter().map(|row| learner.labels()[*row]).collect();
        let mut votes = Votes::new(labels, classes(learner))?;
        for member in chosen {
            let number = self.pool.members()[*member].trial;
            let trial: &Trial = &self.study.history().trials()[usize::try_from(number).unwrap_or(0)];
            if let Some(predicted) = learner.predict(&trial.configuration, std::slice::from_ref(&split))? {
                votes.add(&predicted[0]);
            }
        }
        Ok((votes.members() > 0).then(|| learner.wrong(&split.valid, &votes.predict())))
    }
}

fn classes(learner: &Learner) -> usize {
    learner.labels().iter().max().map_or(2, |most| *most as usize + 1).max(2)
}

/// The member of least loss, the earliest where several tie.
fn best(pool: &Pool) -> usize {
    let members = pool.members().iter().enumerate();
    members.min_by(|a, b| a.1.loss.total_cmp(&b.1.loss)).map_or(0, |(i, _)| i)
}
