//! What people and machines see: tables, numbers, JSON.
mod table;
mod trial;

pub(crate) use arbora_space::words::short;
pub(crate) use table::{ABSENT, Table, cut, width};
pub(crate) use trial::{assignment, listing, record};

use arbora_space::Value;

/// A value for people: at most six digits.
pub(crate) fn value(value: &Value) -> String {
    match value {
        Value::Real(number) => short(*number),
        other => other.to_string(),
    }
}

/// `1 study`, `2 studies`.
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
