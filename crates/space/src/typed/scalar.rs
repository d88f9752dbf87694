//! Rust types that hold the value of one parameter.
use crate::domain::Domain;
use crate::spec::DomainSpec;
use crate::value::Value;
use std::sync::Arc;

/// A Rust type that holds the value of one parameter.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot hold the value of a parameter",
    note = "use an integer of at most 64 bits, `f64`, `f32`, `bool`, `String`, or an `Option` of these"
)]
pub trait Scalar: Sized {
    /// Converts to a value.
    fn to_value(&self) -> Value;

    /// Converts from a value; `None` if it does not fit.
    fn from_value(value: &Value) -> Option<Self>;

    /// Converts to a value of this domain; corrects rounding by the type.
    fn to_value_in(&self, _domain: &Domain) -> Value {
        self.to_value()
    }
}

/// A Rust number that can be searched between two bounds.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number that can be searched",
    note = "`low` and `high` belong to integers of at most 64 bits, `f64` and `f32`"
)]
pub trait NumericType: Scalar {
    /// The numbers from `low` to `high`.
    fn domain(low: Self, high: Self, log: bool, step: Option<Self>) -> DomainSpec;
}

/// One value of a parameter.
pub fn value<T: Scalar>(it: &T) -> Value {
    it.to_value()
}

/// Alternatives of a parameter.
pub fn values<T: Scalar>(list: &[T]) -> Vec<Value> {
    list.iter().map(Scalar::to_value).collect()
}

macro_rules! integers {
    ($($t:ty),*) => {$(
        impl Scalar for $t {
            fn to_value(&self) -> Value {
                // Beyond 2⁶³ nothing is exact; the check of the space reports such bounds.
                Value::Int(i64::try_from(*self).unwrap_or(i64::MAX))
            }
            fn from_value(value: &Value) -> Option<Self> {
                value.as_i64().and_then(|whole| <$t>::try_from(whole).ok())
            }
        }
        impl NumericType for $t {
            fn domain(low: Self, high: Self, log: bool, step: Option<Self>) -> DomainSpec {
                let whole = |x: $t| i64::try_from(x).unwrap_or(i64::MAX);
                DomainSpec::Integer { low: whole(low), high: whole(high), log, step: step.map(whole) }
            }
        }
    )*};
}
integers!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize);

impl Scalar for f64 {
    fn to_value(&self) -> Value {
        Value::from(*self)
    }
    fn from_value(value: &Value) -> Option<Self> {
        value.as_f64()
    }
}

impl NumericType for f64 {
    fn domain(low: Self, high: Self, log: bool, step: Option<Self>) -> DomainSpec {
        DomainSpec::Real { low, high, log, step }
    }
}

/// The double of the shortest decimal of an `f32`: 0.1f32 is 0.1, not 0.10000000149.
fn decimal(x: f32) -> f64 {
    format!("{x:e}").parse().expect("a float prints as a float")
}

impl Scalar for f32 {
    fn to_value(&self) -> Value {
        Value::from(decimal(*self))
    }
    fn from_value(value: &Value) -> Option<Self> {
        value.as_f64().map(|x| x as f32)
    }
    /// A number rounded beyond a bound becomes that bound.
    fn to_value_in(&self, domain: &Domain) -> Value {
        match domain.range() {
            Some((low, _)) if low as f32 == *self => Value::from(low),
            Some((_, high)) if high as f32 == *self => Value::from(high),
            _ => self.to_value(),
        }
    }
}

impl NumericType for f32 {
    fn domain(low: Self, high: Self, log: bool, step: Option<Self>) -> DomainSpec {
        DomainSpec::Real { low: decimal(low), high: decimal(high), log, step: step.map(decimal) }
    }
}

impl Scalar for bool {
    fn to_value(&self) -> Value {
        Value::Bool(*self)
    }
    fn from_value(value: &Value) -> Option<Self> {
        value.as_bool()
    }
}

macro_rules! texts {
    ($($t:ty),*) => {$(
        impl Scalar for $t {
            fn to_value(&self) -> Value {
                Value::from(&**self)
            }
            fn from_value(value: &Value) -> Option<Self> {
                value.as_str().map(Into::into)
            }
        }
    )*};
}
texts!(String, Box<str>, Arc<str>);

impl<T: Scalar> Scalar for Option<T> {
    fn to_value(&self) -> Value {
        self.as_ref().map_or(Value::None, Scalar::to_value)
    }
    fn from_value(value: &Value) -> Option<Self> {
        if value.is_none() { Some(None) } else { T::from_value(value).map(Some) }
    }
    fn to_value_in(&self, domain: &Domain) -> Value {
        self.as_ref().map_or(Value::None, |inner| inner.to_value_in(domain))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comes_back<T: Scalar + PartialEq + std::fmt::Debug + Clone>(list: &[T]) {
        for it in list {
            assert_eq!(T::from_value(&it.to_value()).as_ref(), Some(it));
        }
    }

    #[test]
    fn values_come_back() {
        comes_back(&[i8::MIN, -1, 0, i8::MAX]);
        comes_back(&[0, u32::MAX]);
        comes_back(&[i64::MIN, i64::MAX]);
        comes_back(&[0.1f32, -1e-30, f32::MAX, f32::MIN_POSITIVE]);
        comes_back(&[0.1, -1e-300, f64::MAX]);
        comes_back(&[None, Some("a".to_owned())]);
        comes_back(&[Some(true), None]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert_eq!(u8::from_value(&Value::Int(256)), None);
        assert_eq!(u8::from_value(&Value::Real(1.5)), None);
        assert_eq!(u32::from_value(&Value::Int(-1)), None);
        assert_eq!(bool::from_value(&Value::Int(1)), None);
        assert_eq!(String::from_value(&Value::None), None);
    }

    #[test]
    fn singles_are_the_decimals_they_were_written_as() {
        assert_eq!(f32::domain(0.1, 0.7, false, Some(0.2)), f64::domain(0.1, 0.7, false, Some(0.2)));
        assert_eq!(0.3f32.to_value(), Value::from(0.3));
    }
}
