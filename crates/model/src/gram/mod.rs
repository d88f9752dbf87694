//! From a kernel to factors: the one room that knows into which blocks a covariance matrix falls.
//!
//! Rows that can be alike form a group: one per branch if the kernel couples [`Coupling::SameBranch`], all rows
//! otherwise. With K = σ²·(R + η·I), R the kernel's matrix and η the noise as a share of σ², every group keeps its
//! own triangle L·Lᵀ = R + η·I; likelihoods are sums over groups and a prediction touches one. Whoever sits above
//! sees rows and never asks which case it got. Laws: blocked equals dense; the order of rows does not matter.
//!
//! [`Coupling::SameBranch`]: crate::kernel::Coupling::SameBranch
mod evidence;
mod groups;
mod posterior;
mod process;
#[cfg(test)]
mod tests;
mod trend;

pub(crate) use groups::{Groups, Part};
pub(crate) use posterior::{Normals, Outcomes, Slope};
pub(crate) use process::{Evidence, Posterior};
pub(crate) use trend::{Outcome, Query, TrendPosterior};

/// Mean, amplitude and noise: what all groups share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Level {
    /// m.
    pub(crate) mean: f64,
    /// σ².
    pub(crate) variance: f64,
    /// η: the variance of the noise over σ².
    pub(crate) ratio: f64,
}
