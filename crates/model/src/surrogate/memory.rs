//! What a model stores for the next fit: the last states of the chain, by name of the hyper.
use crate::hyper::{self, Hyper};
use crate::infer::{Inference, LogDensity, Start};
use arbora_space::Rng;
use serde::{Deserialize, Serialize};

/// Values of hypers in natural units, by name, so that a chain can continue after the space has
/// changed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Memory {
    names: Vec<String>,
    /// Oldest first; one value per name.
    states: Vec<Vec<f64>>,
}

impl Memory {
    /// States of a chain over these hypers, oldest first.
    pub fn of<'a>(hypers: &[Hyper], states: impl IntoIterator<Item = &'a Vec<f64>>) -> Self {
        let natural =
            |theta: &Vec<f64>| hypers.iter().zip(theta).map(|(hyper, &at)| hyper.value(at)).collect();
        Self {
            names: hypers.iter().map(|hyper| hyper.name.clone()).collect(),
            states: states.into_iter().map(natural).collect(),
        }
    }

    /// The value with this name in the last state.
    pub fn value(&self, name: &str) -> Option<f64> {
        self.value_in(self.states.last()?, name)
    }

    /// The values with this name in all states, oldest first.
    pub fn values(&self, name: &str) -> Vec<f64> {
        self.states.iter().filter_map(|state| self.value_in(state, name)).collect()
    }

    fn value_in(&self, state: &[f64], name: &str) -> Option<f64> {
        self.names.iter().position(|known| known == name).and_then(|at| state.get(at).copied())
    }

    /// Adds a prefix to the names.
    pub(crate) fn under(&self, prefix: &str) -> Self {
        let names = self.names.iter().map(|name| format!("{prefix}{name}")).collect();
        Self { names, states: self.states.clone() }
    }

    /// The part with this prefix, without the prefix; `None` if there is none.
    pub(crate) fn within(&self, prefix: &str) -> Option<Self> {
        let is_mine: Vec<Option<&str>> = self.names.iter().map(|name| name.strip_prefix(prefix)).collect();
        let names: Vec<String> = is_mine.iter().flatten().map(|name| (*name).to_owned()).collect();
        let kept = |state: &Vec<f64>| {
            let mine = state.iter().zip(&is_mine).filter(|(_, name)| name.is_some());
            mine.map(|(value, _)| *value).collect()
        };
        (!names.is_empty()).then(|| Self { names, states: self.states.iter().map(kept).collect() })
    }

    /// Combines several memories, with as many of the last states as all of them have; `None` if
    /// there are none.
    pub(crate) fn joined(parts: &[Self]) -> Option<Self> {
        let count = parts.iter().map(|part| part.states.len()).min()?;
        let state =
            |back: usize| parts.iter().flat_map(move |p| p.states[p.states.len() - back].iter().copied());
        let states = (1..=count).rev().map(|back| state(back).collect()).collect();
        Some(Self { names: parts.iter().flat_map(|part| part.names.iter().cloned()).collect(), states })
    }

    /// Where a chain over these hypers starts. If a value of the last state is unknown or outside
    /// its range, as a mean may be after the losses changed, that hyper starts at its default;
    /// earlier states with such a value are dropped. Without any known value, the chain is fresh.
    pub fn start(memory: Option<&Memory>, hypers: &[Hyper]) -> Start {
        let known = |state: &[f64], hyper: &Hyper| {
            let value = memory?.value_in(state, &hyper.name)?;
            let (low, high) = hyper.bounds();
            Some(hyper.coordinate(value)).filter(|at| (low..=high).contains(at))
        };
        let begin = |hyper: &Hyper| hyper.coordinate(hyper.start);
        let states = memory.map_or(&[][..], |memory| &memory.states);
        let Some((last, earlier)) = states.split_last() else {
            return Start::Fresh(hyper::starts(hypers));
        };
        if hypers.iter().all(|hyper| known(last, hyper).is_none()) {
            return Start::Fresh(hyper::starts(hypers));
        }
        let whole =
            |state: &Vec<f64>| hypers.iter().map(|hyper| known(state, hyper)).collect::<Option<Vec<f64>>>();
        let mut kept: Vec<Vec<f64>> = earlier.iter().filter_map(whole).collect();
        kept.push(hypers.iter().map(|hyper| known(last, hyper).unwrap_or_else(|| begin(hyper))).collect());
        Start::Continue(kept)
    }

    /// Draws of θ that continue from the stored states, or start afresh if those are unusable.
    /// Empty if no θ has a finite likelihood.
    pub fn draw_on(
        memory: Option<&Memory>,
        inference: &dyn Inference,
        target: &mut dyn LogDensity,
        rng: &mut Rng,
    ) -> Vec<Vec<f64>> {
        let start = Self::start(memory, target.hypers());
        let draws = inference.draw(target, &start, rng);
        if !draws.is_empty() || matches!(start, Start::Fresh(_)) {
            return draws;
        }
        let fresh = Start::Fresh(hyper::starts(target.hypers()));
        inference.draw(target, &fresh, rng)
    }
}
