//! Methods from papers: their kernels, Kriging, box searches, and the rows of their tables as named
//! strategies.
//!
//! This crate has no privileges: it registers its components in [`arbora_model`] and
//! [`arbora_search`] with [`register`](arbora_model::component::register) and its strategies with
//! [`register_presets`]. Your crate can do the same.
//!
//! ```
//! use arbora_search::{StrategySpec, Study, StudyOptions};
//! use arbora_space::{Param, Space};
//! arbora_papers::register()?;
//! let space = Space::new([Param::real("x", 0.0, 1.0), Param::real("y", 0.0, 1.0).when("x > 0.5")])?;
//! let strategy: StrategySpec = "gp-imp".parse()?;
//! let mut study = Study::new(space, StudyOptions { strategy, ..StudyOptions::default() })?;
//! let trial = study.ask()?;
//! study.tell(trial.number, 0.3)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`kriging`]: a process with a nugget, for kernels that may be indefinite. Surrogate `kriging`.
//! - [`hierarchical`], [`rule`]: distances that account for inactive parameters. Kernel
//!   `hierarchical`, or the name of a rule: `arc`, `ico`, `imp`, `imp_arc`, `standard`, `wedge`.
//! - [`mondrian`]: random partitions. Kernel `mondrian`.
//! - [`global_search`]: maximum likelihood in a box. Inference `direct`.
//! - [`maximize`]: searches of the unit cube. Maximizers `differential_evolution` and `direct`.
//! - [`direct`]: the search that two of these use.
#![allow(clippy::doc_markdown, reason = "formulas in comments have subscripts")]
#![allow(
    clippy::inline_always,
    reason = "SIMD code must be inlined into the function that enables its instructions"
)]
pub mod direct;
pub mod global_search;
pub mod hierarchical;
pub mod kriging;
pub mod maximize;
pub mod mondrian;
mod presets;
pub mod rule;

use arbora_model::Surrogate;
use arbora_model::component::{KindTaken, register as component};
use arbora_model::infer::Inference;
use arbora_model::kernel::Kernel;
use arbora_search::{Maximizer, register_presets};

/// Registers the components and strategies of this crate, so that specs and studies can name them.
/// Calling it again has no effect.
///
/// # Errors
/// If one of the names is taken.
pub fn register() -> Result<(), KindTaken> {
    component::<dyn Kernel, hierarchical::HierarchicalSpec>()?;
    component::<dyn Kernel, mondrian::MondrianSpec>()?;
    component::<dyn Inference, global_search::GlobalSearch>()?;
    component::<dyn Surrogate, kriging::KrigingSpec>()?;
    component::<dyn Maximizer, maximize::DifferentialEvolution>()?;
    component::<dyn Maximizer, maximize::DividedCube>()?;
    register_presets(presets::ROWS)?;
    register_presets(presets::KRIGING)
}
