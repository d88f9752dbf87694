//! Matérn kernel with smoothness 5/2: twice differentiable functions; the default for losses.
//!
//! k(a, b) = (1 + √5·r + 5r²/3)·exp(−√5·r),  r² = s = Σⱼ Δⱼ²/ℓⱼ²,  ∂k/∂s = −⅚(1 + √5·r)·exp(−√5·r)
//! [Rasmussen & Williams 2006, eq. 4.17; Snoek et al. 2012]
//!
//! The derivative with respect to s is finite at r = 0, so equal points need no special case. Use
//! `laplace` for rough losses.
use super::{Categories, Component, Gap, Kernel, KernelContext, Profile, Stationary};
use crate::error::SpecError;
use crate::linalg::{Lanes, Numbers};
use serde::{Deserialize, Serialize};

/// Matérn 5/2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Matern52 {
    /// How categories are compared.
    pub categories: Categories,
}

impl Component<dyn Kernel> for Matern52 {
    const KIND: &'static str = "matern52";

    fn build(&self, context: KernelContext<'_>) -> Result<Box<dyn Kernel>, SpecError> {
        Ok(Box::new(Stationary::<Self>::new(&context, self.categories)))
    }
}

impl Profile for Matern52 {
    const GAP: Gap = Gap::Square;
    const POWER: f64 = -2.0;
    const HYPER: &'static str = "length";

    fn at(sum: f64) -> f64 {
        let root = (5.0 * sum).sqrt();
        (1.0 + root + 5.0 / 3.0 * sum) * libm::exp(-root)
    }

    #[inline(always)]
    fn lanes<L: Lanes>(sum: Numbers<L>) -> Numbers<L> {
        let root = (sum * 5.0).sqrt();
        (root + sum * (5.0 / 3.0) + 1.0) * (-root).exp()
    }

    #[inline(always)]
    fn slope<L: Lanes>(sum: Numbers<L>) -> Numbers<L> {
        let root = (sum * 5.0).sqrt();
        (root + 1.0) * (-root).exp() * (-5.0 / 6.0)
    }
}
