//! Who wins, and is it luck? Problems, runs and statistics.
//!
//! ```
//! use arbora_bench::stats::{Friedman, RankTable, Wilcoxon, Zeros};
//! // One row per problem, one column per method, lower is better.
//! let losses = [[0.10, 0.12, 0.30], [0.20, 0.21, 0.20], [0.05, 0.09, 0.11], [0.30, 0.28, 0.35]];
//! let ranks = RankTable::of(&losses.map(Vec::from))?;
//! assert_eq!(ranks.average(), [1.375, 2.0, 2.625]);
//! let test = Friedman::of(&ranks);
//! assert!(test.p > 0.05, "four problems decide nothing");
//! # Ok::<(), arbora_bench::BenchError>(())
//! ```
//!
//! An [`Experiment`](experiment::Experiment) is data: problems × methods × seeds. A [`WorkerPool`](worker_pool::WorkerPool) makes the runs
//! that are not there yet and writes each into a [`RunLog`] as one line; [`Results`](results::Results) are those runs
//! sorted, from which come [claims](claim), [charts](chart) and [reports](report).
#![allow(clippy::doc_markdown, reason = "formulas in comments have subscripts")]
pub mod chart;
pub mod claim;
mod clock;
mod compact;
mod context;
mod error;
pub mod experiment;
pub mod job;
pub mod json_process;
pub mod optimizer;
pub mod plan;
pub mod problem;
pub mod report;
pub mod results;
mod run;
mod run_log;
mod run_one;
pub mod stats;
pub mod task;
pub mod worker_pool;

pub use compact::Compact;
pub use context::{Context, Settings};
pub use error::BenchError;
pub use run::{Key, Run};
pub use run_log::RunLog;
pub use run_one::{decisions, run_one};
