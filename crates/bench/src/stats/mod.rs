//! Ranks, tests and intervals. Lower losses are better throughout.
//!
//! Laws: the ranks of a row sum to k(k + 1)/2; ranks and tests by ranks do not change under a monotone transformation of
//! the losses; p-values are uniform where nothing differs. Small samples get exact p-values wherever there are no ties.
mod bootstrap;
mod friedman;
mod holm;
mod mann_whitney;
mod nemenyi;
mod ranks;
mod wilcoxon;

pub use bootstrap::{BootstrapInterval, bootstrap_mean};
pub use friedman::Friedman;
pub use holm::holm;
pub use mann_whitney::MannWhitney;
pub use nemenyi::{Clique, Nemenyi};
pub use ranks::{RankTable, mid_ranks};
pub use wilcoxon::{Wilcoxon, Zeros};
