//! Interval arithmetic that encloses the results of constraints, in doubles or exact integers.
//!
//! Forward: rounding to nearest is monotone, so the ends computed by the same operation that
//! evaluates a constraint enclose all its results; only `log` and `exp`, monotone up to an ulp or
//! two, are widened. Integers are evaluated exactly: up to 2⁵³ doubles do the same, beyond that an
//! end moves outwards by one. Backward: z = a ∘ b gives a ∈ z ∘⁻¹ b, widened by the rounding of
//! both  [Benhamou et al. 1999, HC4].
//!
//! `may_fail` means that some input gives NaN; comparisons with NaN are false, so nothing can be
//! concluded.
use crate::expression::{Arithmetic, Function};

/// All numbers from low to high, and possibly NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    pub(super) low: f64,
    pub(super) high: f64,
    /// Can the result be NaN?
    pub(super) may_fail: bool,
}

/// Relative rounding error of an operation and its inverse together, with a margin.
const SLACK: f64 = 4.0 * f64::EPSILON;

/// From here on, doubles skip integers.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// An upper end for everything below a number: integers may lie between it and the next double.
pub(super) fn below(x: f64) -> f64 {
    if x.abs() >= EXACT { x } else { x.next_down() }
}

/// A lower end for everything above a number.
pub(super) fn above(x: f64) -> f64 {
    -below(-x)
}

impl Range {
    pub(super) const EVERYTHING: Range =
        Range { low: f64::NEG_INFINITY, high: f64::INFINITY, may_fail: false };

    pub(super) fn new(low: f64, high: f64) -> Range {
        Range { low, high, may_fail: false }
    }

    pub(super) fn is_empty(self) -> bool {
        self.low > self.high
    }

    pub(super) fn is_point(self) -> bool {
        self.low == self.high
    }

    pub(super) fn has(self, x: f64) -> bool {
        self.low <= x && x <= self.high
    }

    pub(super) fn meet(self, other: Range) -> Range {
        Range::new(self.low.max(other.low), self.high.min(other.high))
    }

    pub(super) fn negative(self) -> Range {
        Range { low: -self.high, high: -self.low, ..self }
    }

    fn has_infinity(self) -> bool {
        self.low == f64::NEG_INFINITY || self.high == f64::INFINITY
    }

    /// The smallest range with these values; NaN is left out and recorded.
    fn hull(values: [f64; 4]) -> Range {
        let start = Range { low: f64::INFINITY, high: f64::NEG_INFINITY, may_fail: false };
        values.into_iter().fold(start, |hull, x| Range {
            low: hull.low.min(x),
            high: hull.high.max(x),
            may_fail: hull.may_fail || x.is_nan(),
        })
    }

    /// Wider by `by` on both sides; infinite ends stay.
    fn widened(self, by: f64) -> Range {
        if by.is_nan() {
            return Range::EVERYTHING;
        }
        Range { low: self.low - by, high: self.high + by, ..self }
    }

    /// Wide enough for integers between two doubles.
    pub(super) fn outwards(self) -> Range {
        let low = if self.low.abs() >= EXACT { self.low.next_down() } else { self.low };
        let high = if self.high.abs() >= EXACT { self.high.next_up() } else { self.high };
        Range { low, high, ..self }
    }

    /// The range before rounding, in case of overflow or underflow.
    fn before_rounding(self) -> Range {
        let (low, high) = (self.low.min(f64::MAX / 2.0), self.high.max(f64::MIN / 2.0));
        Range { low, high, ..self }.widened(2.0 * f64::MIN_POSITIVE * f64::EPSILON)
    }

    /// The largest finite magnitude of an end.
    fn size(self) -> f64 {
        let finite = |x: f64| if x.is_finite() { x.abs() } else { 0.0 };
        finite(self.low).max(finite(self.high))
    }
}

/// Arithmetic on two ranges. `b_is_plain`: b is a parameter or constant, so its zero is positive.
pub(super) fn apply(op: Arithmetic, a: Range, b: Range, b_is_plain: bool) -> Range {
    let found = match op {
        Arithmetic::Add => sum(a, b),
        Arithmetic::Subtract => sum(a, b.negative()),
        Arithmetic::Multiply => product(a, b),
        Arithmetic::Divide => quotient(a, b, b_is_plain),
        Arithmetic::Minimum => Range::new(a.low.min(b.low), a.high.min(b.high)),
        Arithmetic::Maximum => Range::new(a.low.max(b.low), a.high.max(b.high)),
    };
    Range { may_fail: found.may_fail || a.may_fail || b.may_fail, ..found.outwards() }
}

fn sum(a: Range, b: Range) -> Range {
    let (low, high) = (a.low + b.low, a.high + b.high);
    if low.is_nan() || high.is_nan() || a.has_infinity() && b.has_infinity() {
        return Range { may_fail: true, ..Range::EVERYTHING };
    }
    Range::new(low, high)
}

