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
mod error;
pub mod problem;
pub mod stats;

pub use error::BenchError;
