//! What a model remembers for the next fit: the chain's last state, by name.
use crate::hyper::Hyper;
use crate::infer::Start;
use serde::{Deserialize, Serialize};

/// Values of hypers in natural units, by name, so that a chain survives a changed space.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Memory {
    values: Vec<(String, f64)>,
}

impl Memory {
    /// The state θ of these hypers.
    pub(crate) fn of(hypers: &[Hyper], theta: &[f64]) -> Self {
        let values =
            hypers.iter().zip(theta).map(|(hyper, &at)| (hyper.name.clone(), hyper.value(at))).collect();
        Self { values }
    }

    /// The value remembered under a name.
    pub fn value(&self, name: &str) -> Option<f64> {
        self.values.iter().find(|(known, _)| known == name).map(|&(_, value)| value)
    }

    /// Where a chain over these hypers goes on. A value outside its range, such as a mean after the losses
    /// changed, or an unknown one begins at its start; if none is known the chain is fresh.
    pub(crate) fn start(memory: Option<&Memory>, hypers: &[Hyper]) -> Start {
        let known = |hyper: &Hyper| {
            let value = memory?.value(&hyper.name)?;
            let (low, high) = hyper.bounds();
            Some(hyper.coordinate(value)).filter(|at| (low..=high).contains(at))
        };
        let remembered: Vec<Option<f64>> = hypers.iter().map(known).collect();
        let is_fresh = remembered.iter().all(Option::is_none);
        let theta =
            hypers.iter().zip(remembered).map(|(hyper, at)| at.unwrap_or(hyper.coordinate(hyper.start)));
        if is_fresh { Start::Fresh(theta.collect()) } else { Start::Continue(theta.collect()) }
    }
}