/// 0 · ∞ is NaN, but zero times any finite number gives 0.
fn product(a: Range, b: Range) -> Range {
    let found = Range::hull([a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high]);
    let fails = a.has(0.0) && b.has_infinity() || b.has(0.0) && a.has_infinity();
    if fails { Range { low: found.low.min(0.0), high: found.high.max(0.0), may_fail: true } } else { found }
}

fn quotient(a: Range, b: Range, b_is_plain: bool) -> Range {
    if !b.has(0.0) {
        let found = Range::hull([a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high]);
        return if found.may_fail { Range { may_fail: true, ..Range::EVERYTHING } } else { found };
    }
    let may_fail = a.has(0.0) || a.has_infinity() && b.has_infinity();
    if b_is_plain && b.low == 0.0 && !may_fail {
        // x/0 is an infinity with the sign of x.
        let away = Range::hull([a.low / b.high, a.high / b.high, a.low / 0.0, a.high / 0.0]);
        if !away.may_fail {
            return away;
        }
    }
    Range { may_fail, ..Range::EVERYTHING }
}

/// A function of a range.
pub(super) fn call(function: Function, a: Range) -> Range {
    let at = |x: f64| function.real(x);
    let found = match function {
        Function::Exp => rounded(a, Range::new(at(a.low), at(a.high))),
        Function::Log if a.low >= 0.0 => rounded(a, Range::new(at(a.low), at(a.high))),
        Function::Sqrt if a.low >= 0.0 => Range::new(at(a.low), at(a.high)),
        Function::Log | Function::Sqrt if a.high >= 0.0 => {
            let low = if function == Function::Sqrt { 0.0 } else { f64::NEG_INFINITY };
            Range { may_fail: true, ..rounded(a, Range::new(low, at(a.high))) }
        }
        Function::Log | Function::Sqrt => Range { may_fail: true, ..Range::EVERYTHING },
        Function::Abs if a.has(0.0) => Range::new(0.0, a.high.max(-a.low)),
        Function::Abs => Range::new(at(a.low).min(at(a.high)), at(a.low).max(at(a.high))),
    };
    Range { may_fail: found.may_fail || a.may_fail, ..found }
}

fn rounded(of: Range, found: Range) -> Range {
    if of.is_point() { found } else { found.widened(SLACK * found.size()) }
}

/// The range of a, given z = a ∘ b.
pub(super) fn left(op: Arithmetic, z: Range, b: Range) -> Range {
    let z = z.before_rounding();
    match op {
        Arithmetic::Add => difference(z, b),
        Arithmetic::Subtract => difference(z, b.negative()),
        Arithmetic::Multiply => ratio(z, b),
        Arithmetic::Divide => times(z, b),
        Arithmetic::Minimum => Range::new(z.low, if b.low > z.high { z.high } else { f64::INFINITY }),
        Arithmetic::Maximum => Range::new(if b.high < z.low { z.low } else { f64::NEG_INFINITY }, z.high),
    }
}

/// The range of b, given z = a ∘ b.
pub(super) fn right(op: Arithmetic, z: Range, a: Range) -> Range {
    let z = z.before_rounding();
    match op {
        Arithmetic::Subtract => difference(a, z),
        Arithmetic::Divide => ratio(a, z),
        symmetric => left(symmetric, z, a),
    }
}

/// x − y for x, y in their ranges, both known only up to rounding.
fn difference(x: Range, y: Range) -> Range {
    let or = |value: f64, otherwise: f64| if value.is_nan() { otherwise } else { value };
    let low = or(x.low - y.high, f64::NEG_INFINITY);
    let high = or(x.high - y.low, f64::INFINITY);
    Range::new(low, high).widened(SLACK * (x.size() + y.size()))
}

fn times(x: Range, y: Range) -> Range {
    let found = product(x, y);
    if found.may_fail { Range::EVERYTHING } else { found.widened(SLACK * found.size() + f64::MIN_POSITIVE) }
}

/// x / y; if y can be zero, only its sign helps.
fn ratio(x: Range, y: Range) -> Range {
    let found = if !y.has(0.0) {
        Range::hull([x.low / y.low, x.low / y.high, x.high / y.low, x.high / y.high])
    } else if x.has(0.0) || y.low < 0.0 && y.high > 0.0 {
        return Range::EVERYTHING;
    } else {
        let end = if y.high > 0.0 { y.high } else { y.low };
        let zero = 0.0f64.copysign(end);
        Range::hull([x.low / end, x.high / end, x.low / zero, x.high / zero])
    };
    if found.may_fail { Range::EVERYTHING } else { found.widened(SLACK * found.size() + f64::MIN_POSITIVE) }
}

