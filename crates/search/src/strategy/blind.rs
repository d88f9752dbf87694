//! A strategy that knows no conditions: it searches as if every parameter were always there.
//!
//! The strategy inside sees an unconditional twin of the space. Values of inactive parameters are drawn,
//! modelled and searched like any other, though nothing depends on them; they travel in the trial's memo.
//! With `cube` the twin is the unit cube: whole numbers and alternatives share an edge in equal parts, and
//! points are scored before they are rounded. So two suggestions may round to one configuration
//! [Eggensperger et al. 2013, fig. 1] or differ in dead coordinates only. Where repeats are not wanted, a
//! random configuration takes the place of a second one; so it does where a constraint forbids the point.
//!
//! For the baselines of the papers: Spearmint and GP-matern-noimpute of Lévesque et al. 2017, gp-baseline of
//! Jenatton et al. 2017, Stan of Zaefferer & Horn 2018. Never a good choice where there are conditions.
use super::{Ask, Component, Proposer, Strategy, StrategyContext, StrategySpec, Suggestion};
use crate::cube;
use crate::error::SearchError;
use crate::history::{History, PLACE};
use crate::trial::Trial;
use crate::unseen::Taken;
use arbora_space::{Configuration, Encoding, Imputation, Param, Rng, Space, SpaceSpec};
use serde::{Deserialize, Serialize};

/// A strategy that searches as if every parameter were always there, as data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlindSpec {
    /// Whose suggestions.
    pub strategy: StrategySpec,
    /// Does it search the unit cube, points rounded only when they are tried?
    #[serde(default)]
    pub cube: bool,
}

impl Component<dyn Strategy> for BlindSpec {
    const KIND: &'static str = "blind";

    fn build(&self, context: StrategyContext<'_>) -> Result<Box<dyn Strategy>, SearchError> {
        let twin = Twin::of(context.space, self.cube)?;
        let inside = StrategyContext { space: &twin.space, ..context };
        Ok(Box::new(Blind::new(self.strategy.build_in(inside)?, twin)))
    }

    fn facts(&self) -> Proposer<'_> {
        Proposer::Other(Box::new(|_, _| &self.strategy))
    }
}

/// Searches without conditions.
pub struct Blind {
    strategy: Box<dyn Strategy>,
    twin: Twin,
}

/// A space without its conditions.
pub(crate) struct Twin {
    pub(crate) space: Space,
    /// The column of the space behind every column of the twin.
    columns: Vec<usize>,
    is_cube: bool,
}

impl Twin {
    pub(crate) fn of(space: &Space, is_cube: bool) -> Result<Self, SearchError> {
        // A cube without edges is no space.
        let is_cube = is_cube && !cube::varying(space).is_empty();
        let params = if is_cube { edges(space) } else { unconditional(space) };
        let twin = Space::new(SpaceSpec::new(params))?;
        // By name: without conditions the order may be another. Hidden switches have no id by name.
        let column = |name: &str| space.parameters().iter().position(|own| own.name() == name);
        let columns = twin.parameters().iter().filter_map(|own| column(own.name())).collect();
        Ok(Self { space: twin, columns, is_cube })
    }

    /// The twin of a place.
    fn configuration(&self, place: &[f64]) -> Configuration {
        self.space.decode_dense(&self.columns.iter().map(|&column| place[column]).collect::<Vec<_>>())
    }

    /// The place of a twin; columns that the twin lacks stay in the middle.
    fn place(&self, configuration: &Configuration, width: usize) -> Vec<f64> {
        let row = self.space.encode([configuration], &Encoding::default());
        let mut place = vec![0.5; width];
        self.columns.iter().zip(row.row(0).x()).for_each(|(&column, u)| place[column] = *u);
        place
    }

    /// What a place of the space stands for; `None` if it may not be proposed.
    fn proposable(&self, space: &Space, place: &[f64]) -> Option<Configuration> {
        if self.is_cube {
            return cube::proposable_at(space, place);
        }
        let found = space.decode_dense(place);
        space.may_propose(&found).then_some(found)
    }

    /// Where a configuration lies that came without a place: dead coordinates are drawn, the same every time.
    fn place_of(&self, space: &Space, configuration: &Configuration) -> Vec<f64> {
        let mut place = space.imputed_values_of(configuration, &Imputation::Raw, &[]).into_owned();
        if self.is_cube {
            cube::move_to(space, configuration, &mut place);
        } else {
            for (id, value) in configuration.iter() {
                place[id.index()] = space.parameter(id).domain().encode(value);
            }
        }
        place
    }
}

/// One edge of a cube for every parameter that can vary.
fn edges(space: &Space) -> Vec<Param> {
    let name = |column: usize| space.layout().columns[column].name.clone();
    cube::varying(space).into_iter().map(|column| Param::real(name(column), 0.0, 1.0)).collect()
}

