//! Find the best configuration of an expensive black box whose parameters depend on each other.
//!
//! ```
//! # #[cfg(feature = "derive")] {
//! use arbora::{Rng, Space, TypedSpace};
//!
//! #[derive(Space, Debug)]
//! enum Model {
//!     Svm { #[space(low = 1e-5, high = 1e5, log)] c: f64 },
//!     Forest { #[space(low = 1, high = 500, log)] trees: u32 },
//! }
//!
//! let space = Model::space()?;
//! let configuration = space.sample(&mut Rng::new(7))?;
//! match Model::from_configuration(&space, &configuration)? {
//!     Model::Svm { c } => assert!((1e-5..=1e5).contains(&c)),
//!     Model::Forest { trees } => assert!((1..=500).contains(&trees)),
//! }
//! # }
//! # Ok::<(), arbora::SpaceError>(())
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
pub use arbora_space as space;
pub use arbora_space::{
    Configuration, Domain, Param, ParamId, Parameter, Prior, Rng, Space, SpaceError, SpaceSpec, TypedSpace,
    Value,
};

#[cfg(feature = "derive")]
pub use arbora_derive::Space;
#[cfg(feature = "model")]
pub use arbora_model as model;
#[cfg(feature = "search")]
pub use arbora_search as search;
