//! The value of a parameter, as users see it.
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The value of a parameter.
///
/// Equality and hashing are exact and total: a real compares by its bits, and every constructor in
/// this crate turns `-0.0` into `0.0`, so that canonical configurations can be compared and hashed.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// The declared alternative to a number: `None` in Python, `null` in JSON, `none` in
    /// expressions.
    None,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A real number, never NaN inside a configuration.
    Real(f64),
    /// A label.
    Text(Arc<str>),
}

impl Value {
    /// The value as a number, if it is one.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::Int(i) => Some(*i as f64),
            Value::Real(x) => Some(*x),
            _ => None,
        }
    }

    /// The value as an integer: an integer, or a real without fraction.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Value::Int(i) => Some(*i),
            Value::Real(x) if x.fract() == 0.0 && x.abs() < 9.0e15 => Some(*x as i64),
            _ => None,
        }
    }

    /// The label, if this value is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Text(s) => Some(s),
            _ => None,
        }
    }

    /// The boolean, if this value is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }

    /// True for [`Value::None`].
    pub fn is_none(&self) -> bool {
        matches!(self, Value::None)
    }

    /// Do both values mean the same: equal, or the same number as integer and as real?
    pub fn means(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Int(i), Value::Real(x)) | (Value::Real(x), Value::Int(i)) => {
                x.fract() == 0.0 && *x as i128 == i128::from(*i)
            }
            _ => self == other,
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Value::None => 0,
            Value::Bool(_) => 1,
            Value::Int(_) => 2,
            Value::Real(_) => 3,
            Value::Text(_) => 4,
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Value::None, Value::None) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Real(a), Value::Real(b)) => a.to_bits() == b.to_bits(),
            (Value::Text(a), Value::Text(b)) => Arc::ptr_eq(a, b) || a == b,
            _ => false,
        }
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.rank().hash(state);
        match self {
            Value::None => {}
            Value::Bool(b) => b.hash(state),
            Value::Int(i) => i.hash(state),
            Value::Real(x) => x.to_bits().hash(state),
            Value::Text(s) => s.hash(state),
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            (Value::Real(a), Value::Real(b)) => a.total_cmp(b),
            (Value::Text(a), Value::Text(b)) => a.cmp(b),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::None => f.write_str("none"),
            Value::Bool(b) => write!(f, "{b}"),
            Value::Int(i) => write!(f, "{i}"),
            // `{:?}` is the shortest text that parses to the same number and keeps the decimal
            // point.
            Value::Real(x) => write!(f, "{x:?}"),
            Value::Text(s) => f.write_str(s),
        }
    }
}

macro_rules! from_integer {
    ($($t:ty),*) => {$(impl From<$t> for Value { fn from(i: $t) -> Self { Value::Int(i64::from(i)) } })*};
}
from_integer!(i8, i16, i32, i64, u8, u16, u32);

impl From<f64> for Value {
    fn from(x: f64) -> Self {
        Value::Real(if x == 0.0 { 0.0 } else { x })
    }
}

impl From<bool> for Value {
    fn from(b: bool) -> Self {
        Value::Bool(b)
    }
}

impl From<&str> for Value {
    fn from(s: &str) -> Self {
        Value::Text(s.into())
    }
}

impl From<String> for Value {
    fn from(s: String) -> Self {
        Value::Text(s.into())
    }
}

impl From<Arc<str>> for Value {
    fn from(s: Arc<str>) -> Self {
        Value::Text(s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negative_zero_is_zero() {
        assert_eq!(Value::from(-0.0), Value::from(0.0));
    }

    #[test]
    fn numbers_mean_the_same_whatever_their_kind() {
        assert!(Value::Int(3).means(&Value::Real(3.0)));
        assert_ne!(Value::Int(3), Value::Real(3.0));
    }

    #[test]
    fn json_keeps_kinds() {
        for v in [Value::None, true.into(), 3.into(), 0.1.into(), "rbf".into(), 3.0.into()] {
            let text = serde_json::to_string(&v).unwrap();
            assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), v, "{text}");
        }
    }

    #[test]
    fn display_reads_back() {
        assert_eq!(Value::from(0.1 + 0.2).to_string(), "0.30000000000000004");
        assert_eq!(Value::from(3.0).to_string(), "3.0");
    }
}
