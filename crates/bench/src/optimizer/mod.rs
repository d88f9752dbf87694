//! Who searches: strategies of this library, and optimizers at the end of a pipe.
//!
//! An [`Optimizer`] is a recipe; [`open`](Optimizer::open) starts one search. Laws: a search is a function of (space,
//! seed, losses told); every `ask` is followed by one `tell`. An optimizer of one's own is a few lines:
//!
//! ```
//! use arbora_bench::optimizer::{Optimizer, Search};
//! use arbora_bench::problem::branin;
//! use arbora_bench::{BenchError, Key, Context, run_one};
//! use arbora_space::{Configuration, Rng, Space};
//!
//! /// Draws anything.
//! struct Blind;
//! struct Drawing(Space, Rng);
//!
//! impl Optimizer for Blind {
//!     fn open(&self, space: &Space, seed: u64, _: usize) -> Result<Box<dyn Search>, BenchError> {
//!         Ok(Box::new(Drawing(space.clone(), Rng::new(seed))))
//!     }
//! }
//! impl Search for Drawing {
//!     fn ask(&mut self) -> Result<Configuration, BenchError> {
//!         Ok(self.0.sample(&mut self.1)?)
//!     }
//!     fn tell(&mut self, _: &Configuration, _: Option<f64>) -> Result<(), BenchError> {
//!         Ok(())
//!     }
//! }
//!
//! let key = Key { experiment: "own".into(), problem: "branin".into(), method: "blind".into(), seed: 7, trials: 50 };
//! let run = run_one(key, &mut branin(), &Blind, None, &|| false)?;
//! assert!(run.loss().unwrap() < 20.0);
//! # let _: Option<Context> = None;
//! # Ok::<(), BenchError>(())
//! ```
mod native;
mod peer;

pub use native::Native;
pub use peer::Peer;

use crate::error::BenchError;
use arbora_space::{Configuration, Space};

/// Somebody who can search.
pub trait Optimizer {
    /// Begins a search of so many trials.
    fn open(&self, space: &Space, seed: u64, trials: usize) -> Result<Box<dyn Search>, BenchError>;
}

/// A search that has begun.
pub trait Search {
    /// The next configuration to evaluate.
    fn ask(&mut self) -> Result<Configuration, BenchError>;

    /// What came of it; `None` if it failed. A configuration that was not asked for is taken in as a result known from
    /// elsewhere.
    fn tell(&mut self, configuration: &Configuration, loss: Option<f64>) -> Result<(), BenchError>;

    /// CPU seconds spent elsewhere since the last call: in another process, say. This thread's are counted anyway.
    fn seconds_elsewhere(&mut self) -> f64 {
        0.0
    }
}
