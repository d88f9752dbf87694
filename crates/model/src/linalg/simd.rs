//! SIMD lanes: several reals in one instruction, selected at run time, without unsafe code.
//!
//! Formulas are written once over [`Numbers`] and compiled for every instruction set. All
//! operations are exactly rounded, with products and sums fused in `times_plus`. So the entries of
//! a matrix do not depend on the vector width of the machine; only sums over many entries do.
use pulp::bytemuck::cast;
use std::ops::{Add, Mul, Neg, Sub};

/// The vector instructions of this machine, passed by [`dispatch`].
pub use pulp::Simd as Lanes;
/// A computation that is compiled for every instruction set: implement `with_simd`.
pub use pulp::WithSimd as LaneWork;

/// Runs a computation with the widest vectors of this machine. One call per matrix, not per entry.
#[inline]
pub fn dispatch<W: LaneWork>(work: W) -> W::Output {
    pulp::Arch::new().dispatch(work)
}

/// One vector of reals.
#[derive(Clone, Copy)]
#[must_use]
pub struct Numbers<L: Lanes> {
    lanes: L,
    pub(super) values: L::f64s,
}

impl<L: Lanes> Numbers<L> {
    /// The same real in every lane.
    #[inline(always)]
    pub fn splat(lanes: L, value: f64) -> Self {
        Self { lanes, values: lanes.splat_f64s(value) }
    }

    #[inline(always)]
    pub(super) fn new(lanes: L, values: L::f64s) -> Self {
        Self { lanes, values }
    }

    /// self · factor + term, rounded once.
    #[inline(always)]
    pub fn times_plus(self, factor: Self, term: Self) -> Self {
        Self::new(self.lanes, self.lanes.mul_add_f64s(self.values, factor.values, term.values))
    }

    /// The square root.
    #[inline(always)]
    pub fn sqrt(self) -> Self {
        Self::new(self.lanes, self.lanes.sqrt_f64s(self.values))
    }

    /// The absolute value.
    #[inline(always)]
    pub fn abs(self) -> Self {
        Self::new(self.lanes, self.lanes.abs_f64s(self.values))
    }

    /// 1 where the two differ, 0 where they are equal.
    #[inline(always)]
    pub(crate) fn differs(self, other: Self) -> Self {
        let same = self.lanes.equal_f64s(self.values, other.values);
        let (zero, one) = (self.lanes.splat_f64s(0.0), self.lanes.splat_f64s(1.0));
        Self::new(self.lanes, self.lanes.select_f64s(same, zero, one))
    }

    #[inline(always)]
    fn at_least(self, floor: f64) -> Self {
        Self::new(self.lanes, self.lanes.max_f64s(self.values, self.lanes.splat_f64s(floor)))
    }

    #[inline(always)]
    pub(super) fn sum(self) -> f64 {
        self.lanes.reduce_sum_f64s(self.values)
    }

    /// eˣ for x ≤ 700, relative error below 3·10⁻¹⁶; x below −708 gives e⁻⁷⁰⁸.
    ///
    /// x = n·ln 2 + f with |f| ≤ ½ ln 2, eᶠ by its Taylor polynomial of degree 13 (remainder
    /// 5·10⁻¹⁸).
    #[inline(always)]
    pub fn exp(self) -> Self {
        const ROUND: f64 = 6_755_399_441_055_744.0; // 1.5 · 2⁵²: adding it leaves no fraction bits
        let (lanes, x) = (self.lanes, self.at_least(-708.0));
        let constant = |value| Self::splat(lanes, value);
        let n = x.times_plus(constant(std::f64::consts::LOG2_E), constant(ROUND)) - ROUND;
        // ln 2 in two parts, the first short enough that n times it is exact.
        let f = n.times_plus(constant(-6.931_471_803_691_238e-1), x);
        let f = n.times_plus(constant(-1.908_214_929_270_587_7e-10), f);
        let mut series = constant(INVERSE_FACTORIALS[0]);
        for &coefficient in &INVERSE_FACTORIALS[1..] {
            series = series.times_plus(f, constant(coefficient));
        }
        series * n.power_of_two()
    }

