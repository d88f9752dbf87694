//! What people and machines see: tables, numbers, JSON.
mod table;
mod trial;

pub(crate) use arbora_space::words::short;
pub(crate) use table::{ABSENT, Table, cut, width};
pub(crate) use trial::{assignment, listing, named, record};

use arbora_space::Value;
use serde_json::Value as Json;

/// A value as JSON; exact.
pub(crate) fn json(value: &Value) -> Json {
    match value {
        Value::None => Json::Null,
        Value::Bool(truth) => (*truth).into(),
        Value::Int(number) => (*number).into(),
        Value::Real(number) => (*number).into(),
        Value::Text(text) => Json::String(text.to_string()),
    }
}

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
