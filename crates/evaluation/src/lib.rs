//! Can this loss be trusted? Splits, selection, verdicts and ensembles.
//!
//! ```
//! use arbora_evaluation::{Plan, PlanSpec, Reshuffle, Rows};
//! let rows = Rows::new(100).with_classes((0..100).map(|i| i % 3).collect())?;
//! let spec = PlanSpec { test: Some(0.2), reshuffle: Reshuffle::EachTrial, seed: 7, ..PlanSpec::default() };
//! let plan = Plan::new(spec, rows)?;
//! let (first, second) = (plan.splits(0)?, plan.splits(1)?);
//! assert_eq!(first.len(), 5);
//! assert_ne!(first, second, "every trial sees its own splits");
//! assert_eq!(first, plan.splits(0)?, "which are a function of (seed, trial)");
//! # Ok::<(), arbora_evaluation::EvaluationError>(())
//! ```
//!
//! Tuning overfits the validation rows: the best observed loss is optimistically biased, and more
//! so with more trials. A [`Plan`] owns the splits and can redraw them for every trial. [`select`]
//! chooses a trial by its expected loss instead of its observed one. A [`Verdict`] says in plain
//! words what a study has found and how certain that is. [`ensemble`] combines trials that are
//! already evaluated.
#![allow(clippy::doc_markdown, reason = "formulas in comments have subscripts")]
pub mod ensemble;
mod error;
mod plan;
pub mod resample;
mod rows;
pub mod select;
mod verdict;

pub use error::EvaluationError;
pub use plan::{Plan, PlanSpec, Reshuffle};
pub use resample::{ResampleSpec, Split};
pub use rows::Rows;
pub use verdict::{Advice, Judged, SplitSpread, Verdict, verdict_model};
