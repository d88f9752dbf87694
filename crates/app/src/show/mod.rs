//! What people and machines see: tables, numbers, trees, JSON.
mod number;
mod table;
mod tree;
mod trial;

pub(crate) use number::{count, short};
pub(crate) use table::{ABSENT, Table, cut, width};
pub(crate) use tree::{domain, tree};
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
        Value::Text(text) if text.chars().any(char::is_control) => format!("{text:?}"),
        other => other.to_string(),
    }
}
