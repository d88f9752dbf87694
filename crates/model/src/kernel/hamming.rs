//! Hamming kernel: in how many categories do two points differ?
//!
//! k(a, b) = exp(−Σⱼ θⱼ·1[aⱼ ≠ bⱼ]) over categorical columns
//!
//! Positive semi-definite: each factor is a + (1 − a)·1[=] with 0 ≤ a ≤ 1. It cannot tell points apart that differ
//! in numbers only: use it where all parameters are categories, or as a factor of another kernel.
use super::{Gap, Profile};
use crate::linalg::{Lanes, Numbers};

pub(crate) struct Hamming;

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
