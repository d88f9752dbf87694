//! Who wins, and is it luck? Problems, runs and statistics.
//!
//! ```
//! use arbora_bench::stats::{Friedman, RankTable, Wilcoxon, Zeros};
//! // One row per problem, one column per contender, lower is better.
//! let losses = [[0.10, 0.12, 0.30], [0.20, 0.21, 0.20], [0.05, 0.09, 0.11], [0.30, 0.28, 0.35]];
//! let ranks = RankTable::of(&losses.map(Vec::from))?;
//! assert_eq!(ranks.average(), [1.375, 2.0, 2.625]);
//! let test = Friedman::of(&ranks);
//! assert!(test.p > 0.05, "four problems decide nothing");
//! # Ok::<(), arbora_bench::BenchError>(())
//! ```
//!
//! An [`Experiment`](experiment::Experiment) is data: problems × methods × seeds. A [`Crew`](runner::Crew) makes the runs
//! that are not there yet and writes each into a [`Ledger`] as one line; [`Findings`](findings::Findings) are those runs
//! sorted, from which come [claims](claim), [charts](chart) and [reports](report).
#![allow(clippy::doc_markdown, reason = "formulas in comments have subscripts")]
pub mod chart;
pub mod claim;
mod clock;
pub mod contender;
mod error;
pub mod experiment;
pub mod findings;
mod ledger;
mod pack;
pub mod plan;
pub mod problem;
mod race;
pub mod report;
mod run;
pub mod runner;
pub mod session;
pub mod stats;
pub mod wire;
pub mod work;
mod workbench;

pub use error::BenchError;
pub use ledger::Ledger;
pub use pack::Pack;
pub use race::{decisions, race};
pub use run::{Key, Run};
pub use workbench::{Settings, Workbench};
