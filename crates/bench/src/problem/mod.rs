//! Problems with known optima, as the papers use them.
//!
//! A problem is a space and a loss; calling it is cheap, so that seeds can be many. Laws: the optimum is a valid
//! configuration and has the loss it claims; no configuration has less.
mod branin;
mod grid;
mod hard;
mod hartmann;
mod scale;
mod tree;
mod zaefferer;

pub use branin::branin;
pub use grid::GridProblem;
pub use hartmann::hartmann6;
pub use scale::{ScaleProblem, scale};
pub use tree::{SharedParameters, TreeShape, tree};
pub use zaefferer::{Setting, Situation, zaefferer, zaefferer_grid};

use crate::error::BenchError;
use arbora_space::{Configuration, Rng, Space, Value};

/// A space, a loss and its least value.
pub struct Problem {
    name: String,
    space: Space,
    loss: Function,
    noise: Option<Function>,
    optimum: f64,
}

/// A number for every configuration.
type Function = Box<dyn Fn(&Reading<'_>) -> f64 + Send + Sync>;

impl Problem {
    /// A problem of one's own.
    pub fn new(
        name: impl Into<String>,
        space: Space,
        optimum: f64,
        loss: impl Fn(&Reading<'_>) -> f64 + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), space, loss: Box::new(loss), noise: None, optimum }
    }

    /// The same, with normal noise of this standard deviation added to what a search is told.
    #[must_use]
    pub fn with_noise(mut self, deviation: impl Fn(&Reading<'_>) -> f64 + Send + Sync + 'static) -> Self {
        self.noise = Some(Box::new(deviation));
        self
    }

    /// Is a search told something else than the loss?
    pub fn is_noisy(&self) -> bool {
        self.noise.is_some()
    }

    /// As tables call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Everything that can be tried.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The least loss there is.
    pub fn optimum(&self) -> f64 {
        self.optimum
    }

    /// What a configuration is worth.
    pub fn loss(&self, configuration: &Configuration) -> f64 {
        (self.loss)(&Reading { space: &self.space, configuration })
    }

    /// What a search is told of a configuration, a function of the seed and the trial.
    pub fn observed(&self, configuration: &Configuration, seed: u64, trial: usize) -> f64 {
        let reading = Reading { space: &self.space, configuration };
        let loss = (self.loss)(&reading);
        match &self.noise {
            // Strategies draw from (seed, trial) themselves: the noise must not be what they drew.
            Some(deviation) => loss + deviation(&reading) * Rng::for_trial(!seed, trial as u64).normal(),
            None => loss,
        }
    }

    /// How much worse than the optimum.
    pub fn regret(&self, configuration: &Configuration) -> f64 {
        self.loss(configuration) - self.optimum
    }
}

/// A configuration read by name.
pub struct Reading<'a> {
    space: &'a Space,
    configuration: &'a Configuration,
}

impl Reading<'_> {
    /// A number.
    ///
    /// # Panics
    /// If the parameter is inactive or no number: a mistake in the problem.
    pub fn number(&self, name: &str) -> f64 {
        self.number_if_active(name)
            .unwrap_or_else(|| panic!("problem reads `{name}`, which is no active number"))
    }

    /// A number, if it is active.
    pub fn number_if_active(&self, name: &str) -> Option<f64> {
        self.space.value(self.configuration, name).and_then(|value| value.as_f64())
    }

    /// A choice, if it is active.
    pub fn choice(&self, name: &str) -> Option<Value> {
        self.space.value(self.configuration, name)
    }
}

/// The names [`by_name`] knows.
pub fn names() -> Vec<String> {
    let mut names = vec!["branin".to_owned(), "hartmann6".to_owned()];
    names.extend(TreeShape::all().into_iter().map(|shape| shape.name()));
    names.extend(Situation::ALL.iter().map(|situation| situation.name()));
    names.extend(ScaleProblem::ALL.iter().map(|size| size.name().to_owned()));
    names.extend(hard::names());
    names
}

/// A built-in problem. A setting of Zaefferer's function that has no name is called `zaefferer b=0.1 c=0.4 d=0.7`.
pub fn by_name(name: &str) -> Result<Problem, BenchError> {
    match name {
        "branin" => return Ok(branin()),
        "hartmann6" => return Ok(hartmann6()),
        _ => {}
    }
    if let Some(shape) = TreeShape::all().into_iter().find(|shape| shape.name() == name) {
        return Ok(tree(shape));
    }
    if let Some(size) = ScaleProblem::ALL.into_iter().find(|size| size.name() == name) {
        return Ok(scale(size));
    }
    if let Some(setting) = zaefferer_grid().into_iter().find(|setting| setting.name() == name) {
        return Ok(zaefferer(setting));
    }
    if let Some(problem) = hard::by_name(name) {
        return Ok(problem);
    }
    match Situation::ALL.iter().find(|situation| situation.name() == name) {
        Some(situation) => Ok(zaefferer(situation.typical())),
        None => Err(BenchError::UnknownProblem { name: name.to_owned(), known: names().join(", ") }),
    }
}

/// The least loss of a built-in problem or of a table of the papers.
pub fn optimum(name: &str) -> Option<f64> {
    match name {
        "lda-on-grid" => Some(1_266.167_382),
        "svm-on-grid" => Some(0.2411),
        "logreg-on-grid" => Some(0.0685),
        _ => by_name(name).ok().map(|problem| problem.optimum()),
    }
}

/// The letter of the situation of a setting of Zaefferer's function, by the name of the problem.
pub fn situation(name: &str) -> Option<&'static str> {
    let setting = zaefferer_grid().into_iter().find(|setting| setting.name() == name)?;
    Some(match setting.situation() {
        Situation::A => "A",
        Situation::B => "B",
        Situation::C => "C",
        Situation::D => "D",
        Situation::E => "E",
    })
}