/// The range of a, given z = f(a) and the known range of a.
pub(super) fn argument(function: Function, z: Range, a: Range) -> Range {
    const NOTHING: Range = Range { low: f64::INFINITY, high: f64::NEG_INFINITY, may_fail: false };
    if z.high < 0.0 && function != Function::Log {
        return NOTHING;
    }
    let z = z.before_rounding();
    match function {
        Function::Log => {
            let found = Range::new(libm::exp(z.low), libm::exp(z.high));
            found.widened(SLACK * found.size() * (1.0 + z.size()))
        }
        // Below the smallest normal number exp loses digits; all arguments that small are allowed.
        Function::Exp => {
            let low = if z.low < f64::MIN_POSITIVE { f64::NEG_INFINITY } else { libm::log(z.low) };
            let found = Range::new(low, libm::log(z.high.max(f64::MIN_POSITIVE)));
            found.widened(SLACK * (1.0 + found.size()))
        }
        Function::Sqrt => {
            let low = z.low.max(0.0);
            let found = Range::new(low * low, z.high * z.high);
            found.widened(SLACK * found.size() + f64::MIN_POSITIVE)
        }
        Function::Abs => Range::new(
            if a.low > -z.low { z.low } else { -z.high },
            if a.high < z.low { -z.low } else { z.high },
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const OPS: [Arithmetic; 6] = [
        Arithmetic::Add,
        Arithmetic::Subtract,
        Arithmetic::Multiply,
        Arithmetic::Divide,
        Arithmetic::Minimum,
        Arithmetic::Maximum,
    ];
    const FUNCTIONS: [Function; 4] = [Function::Log, Function::Exp, Function::Sqrt, Function::Abs];

    /// Numbers of every magnitude, including zero and small integers.
    fn number() -> impl Strategy<Value = f64> {
        prop_oneof![
            Just(0.0),
            (-4i8..5).prop_map(f64::from),
            -1e3..1e3f64,
            -1e300..1e300f64,
            -1e-300..1e-300f64
        ]
    }

    fn range() -> impl Strategy<Value = (Range, f64)> {
        (number(), number(), 0.0..=1.0f64).prop_map(|(a, b, t)| {
            let (low, high) = (a.min(b), a.max(b));
            let x = if t == 0.0 || !(high - low).is_finite() { low } else { low + t * (high - low) };
            (Range::new(low, high), x.clamp(low, high) + 0.0)
        })
    }

    /// Integers up to 2⁵³, as parameters have them, and their products.
    fn whole() -> impl Strategy<Value = (Range, i128)> {
        let one = prop_oneof![-9i64..10, -(1i64 << 53)..=1 << 53];
        let number = (one.clone(), one, any::<bool>())
            .prop_map(|(a, b, alone)| if alone { i128::from(a) } else { i128::from(a) * i128::from(b) });
        (number.clone(), number).prop_map(|(x, other)| {
            let (low, high) = (x.min(other) as f64, x.max(other) as f64);
            (Range::new(low, high).outwards(), x)
        })
    }

    proptest! {
        #[test]
        fn arithmetic_is_enclosed_both_ways((a, x) in range(), (b, y) in range(), which in 0usize..6) {
            let op = OPS[which];
            let z = op.real(x, y);
            let found = apply(op, a, b, true);
            if z.is_nan() {
                prop_assert!(found.may_fail);
            } else {
                prop_assert!(found.has(z), "{op:?} {a:?} {b:?}: {x} {y} -> {z}, not in {found:?}");
                let z = Range::new(z, z);
                prop_assert!(left(op, z, b).has(x), "{op:?} left {z:?} {b:?}: {x} not in {:?}", left(op, z, b));
                prop_assert!(right(op, z, a).has(y), "{op:?} right {z:?} {a:?}: {y} not in {:?}", right(op, z, a));
            }
        }

        #[test]
        fn whole_numbers_are_enclosed_both_ways(
            (a, x) in whole(), (b, y) in whole(), which in 0usize..6
        ) {
            use crate::quantity::Quantity::{Real, Whole};
            let op = OPS[which];
            let has = |range: Range, z| Real(range.low).compare(z).is_some_and(std::cmp::Ordering::is_le)
                && Real(range.high).compare(z).is_some_and(std::cmp::Ordering::is_ge);
            let z = op.apply(Whole(x), Whole(y));
            if z.as_f64().is_nan() {
                return Ok(());
            }
            let found = apply(op, a, b, true);
            prop_assert!(has(found, z), "{op:?}: {x} {y} -> {z:?}, not in {found:?}");
            let around = Range::new(z.as_f64(), z.as_f64()).outwards();
            prop_assert!(has(left(op, around, b), Whole(x)), "{op:?} left: {x} not in {:?}", left(op, around, b));
            prop_assert!(has(right(op, around, a), Whole(y)), "{op:?} right: {y} not in {:?}", right(op, around, a));
        }

        #[test]
        fn functions_are_enclosed_both_ways((a, x) in range(), which in 0usize..4) {
            let function = FUNCTIONS[which];
            let z = function.real(x);
            let found = call(function, a);
            if z.is_nan() {
                prop_assert!(found.may_fail);
            } else {
                prop_assert!(found.has(z), "{function:?} {a:?}: {x} -> {z}, not in {found:?}");
                let back = argument(function, Range::new(z, z), a);
                prop_assert!(back.has(x), "{function:?}: {x} not in {back:?}");
            }
        }
    }
}
