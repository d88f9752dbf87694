//! Numbers in constraints: integers exactly, everything else in doubles.
//!
//! All code that evaluates constraints uses these rules. Sums, differences, products, minima,
//! maxima, signs and absolute values of integers are integers, and so is a quotient without
//! remainder. If a result does not fit in 128 bits, if a real number is involved, and for
//! `log exp sqrt`, the result is the nearest double. Comparisons are exact, also between integers
//! and doubles: 2⁵³ + 1 is greater than 2⁵³, whether integer or real.
use crate::expression::{Arithmetic, Comparison, Function};
use crate::value::Value;
use std::cmp::Ordering;

/// A number in a constraint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quantity {
    /// An integer, exact.
    Whole(i128),
    /// A double; NaN if a function is undefined.
    Real(f64),
}

impl Quantity {
    /// The number of a value, if it is one.
    pub fn of(value: &Value) -> Option<Quantity> {
        match value {
            Value::Int(i) => Some(Quantity::Whole(i128::from(*i))),
            Value::Real(x) => Some(Quantity::Real(*x)),
            _ => None,
        }
    }

    /// The nearest double.
    pub fn as_f64(self) -> f64 {
        match self {
            Quantity::Whole(i) => i as f64,
            Quantity::Real(x) => x,
        }
    }

    /// The value for users: an integer if possible.
    pub(crate) fn value(self) -> Value {
        match self {
            Quantity::Whole(i) => i64::try_from(i).map_or_else(|_| Value::from(i as f64), Value::Int),
            Quantity::Real(x) => Value::from(x),
        }
    }

    /// −a
    pub(crate) fn negative(self) -> Quantity {
        match self {
            Quantity::Whole(i) => i.checked_neg().map_or(Quantity::Real(-(i as f64)), Quantity::Whole),
            Quantity::Real(x) => Quantity::Real(-x),
        }
    }

    /// The exact order; `None` if one is NaN.
    pub(crate) fn compare(self, other: Quantity) -> Option<Ordering> {
        match (self, other) {
            (Quantity::Whole(a), Quantity::Whole(b)) => Some(a.cmp(&b)),
            (Quantity::Real(a), Quantity::Real(b)) => a.partial_cmp(&b),
            (Quantity::Whole(a), Quantity::Real(b)) => against(a, b),
            (Quantity::Real(a), Quantity::Whole(b)) => against(b, a).map(Ordering::reverse),
        }
    }
}

/// Compares an integer with a double. Beyond 2¹²⁷ the double decides; below, its integer part fits.
fn against(whole: i128, x: f64) -> Option<Ordering> {
    const BEYOND: f64 = 170_141_183_460_469_231_731_687_303_715_884_105_728.0;
    if x.is_nan() {
        return None;
    }
    if x >= BEYOND {
        return Some(Ordering::Less);
    }
    if x < -BEYOND {
        return Some(Ordering::Greater);
    }
    Some(whole.cmp(&(x.trunc() as i128)).then(0.0f64.partial_cmp(&x.fract())?))
}

impl Comparison {
    /// Does it hold for two quantities? With NaN, only `!=` does.
    pub fn holds_between(self, a: Quantity, b: Quantity) -> bool {
        match a.compare(b) {
            None => self == Comparison::Different,
            Some(order) => match self {
                Comparison::Less => order.is_lt(),
                Comparison::AtMost => order.is_le(),
                Comparison::Greater => order.is_gt(),
                Comparison::AtLeast => order.is_ge(),
                Comparison::Equal => order.is_eq(),
                Comparison::Different => order.is_ne(),
            },
        }
    }
}

impl Arithmetic {
    /// The result for two quantities.
    pub fn apply(self, a: Quantity, b: Quantity) -> Quantity {
        let exact = match (a, b) {
            (Quantity::Whole(a), Quantity::Whole(b)) => self.whole(a, b),
            _ => None,
        };
        exact.map_or_else(|| Quantity::Real(self.real(a.as_f64(), b.as_f64())), Quantity::Whole)
    }