    /// 2ⁿ for integer n in [−1022, 1023].
    ///
    /// In n + 1023 + 1.5·2²⁰ the low bits of the upper half word are n + 1023; shifted left by
    /// twenty bits they are the exponent field of 2ⁿ. Not all instruction sets have a 64-bit shift,
    /// but all have a 32-bit one.
    #[inline(always)]
    fn power_of_two(self) -> Self {
        let spelt = (self + (1_572_864.0 + 1023.0)).values;
        if const { L::F64_LANES == 1 } {
            let bits = cast::<L::f64s, f64>(spelt).to_bits();
            return Self::new(self.lanes, cast(f64::from_bits(bits << 20)));
        }
        let shifted = self.lanes.wrapping_dyn_shl_u32s(cast(spelt), self.lanes.splat_u32s(20));
        Self::new(self.lanes, cast(shifted))
    }
}

/// 1/13!, 1/12!, …, 1/1!, 1/0!.
const INVERSE_FACTORIALS: [f64; 14] = [
    1.0 / 6_227_020_800.0,
    1.0 / 479_001_600.0,
    1.0 / 39_916_800.0,
    1.0 / 3_628_800.0,
    1.0 / 362_880.0,
    1.0 / 40_320.0,
    1.0 / 5_040.0,
    1.0 / 720.0,
    1.0 / 120.0,
    1.0 / 24.0,
    1.0 / 6.0,
    0.5,
    1.0,
    1.0,
];

impl<L: Lanes> Add for Numbers<L> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self::new(self.lanes, self.lanes.add_f64s(self.values, other.values))
    }
}

impl<L: Lanes> Sub for Numbers<L> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self::new(self.lanes, self.lanes.sub_f64s(self.values, other.values))
    }
}

impl<L: Lanes> Mul for Numbers<L> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self::new(self.lanes, self.lanes.mul_f64s(self.values, other.values))
    }
}

impl<L: Lanes> Neg for Numbers<L> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(self.lanes, self.lanes.neg_f64s(self.values))
    }
}

impl<L: Lanes> Add<f64> for Numbers<L> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: f64) -> Self {
        self + Self::splat(self.lanes, other)
    }
}

impl<L: Lanes> Sub<f64> for Numbers<L> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: f64) -> Self {
        self - Self::splat(self.lanes, other)
    }
}

impl<L: Lanes> Mul<f64> for Numbers<L> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: f64) -> Self {
        self * Self::splat(self.lanes, other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::update;

    struct Exponentials<'a>(&'a mut [f64]);
    impl LaneWork for Exponentials<'_> {
        type Output = ();
        #[inline(always)]
        fn with_simd<L: Lanes>(self, lanes: L) {
            update(lanes, self.0, Numbers::exp);
        }
    }

    fn grid() -> Vec<f64> {
        (0..20_011).map(|i| 4.0 - 0.0355 * f64::from(i)).filter(|x| *x > -708.0).collect()
    }

    #[test]
    fn exp_is_accurate_to_the_last_bits() {
        let x = grid();
        let mut computed = x.clone();
        dispatch(Exponentials(&mut computed));
        for (x, e) in x.iter().zip(&computed) {
            let exact = libm::exp(*x);
            assert!((e - exact).abs() <= 4e-16 * exact, "exp({x}) = {e:e}, libm {exact:e}");
        }
    }

    #[test]
    fn exp_is_the_same_number_on_one_lane() {
        let mut wide = grid();
        let mut narrow = wide.clone();
        dispatch(Exponentials(&mut wide));
        Exponentials(&mut narrow).with_simd(pulp::Scalar);
        assert_eq!(wide, narrow);
    }

    #[test]
    fn exp_far_below_is_next_to_nothing() {
        let mut x = [-1e300, -708.5, f64::NEG_INFINITY];
        dispatch(Exponentials(&mut x));
        assert!(x.iter().all(|e| (0.0..1e-300).contains(e)), "{x:?}");
    }
}
