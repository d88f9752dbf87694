//! What can be tried? Conditional search spaces.
//!
//! ```
//! use arbora_space::{Encoding, Param, Rng, Space, SpaceSpec};
//! let spec = SpaceSpec::new([
//!     Param::choice("model", ["svm", "forest"]),
//!     Param::real("svm.C", 1e-5, 1e5).log().when("model == 'svm'"),
//!     Param::integer("forest.depth", 1, 30).or_none().when("model == 'forest'"),
//! ]);
//! let space = Space::new(spec.forbid("`svm.C` > 1000"))?;
//! let drawn = space.sample(&mut Rng::new(7))?;
//! println!("{:?}", space.named(&drawn)); // active parameters only
//! let points = space.encode([&drawn], &Encoding::default()); // what models see
//! assert_eq!(points.row(0).active().columns().count(), drawn.len());
//! # Ok::<(), arbora_space::SpaceError>(())
//! ```
//!
//! A *space* has *parameters*, each with a *domain* of *values* and a *condition* under which it is
//! *active*. A parameter that others depend on is a *decider*. A *configuration* has values for the
//! active parameters and no others; its *branch* is the set of its decisions. *Points* are encoded
//! configurations, and a *layout* says what their columns mean: models know nothing else about a
//! space. *Clauses* are forbidden combinations.
mod branch;
mod build;
mod cardinality;
pub mod condition;
mod configuration;
pub mod constraint;
mod count;
mod create;
pub mod domain;
mod encode;
mod enumerate;
mod error;
mod evolve;
pub mod expression;
mod feasible;
mod finite;
pub mod format;
mod id;
mod infer_conditions;
mod layout;
mod named;
mod neighbour;
mod nested;
pub mod normal;
mod parameter;
mod points;
mod prior_sampling;
mod quantity;
mod rng;
mod sample;
mod space;
mod spec;
mod subdomain;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod tree;
pub mod typed;
mod value;
pub mod words;

pub use branch::BranchKey;
pub use cardinality::Cardinality;
pub use condition::Condition;
pub use configuration::Configuration;

pub use domain::Domain;
pub use encode::{Branching, Encoding, Imputation};
pub use error::{Mismatch, SpaceError};
pub use evolve::Change;
pub use expression::Expression;
pub use id::ParamId;
pub use infer_conditions::{Inferred, Observation, infer_conditions};
pub use layout::{Column, ColumnKind, ColumnPlace, Layout};
pub use named::Named;
pub use neighbour::Reach;
pub use parameter::{Parameter, Role};
pub use points::{Activity, Point, Points};
pub use quantity::Quantity;
pub use rng::Rng;
pub use space::Space;
pub use spec::{DomainSpec, ExpressionSource, Param, Prior, SpaceSpec};
pub use tree::{Decision, Leaf, Node, Outline, OutlineItem, OutlineKind, Tree};
pub use typed::TypedSpace;
pub use value::Value;
