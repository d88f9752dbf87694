//! Laplace kernel: rough functions, what a Mondrian forest tends to.
//!
//! k(a, b) = exp(−Σⱼ |Δⱼ|/ℓⱼ),  ∂k/∂s = −k with s = Σⱼ |Δⱼ|/ℓⱼ  [Lévesque et al. 2017, §IV.B]
//!
//! Not differentiable where coordinates tie, and stand-ins always tie: the slope there is taken as zero. Prefer
//! maximizers that need no derivative.
use super::{Gap, Profile};
use crate::linalg::{Lanes, Numbers};

pub(crate) struct Laplace;

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
