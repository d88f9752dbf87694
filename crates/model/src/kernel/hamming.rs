//! Hamming kernel: counts the categories in which two points differ.
//!
//! k(a, b) = exp(−Σⱼ θⱼ·1[aⱼ ≠ bⱼ]) over categorical columns
//!
//! Positive semi-definite: each factor is a + (1 − a)·1[=] with 0 ≤ a ≤ 1. It ignores numbers, so
//! use it where all parameters are categorical, or as a factor of another kernel.
use super::{Categories, Component, Gap, Kernel, KernelContext, Profile, Stationary};
use crate::error::SpecError;
use crate::linalg::{Lanes, Numbers};
use serde::{Deserialize, Serialize};

/// Hamming, over categories only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hamming {}

impl Component<dyn Kernel> for Hamming {
    const KIND: &'static str = "hamming";

    fn build(&self, context: KernelContext<'_>) -> Result<Box<dyn Kernel>, SpecError> {
        Ok(Box::new(Stationary::<Self>::new(&context, Categories::Label)))
    }
}

impl Profile for Hamming {
    const GAP: Gap = Gap::Differs;
    const POWER: f64 = 1.0;
    const HYPER: &'static str = "rate";
    const CATEGORIES_ONLY: bool = true;

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