    fn whole(self, a: i128, b: i128) -> Option<i128> {
        match self {
            Arithmetic::Add => a.checked_add(b),
            Arithmetic::Subtract => a.checked_sub(b),
            Arithmetic::Multiply => a.checked_mul(b),
            Arithmetic::Divide => (a.checked_rem(b)? == 0).then(|| a.checked_div(b))?,
            Arithmetic::Minimum => Some(a.min(b)),
            Arithmetic::Maximum => Some(a.max(b)),
        }
    }

    /// The result for two doubles.
    pub(crate) fn real(self, a: f64, b: f64) -> f64 {
        match self {
            Arithmetic::Add => a + b,
            Arithmetic::Subtract => a - b,
            Arithmetic::Multiply => a * b,
            Arithmetic::Divide => a / b,
            Arithmetic::Minimum => a.min(b),
            Arithmetic::Maximum => a.max(b),
        }
    }
}

impl Function {
    /// The result for a quantity.
    pub fn apply(self, a: Quantity) -> Quantity {
        match (self, a) {
            (Function::Abs, Quantity::Whole(i)) => {
                i.checked_abs().map_or(Quantity::Real((i as f64).abs()), Quantity::Whole)
            }
            _ => Quantity::Real(self.real(a.as_f64())),
        }
    }

    /// The result for a double.
    pub(crate) fn real(self, a: f64) -> f64 {
        match self {
            Function::Log => libm::log(a),
            Function::Exp => libm::exp(a),
            Function::Sqrt => a.sqrt(),
            Function::Abs => a.abs(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Quantity::{Real, Whole};
    use proptest::prelude::*;

    #[test]
    fn whole_numbers_compare_exactly_with_doubles() {
        let edge = 1i128 << 53;
        assert_eq!(Whole(edge + 1).compare(Real(edge as f64)), Some(Ordering::Greater));
        assert_eq!(Whole(edge).compare(Real(edge as f64)), Some(Ordering::Equal));
        assert_eq!(Whole(3).compare(Real(3.5)), Some(Ordering::Less));
        assert_eq!(Whole(-3).compare(Real(-3.5)), Some(Ordering::Greater));
        assert_eq!(Whole(i128::MAX).compare(Real(f64::INFINITY)), Some(Ordering::Less));
        assert_eq!(Whole(i128::MIN).compare(Real(-1e300)), Some(Ordering::Greater));
        assert_eq!(Whole(0).compare(Real(f64::NAN)), None);
        assert!(Comparison::Different.holds_between(Whole(0), Real(f64::NAN)));
    }

    #[test]
    fn beyond_128_bits_doubles_take_over() {
        let large = Whole(i128::MAX);
        assert_eq!(Arithmetic::Multiply.apply(large, Whole(2)), Real(i128::MAX as f64 * 2.0));
        assert_eq!(Arithmetic::Divide.apply(Whole(7), Whole(2)), Real(3.5));
        assert_eq!(Arithmetic::Divide.apply(Whole(8), Whole(2)), Whole(4));
        assert_eq!(Arithmetic::Divide.apply(Whole(1), Whole(0)), Real(f64::INFINITY));
        assert_eq!(Whole(i128::MIN).negative(), Real(170_141_183_460_469_231_731_687_303_715_884_105_728.0));
    }

    proptest! {
        #[test]
        fn small_whole_numbers_are_what_doubles_compute(a in -(1i64 << 26)..1 << 26, b in -(1i64 << 26)..1 << 26) {
            for op in [Arithmetic::Add, Arithmetic::Subtract, Arithmetic::Multiply, Arithmetic::Minimum] {
                let whole = op.apply(Whole(a.into()), Whole(b.into()));
                prop_assert_eq!(whole.as_f64(), op.real(a as f64, b as f64) + 0.0);
                prop_assert!(matches!(whole, Whole(_)));
            }
        }
    }
}
