//! What next? Acquisitions, maximizers, designs, strategies, and the study that asks and tells.
//!
//! One suggestion, read aloud: [`Study::ask`] → [`Strategy::suggest`] → [`History::dataset`] → `Surrogate::fit` →
//! [`Acquisition::over`] → [`Maximizer::maximize`] → a configuration → a [`Trial`]. Each step hands a value on and
//! nothing calls back; a suggestion is a pure function of (space, history, seed).
//!
//! ```
//! use arbora_search::{Study, StudyOptions};
//! use arbora_space::{Param, Space};
//! let space = Space::new([
//!     Param::choice("model", ["line", "bowl"]),
//!     Param::real("a", 0.0, 1.0).when("model == 'line'"),
//!     Param::real("b", -1.0, 1.0).when("model == 'bowl'"),
//! ])?;
//! let mut study = Study::new(space, StudyOptions { strategy: "gp-conditional".parse()?, ..Default::default() })?;
//! for _ in 0..15 {
//!     let trial = study.ask()?;
//!     let number = |name| study.value(&trial, name).and_then(|v| v.as_f64());
//!     let loss = number("a").map_or_else(|| number("b").unwrap().powi(2), |a| 0.5 + a);
//!     study.tell(trial.number, loss)?;
//! }
//! assert!(study.best_value().unwrap() < 0.1);
//! # Ok::<(), arbora_search::SearchError>(())
//! ```
#![allow(clippy::doc_markdown, reason = "formulas in comments have subscripts")]
pub mod acquisition;
mod believed;
pub mod component;
mod cube;
mod curve;
pub mod design;
mod error;
mod evolution;
mod forecast;
mod history;
pub mod importance;
mod ladder;
pub mod maximize;
mod memo;
mod missing;
mod presets;
pub mod pruner;
mod range;
mod sobol;
pub mod strategy;
mod study;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod trial;
mod unseen;

pub use acquisition::{Acquisition, AcquisitionSpec, Utility};
pub use arbora_model::Interrupt;
pub use curve::Curve;
pub use design::{Design, DesignSpec};
pub use error::SearchError;
pub use evolution::Selection;
pub use forecast::{Forecast, Prospect};
pub use history::History;
pub use maximize::{Maximizer, MaximizerSpec};
pub use memo::Memo;
pub use missing::Missing;
pub use presets::{Group, Preset, presets, register_presets, register_strategy};
pub use pruner::{Pruner, PrunerSpec};
pub use range::ValueRange;
pub use strategy::{Ask, CostSpec, FabolasSpec, ModelSpec, Strategy, StrategySpec, Suggestion};
pub use study::{Direction, Report, Study, StudyOptions};
pub use trial::{Effort, Outcome, Trial};
pub use unseen::Taken;