/// The parameters as written, without conditions; whether an optional number is there is a parameter, too.
fn unconditional(space: &Space) -> Vec<Param> {
    let mut all = Vec::new();
    for param in &space.spec().parameters {
        if let Some(chance) = param.none {
            let presence = Param::choice(format!("{}?", param.name), ["none", "number"]);
            all.push(presence.weights([chance, 1.0 - chance]));
        }
        all.push(Param { when: Vec::new(), none: None, default: None, ..param.clone() });
    }
    all
}

impl Blind {
    pub(crate) fn new(strategy: Box<dyn Strategy>, twin: Twin) -> Self {
        Self { strategy, twin }
    }

    /// The history as a searcher of the twin made it.
    fn seen(&self, ask: &Ask<'_>) -> Result<History, SearchError> {
        let width = ask.space.layout().width();
        let mut seen = ask.history.clone();
        seen.map_trials(|trial: &Trial| {
            let noted = trial.memo.read(PLACE).filter(|place: &Vec<f64>| place.len() == width);
            let place = noted.unwrap_or_else(|| self.twin.place_of(ask.space, &trial.configuration));
            Ok(self.twin.configuration(&place))
        })?;
        Ok(seen)
    }
}

impl Strategy for Blind {
    fn suggest(&self, ask: &Ask<'_>, rng: &mut Rng) -> Result<Suggestion, SearchError> {
        let seen = self.seen(ask)?;
        // Two points of the twin are two, whatever they round to.
        let inside = Ask { space: &self.twin.space, history: &seen, repeats: true, ..*ask };
        let found = self.strategy.suggest(&inside, rng)?;
        let mut place = self.twin.place(&found.configuration, ask.space.layout().width());
        let taken = Taken::of(ask.history, ask.repeats);
        let proposable = self.twin.proposable(ask.space, &place).filter(|one| !taken.contains(one));
        let configuration = match proposable {
            Some(configuration) => configuration,
            None => {
                let drawn = taken.draw_unseen(ask.space, rng)?;
                place = self.twin.place_of(ask.space, &drawn);
                drawn
            }
        };
        Ok(Suggestion { configuration, effort: found.effort, memo: found.memo.with(PLACE, &place) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::{Study, StudyOptions};
    use std::collections::HashSet;

    fn space() -> Space {
        Space::new([
            Param::real("x", 0.0, 1.0).when("k > 1"),
            Param::integer("k", 1, 3),
            Param::choice("m", ["a", "b"]).when("k == 3"),
            Param::real("t", 0.0, 1.0).or_none().when("m == 'b'"),
        ])
        .unwrap()
    }

    #[test]
    fn a_twin_has_every_parameter_and_no_condition() {
        let space = space();
        for is_cube in [false, true] {
            let twin = Twin::of(&space, is_cube).unwrap();
            assert_eq!(twin.space.parameters().len(), space.parameters().len());
            let mut rng = Rng::new(1);
            for _ in 0..50 {
                let drawn = twin.space.sample(&mut rng).unwrap();
                assert_eq!(drawn.iter().count(), space.parameters().len(), "all are there");
                let place = twin.place(&drawn, space.layout().width());
                assert_eq!(twin.configuration(&place), drawn);
                let real = twin.proposable(&space, &place).unwrap();
                assert_eq!(space.check(&real), Ok(()));
                let again = twin.place_of(&space, &real);
                assert_eq!(twin.proposable(&space, &again), Some(real), "its place leads back to it");
            }
        }
    }

    #[test]
    fn a_space_of_nothing_to_vary_has_a_twin() {
        let space = Space::new([Param::integer("k", 3, 3)]).unwrap();
        for is_cube in [false, true] {
            let twin = Twin::of(&space, is_cube).unwrap();
            let drawn = twin.space.sample(&mut Rng::new(0)).unwrap();
            assert!(twin.proposable(&space, &twin.place(&drawn, 1)).is_some());
        }
    }

    /// On twelve values a searcher of the cube proposes some of them again, if it may.
    #[test]
    fn points_that_round_to_one_configuration_are_repeated_only_where_wanted() {
        let text = r#"{"kind":"blind","cube":true,"strategy":
            {"kind":"model","surrogate":{"kind":"gp","infer":{"kind":"map"}}}}"#;
        let strategy = StrategySpec::from_json(text).unwrap();
        for repeats in [true, false] {
            let options = StudyOptions { strategy: strategy.clone(), repeats, ..StudyOptions::default() };
            let coarse = Space::new([Param::integer("k", 1, 12)]).unwrap();
            let mut study = Study::new(coarse, options).unwrap();
            let mut tried = HashSet::new();
            for _ in 0..10 {
                let trial = study.ask().unwrap();
                let k = study.value(&trial, "k").unwrap().as_f64().unwrap();
                tried.insert(k as u64);
                study.tell(trial.number, (k - 7.3).powi(2)).unwrap();
            }
            assert_eq!(repeats, tried.len() < 10, "{tried:?}");
        }
    }
}
