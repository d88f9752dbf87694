//! What is searched: a problem that has been opened for one run.
//!
//! Laws: the loss of a configuration is a function of (problem, seed, configuration, trial); the space never changes.
//! Every [`Problem`] is a task; others live at the end of a pipe.
mod learner;
mod remote;

pub use learner::{Errors, Learner, Protocol, Sizes};
pub use remote::Remote;

use crate::error::BenchError;
use crate::problem::Problem;
use arbora_space::{Configuration, Space};

/// A problem that has been opened.
pub trait Task {
    /// Everything that can be tried.
    fn space(&self) -> &Space;

    /// The loss of a configuration in the trial of this number; `None` if the evaluation failed.
    fn evaluate(&mut self, configuration: &Configuration, trial: usize) -> Result<Option<f64>, BenchError>;

    /// What an evaluation that came out as `loss` is worth: the loss without its noise, where that is known.
    fn judged(&self, _: &Configuration, loss: f64) -> f64 {
        loss
    }

    /// The error of a configuration on rows nobody has seen, where there are such.
    fn test(&mut self, _: &Configuration) -> Result<Option<f64>, BenchError> {
        Ok(None)
    }
}

impl Task for Problem {
    fn space(&self) -> &Space {
        Problem::space(self)
    }

    fn evaluate(&mut self, configuration: &Configuration, _: usize) -> Result<Option<f64>, BenchError> {
        Ok(Some(self.loss(configuration)).filter(|loss| loss.is_finite()))
    }
}

/// A problem whose evaluations are noisy, a function of seed and trial.
pub struct Noisy {
    /// Which problem.
    pub problem: Problem,
    /// The source of the noise.
    pub seed: u64,
}

impl Task for Noisy {
    fn space(&self) -> &Space {
        self.problem.space()
    }

    fn evaluate(&mut self, configuration: &Configuration, trial: usize) -> Result<Option<f64>, BenchError> {
        let observed = self.problem.observed(configuration, self.seed, trial);
        Ok(Some(observed).filter(|loss| loss.is_finite()))
    }

    fn judged(&self, configuration: &Configuration, _: f64) -> f64 {
        self.problem.loss(configuration)
    }
}
