//! Matérn kernel of smoothness 5/2: twice differentiable functions, the default for losses.
//!
//! k(a, b) = (1 + √5·r + 5r²/3)·exp(−√5·r),  r² = s = Σⱼ Δⱼ²/ℓⱼ²,  ∂k/∂s = −⅚(1 + √5·r)·exp(−√5·r)
//! [Rasmussen & Williams 2006, eq. 4.17; Snoek et al. 2012]
//!
//! The derivative by s is finite at r = 0, so ties need no special case. Choose `laplace` for rough losses.
use super::{Gap, Profile};
use crate::linalg::{Lanes, Numbers};

pub(crate) struct Matern52;

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
