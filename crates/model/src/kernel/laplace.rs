//! Laplace kernel: rough functions; the limit of a Mondrian forest.
//!
//! k(a, b) = exp(−Σⱼ |Δⱼ|/ℓⱼ),  ∂k/∂s = −k with s = Σⱼ |Δⱼ|/ℓⱼ  [Lévesque et al. 2017, §IV.B]
//!
//! Not differentiable where coordinates are equal, as imputed coordinates always are: the
//! derivative there is taken as zero. Prefer maximizers that need no gradient.
use super::{Categories, Component, Gap, Kernel, KernelContext, Profile, Stationary};
use crate::error::SpecError;
use crate::linalg::{Lanes, Numbers};
use serde::{Deserialize, Serialize};

/// Laplace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Laplace {
    /// How categories are compared.
    pub categories: Categories,
}

impl Component<dyn Kernel> for Laplace {
    const KIND: &'static str = "laplace";

    fn build(&self, context: KernelContext<'_>) -> Result<Box<dyn Kernel>, SpecError> {
        Ok(Box::new(Stationary::<Self>::new(&context, self.categories)))
    }
}

impl Profile for Laplace {
    const GAP: Gap = Gap::Absolute;
    const POWER: f64 = -1.0;
    const HYPER: &'static str = "length";

    fn at(sum: f64) -> f64 {
        libm::exp(-sum)
    }

    #[inline(always)]
    fn lanes<L: Lanes>(sum: Numbers<L>) -> Numbers<L> {
        (-sum).exp()
    }

    #[inline(always)]
    fn slope<L: Lanes>(sum: Numbers<L>) -> Numbers<L> {
        -(-sum).exp()
    }
}
