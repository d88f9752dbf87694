//! From kernels to Cholesky factors. Only this module knows the block structure of a covariance
//! matrix.
//!
//! Rows that can be correlated form a group: one group per branch if the kernel couples
//! [`Coupling::SameBranch`], otherwise a single one. With K = σ²·(R + η·I), where R is the kernel
//! matrix and η the noise relative to σ², every group has its own triangle L·Lᵀ = R + η·I.
//! Likelihoods are sums over groups, and a prediction uses one group. Callers see rows and need not
//! know which case they have. Laws: blocked equals dense; the order of rows does not matter.
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

/// Mean, amplitude and noise, shared by all groups.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Level {
    /// m.
    pub(crate) mean: f64,
    /// σ².
    pub(crate) variance: f64,
    /// η: the noise variance divided by σ².
    pub(crate) ratio: f64,
}
