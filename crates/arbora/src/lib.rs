//! Find the best configuration of an expensive black box whose parameters depend on each other.
//!
//! ```
//! # #[cfg(all(feature = "derive", feature = "search"))] {
//! use arbora::{Space, Study, StudyOptions, TypedSpace};
//!
//! #[derive(Space, Debug)]
//! enum Model {
//!     Svm { #[space(low = 1e-5, high = 1e5, log)] c: f64 },
//!     Forest { #[space(low = 1, high = 500, log)] trees: u32 },
//! }
//!
//! let mut study = Study::new(Model::space()?, StudyOptions::default())?;
//! for _ in 0..20 {
//!     let trial = study.ask()?;
//!     let loss = match Model::from_configuration(study.space(), &trial.configuration)? {
//!         Model::Svm { c } => (c.log10() - 2.0).powi(2) / 50.0,
//!         Model::Forest { trees } => 0.3 + 1.0 / f64::from(trees),
//!     };
//!     study.tell(trial.number, loss)?;
//! }
//! assert!(study.best_value().unwrap() < 0.05);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A *space* is everything that can be tried: parameters, each with a domain of values and a condition for being
//! *active*. A *configuration* sets the active ones. A *study* is one search over a space: ask it for a
//! configuration, try it, tell the *loss*.
//!
//! | feature | brings |
//! |---|---|
//! | always | [`space`]: parameters, conditions, constraints, sampling |
//! | `derive` (default) | `#[derive(Space)]` on structs and enums |
//! | `model` | kernels and Gaussian processes on their own |
//! | `search` (default) | studies that ask and tell |
//! | `papers` | methods of the papers: call `papers::register()`, then name them |
//! | `store` | studies that survive a crash, shared by processes |
pub use arbora_space as space;
pub use arbora_space::{
    Configuration, Domain, Param, ParamId, Parameter, Prior, Rng, Space, SpaceError, SpaceSpec, TypedSpace,
    Value,
};

#[cfg(feature = "derive")]
pub use arbora_derive::Space;
#[cfg(feature = "model")]
pub use arbora_model as model;
#[cfg(feature = "papers")]
pub use arbora_papers as papers;
#[cfg(feature = "search")]
pub use arbora_search as search;
#[cfg(feature = "search")]
pub use arbora_search::{
    Direction, Effort, History, Interrupt, Outcome, Report, SearchError, StrategySpec, Study, StudyOptions,
    Trial,
};
#[cfg(feature = "store")]
pub use arbora_store as store;

/// The README's examples, compiled and run.
#[cfg(all(doctest, feature = "search"))]
#[doc = include_str!("../../../README.md")]
mod readme {}
