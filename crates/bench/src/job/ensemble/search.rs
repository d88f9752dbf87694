//! One search, and what is made of it.
use super::method::EnsembleMethod;
use crate::error::BenchError;
use crate::job::Worker;
use crate::run::{Key, Run};
use crate::task::{Learner, Protocol, Task};
use arbora_evaluation::ensemble::{ABSENT, Greedy, Member, Pool, SlotRule, Slots, VoteLoss, Voters, Votes};
use arbora_model::{Interrupt, Workers};
use arbora_search::{Ask, Strategy, StrategySpec, Study, StudyOptions, Suggestion, Trial};
use arbora_space::Rng;

/// One search, and the test error of the vote it leads to. Methods that search alike share the search.
pub fn ensemble(key: &Key, worker: &mut Worker<'_>) -> Result<Run, BenchError> {
    let method = EnsembleMethod::named(&key.method)?;
    let protocol = Protocol { test: 1.0 / 3.0, ..Protocol::cross_validation() };
    let Key { problem, seed, trials, .. } = key;
    let wanted = SearchKey {
        problem: problem.clone(),
        seed: *seed,
        trials: *trials,
        strategy: method.strategy.clone(),
        slots: method.slots.map(|judged| (method.members, judged)),
    };
    let kept = worker.ensemble.take().filter(|(of, _)| *of == wanted).map(|(_, search)| search);
    let stop = worker.context.stopper();
    let (search, run) = worker.context.with_learner(problem, *seed, &protocol, |learner| {
        let search = match kept {
            Some(search) => search,
            None => EnsembleSearch::make(key, &method, learner, stop)?,
        };
        let chosen = search.choose(&method, *seed)?;
        let run = search.result(key, &chosen, learner)?;
        Ok((search, run))
    })?;
    worker.ensemble = Some((wanted, search));
    Ok(run)
}

/// All that a search depends on.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::job) struct SearchKey {
    problem: String,
    seed: u64,
    trials: usize,
    strategy: StrategySpec,
    slots: Option<(usize, (VoteLoss, SlotRule))>,
}

/// A search that has come to its end.
pub(in crate::job) struct EnsembleSearch {
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

impl EnsembleSearch {
    fn make(
        key: &Key,
        method: &EnsembleMethod,
        learner: &mut Learner,
        stop: &dyn Fn() -> bool,
    ) -> Result<Self, BenchError> {
        let spec = method.strategy.clone();
        let strategy = spec.build(learner.space(), &Workers::serial())?;
        let options = StudyOptions { strategy: spec, seed: key.seed, ..StudyOptions::default() };
        let study = Study::new(learner.space().clone(), options)?;
        let labels = learner.plan().search().iter().map(|row| learner.labels()[*row]).collect();
        let pool = Pool::new(labels, classes(learner))?;
        let slots = match method.slots {
            Some((loss, rule)) => Some(Judged { slots: Slots::new(method.members)?, loss, rule }),
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
    fn next(&self, strategy: &dyn Strategy) -> Result<Suggestion, BenchError> {
        let history = self.study.history();
        let seed = self.run.key.seed;
        let mut rng = Rng::for_trial(seed, history.len() as u64);
        let ask =
            Ask { space: self.study.space(), history, seed, repeats: false, interrupt: Interrupt::never() };
        Ok(match &self.slots {
            Some(judged) if !self.pool.members().is_empty() => {
                judged.slots.suggest(&judged.voters(&self.pool), strategy, &ask, &mut rng)?
            }
            _ => strategy.suggest(&ask, &mut rng)?,
        })
    }

    fn evaluate(&mut self, trial: usize, asked: Suggestion, learner: &mut Learner) -> Result<(), BenchError> {
        let splits = learner.splits(trial)?;
        let Some(predicted) = learner.predict(&asked.configuration, &splits)? else {
            self.run.failures += 1;
            self.record(asked, 1.0)?;
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
        let number = self.record(asked, wrong)?;
        self.pool.push(Member { trial: number, loss: wrong, votes })?;
        if let Some(judged) = &mut self.slots {
            let voters = judged.voters(&self.pool);
            judged.slots.update_from(&voters, self.pool.members().len() - 1);
        }
        Ok(())
    }

    /// A trial joins the history with what its strategy remembers: BO goes on with its chain, CMA-ES with its
    /// distribution. Labels of slots come with a history that forgets, so EO burns in at every trial.
    fn record(&mut self, asked: Suggestion, loss: f64) -> Result<u64, BenchError> {
        let number = self.study.history().len() as u64;
        let Suggestion { configuration, effort, memo } = asked;
        self.study.admit(Trial::asked(number, configuration, effort, memo))?;
        self.study.tell(number, loss)?;
        Ok(number)
    }

    /// Who votes.
    fn choose(&self, method: &EnsembleMethod, seed: u64) -> Result<Vec<usize>, BenchError> {
        Ok(match &self.slots {
            _ if self.pool.members().is_empty() => Vec::new(),
            _ if method.selects => {
                let greedy = Greedy { size: method.members, best_prefix: false, ..Greedy::default() };
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
