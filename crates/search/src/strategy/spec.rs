//! A strategy as data: chosen by name, or part by part.
use super::{ModelSpec, Proposer, Strategy};
use crate::component::{Component, Spec, StrategyContext};
use crate::error::SearchError;
use arbora_model::Workers;
use arbora_space::Space;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Any strategy: `{ kind = "tpe", startup = 10 }`, or a preset such as `"auto".parse()`.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StrategySpec(Spec<dyn Strategy>);

impl StrategySpec {
    /// This strategy.
    pub fn new<C: Component<dyn Strategy>>(strategy: C) -> Self {
        Self(Spec::new(strategy))
    }

    /// The strategy of this kind with all its defaults.
    ///
    /// # Errors
    /// If no kind is called so, or if one of its settings has no default.
    pub fn named(kind: &str) -> Result<Self, serde_json::Error> {
        Spec::named(kind).map(Self)
    }

    /// Of which kind it is.
    pub fn kind(&self) -> &str {
        self.0.kind()
    }

    /// The strategy, if it is of this type.
    pub fn get<C: Component<dyn Strategy>>(&self) -> Option<&C> {
        self.0.get()
    }

    /// The strategy, to be changed, if it is of this type.
    pub fn get_mut<C: Component<dyn Strategy>>(&mut self) -> Option<&mut C> {
        self.0.get_mut()
    }

    /// The model it asks in a space after so many trials, however deep it lies; `None` if it asks none.
    pub fn model(&self, space: &Space, trials: usize) -> Option<&ModelSpec> {
        match self.0.facts() {
            Proposer::Itself => None,
            Proposer::Model(model) => Some(model),
            Proposer::Other(chosen) => chosen(space, trials).model(space, trials),
        }
    }

    /// Checks everything once and returns the working thing. What it suggests does not depend on the workers.
    pub fn build(&self, space: &Space, workers: &Workers) -> Result<Box<dyn Strategy>, SearchError> {
        self.build_in(StrategyContext { space, workers })
    }

    /// The same, as strategies build those that they are made of.
    pub fn build_in(&self, context: StrategyContext<'_>) -> Result<Box<dyn Strategy>, SearchError> {
        self.0.build(context)
    }

    /// Reads a specification from JSON.
    pub fn from_json(text: &str) -> Result<Self, SearchError> {
        serde_json::from_str(text)
            .map_err(|e| SearchError::BadSpec { what: "strategy", problem: e.to_string() })
    }
}

impl fmt::Debug for StrategySpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}
