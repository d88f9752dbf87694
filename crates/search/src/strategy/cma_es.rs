//! CMA-ES as a strategy: the cube of all parameters, conditions unknown to it  [CMA of Lévesque et al. 2017].
//!
//! Coordinates of inactive parameters keep what was drawn, so they wander without effect. Every trial remembers its
//! place, the first of a generation the distribution it came from; a generation ends when λ of its trials are told,
//! failures ranked last. Asking beyond λ draws from the same distribution, so any number of workers is kept busy; what
//! they bring after the generation has ended is not learnt from. A distribution that has shrunk to a point starts
//! anew at a random place.
//!
//! O(N³) a suggestion, milliseconds at 50 dimensions. It needs some hundred evaluations to learn a shape: not for
//! small budgets, and not where categories decide.
use super::{Ask, Component, Strategy, StrategyContext, Suggestion};
use crate::cube;
use crate::error::SearchError;
use crate::evolution::{Offspring, Selection, State};
use crate::history::History;
use crate::memo::Memo;
use crate::trial::Trial;
use crate::unseen::Taken;
use arbora_space::{Configuration, Rng};
use serde::{Deserialize, Serialize};

/// Where the notes are kept.
const PLACE: &str = "cma";
const STATE: &str = "cma_state";

/// Draws before a place that is neither forbidden nor taken is given up for a random one.
const DRAWS: usize = 100;

/// CMA-ES over the cube of all parameters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CmaEs {
    /// Which points compete to be selected.
    pub selection: Selection,
    /// σ₀: the first standard deviation along every edge of the cube.
    pub sigma: f64,
}

impl Default for CmaEs {
    fn default() -> Self {
        Self { selection: Selection::Comma, sigma: 0.3 }
    }
}

impl Component<dyn Strategy> for CmaEs {
    const KIND: &'static str = "cma_es";

    fn build(&self, _context: StrategyContext<'_>) -> Result<Box<dyn Strategy>, SearchError> {
        self.check()?;
        Ok(Box::new(*self))
    }
}

#[derive(Serialize, Deserialize)]
struct Note {
    generation: u64,
    place: Vec<f64>,
}

/// The generation of a trial that comes from a population. Its members are ranked against each other, so they are to be
/// evaluated on the same rows.
pub fn generation(trial: &Trial) -> Option<u64> {
    trial.memo.read::<Note>(PLACE).map(|note| note.generation)
}

impl CmaEs {
    fn check(&self) -> Result<(), SearchError> {
        if self.sigma > 0.0 && self.sigma <= 1.0 {
            return Ok(());
        }
        let problem = "it must be positive and at most 1, the edge of the cube";
        Err(SearchError::BadSetting { setting: "sigma", value: self.sigma.to_string(), problem })
    }

    /// The distribution to draw from, and whether this trial is the first to do so.
    fn state(&self, ask: &Ask<'_>, width: usize, rng: &mut Rng) -> (State, bool) {
        let last = ask.history.trials().iter().rev().find_map(|t| t.memo.read::<State>(STATE));
        let Some(state) = last.filter(|state| state.width() == width) else {
            return (State::start(vec![0.5; width], self.sigma), true);
        };
        let told = offspring(ask.history, &state);
        if told.len() < state.rates().lambda {
            return (state, false);
        }
        let next = state.next(&told[..state.rates().lambda], self.selection);
        if next.has_converged() {
            let anywhere = (0..width).map(|_| rng.unit()).collect();
            return (next.restart(anywhere, self.sigma), true);
        }
        (next, true)
    }
}

/// What is known of the present generation, in the order of asking.
fn offspring(history: &History, state: &State) -> Vec<Offspring> {
    let forecasts = history.pruned_losses();
    let told = history
        .trials()
        .iter()
        .filter(|t| t.effort.is_full() && t.outcome.as_ref().is_some_and(|outcome| !outcome.is_abandoned()));
    told.filter_map(|trial| {
        let note: Note = trial.memo.read(PLACE)?;
        let is_present = note.generation == state.generation && note.place.len() == state.width();
        let loss = || trial.loss().or_else(|| forecasts.get(&trial.number).copied()).unwrap_or(f64::MAX);
        is_present.then(|| Offspring { place: note.place, loss: loss() })
    })
    .collect()
}

impl Strategy for CmaEs {
    fn suggest(&self, ask: &Ask<'_>, rng: &mut Rng) -> Result<Suggestion, SearchError> {
        let columns = cube::varying(ask.space);
        let (state, is_first) = self.state(ask, columns.len(), rng);
        let (configuration, place) = draw(ask, &state, &columns, rng)?;
        let memo = Memo::new().with(PLACE, &Note { generation: state.generation, place });
        Ok(Suggestion::full(configuration, if is_first { memo.with(STATE, &state) } else { memo }))
    }
}

/// A fresh configuration and its place in the columns that vary.
fn draw(
    ask: &Ask<'_>,
    state: &State,
    columns: &[usize],
    rng: &mut Rng,
) -> Result<(Configuration, Vec<f64>), SearchError> {
    let taken = Taken::of(ask.history, ask.repeats);
    let sampler = state.sampler();
    let mut place = sampler.draw(rng);
    for _ in 0..DRAWS {
        let found = cube::proposable_at(ask.space, &cube::widened(ask.space, columns, &place));
        if let Some(configuration) = found.filter(|c| !taken.contains(c)) {
            return Ok((configuration, place));
        }
        place = sampler.draw(rng);
    }
    let configuration = taken.draw_unseen(ask.space, rng)?;
    let mut wide = cube::widened(ask.space, columns, &place);
    cube::move_to(ask.space, &configuration, &mut wide);
    Ok((configuration, columns.iter().map(|&c| wide[c]).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::StrategySpec;
    use crate::study::{Report, Study, StudyOptions};
    use arbora_space::{Param, Space};

    fn study(spec: CmaEs, seed: u64) -> Study {
        let space = Space::new((0..3).map(|i| Param::real(format!("x{i}"), -1.0, 1.0)).collect::<Vec<_>>());
        let options = StudyOptions { strategy: StrategySpec::new(spec), seed, ..StudyOptions::default() };
        Study::new(space.unwrap(), options).unwrap()
    }

    fn bowl(study: &Study, trial: &Trial) -> f64 {
        (0..3).map(|i| (study.value(trial, &format!("x{i}")).unwrap().as_f64().unwrap() - 0.4).powi(2)).sum()
    }

    #[test]
    fn it_learns_generation_by_generation() {
        for selection in [Selection::Comma, Selection::Plus] {
            let mut study = study(CmaEs { selection, ..CmaEs::default() }, 1);
            for _ in 0..300 {
                let trial = study.ask().unwrap();
                let loss = bowl(&study, &trial);
                study.tell(trial.number, loss).unwrap();
            }
            assert!(study.best_value().unwrap() < 1e-6, "{selection:?}: {:?}", study.best_value());
        }
    }

    #[test]
    fn a_generation_waits_for_its_losses_and_survives_failures() {
        let mut study = study(CmaEs::default(), 2);
        let open: Vec<Trial> = (0..20).map(|_| study.ask().unwrap()).collect();
        assert!(open.iter().all(|t| generation(t) == Some(0)), "nothing is known yet");
        for trial in &open[..6] {
            study.tell(trial.number, Report::Failure("crashed".into())).unwrap();
        }
        assert_eq!(generation(&study.ask().unwrap()), Some(0), "λ is seven");
        study.tell(open[6].number, 1.0).unwrap();
        assert_eq!(generation(&study.ask().unwrap()), Some(1));
    }
}
