//! Squared exponential (RBF): very smooth functions.
//!
//! k(a, b) = exp(−½ Σⱼ Δⱼ²/ℓⱼ²),  ∂k/∂s = −½k with s = Σⱼ Δⱼ²/ℓⱼ²
//!
//! The kernel as printed in Lévesque 2018 (2.15) lacks the minus. Losses are seldom this smooth,
//! and its matrices are the worst conditioned of all: prefer `matern52` unless the objective is
//! known to be analytic.
use super::{Categories, Component, Gap, Kernel, KernelContext, Profile, Stationary};
use crate::error::SpecError;
use crate::linalg::{Lanes, Numbers};
use serde::{Deserialize, Serialize};

/// Squared exponential.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SquaredExponential {
    /// How categories are compared.
    pub categories: Categories,
}

impl Component<dyn Kernel> for SquaredExponential {
    const KIND: &'static str = "se";

    fn build(&self, context: KernelContext<'_>) -> Result<Box<dyn Kernel>, SpecError> {
        Ok(Box::new(Stationary::<Self>::new(&context, self.categories)))
    }
}

impl Profile for SquaredExponential {
    const GAP: Gap = Gap::Square;
    const POWER: f64 = -2.0;
    const HYPER: &'static str = "length";

    fn at(sum: f64) -> f64 {
        libm::exp(-0.5 * sum)
    }

    #[inline(always)]
    fn lanes<L: Lanes>(sum: Numbers<L>) -> Numbers<L> {
        (sum * -0.5).exp()
    }

    #[inline(always)]
    fn slope<L: Lanes>(sum: Numbers<L>) -> Numbers<L> {
        (sum * -0.5).exp() * -0.5
    }
}
