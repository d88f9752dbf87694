//! Converts JSON text to a tree and back, for all JSON-based formats.
use super::node::{Data, DocumentNode};
use super::view::Source;
use crate::error::SpaceError;
use crate::value::Value;
use serde::Deserialize;

pub(super) fn parse(source: Source<'_>) -> Result<DocumentNode, SpaceError> {
    serde_json::from_str(source.text).map_err(|e| {
        let message = e.to_string();
        let problem = message.rsplit_once(" at line ").map_or(message.as_str(), |(problem, _)| problem);
        source.fail(format!("line {}, column {}", e.line(), e.column()), problem)
    })
}

pub(super) fn write(source: Source<'_>, node: &DocumentNode) -> Result<String, SpaceError> {
    check_finite(source, node)?;
    let mut text = serde_json::to_string_pretty(node).expect(ALWAYS_JSON);
    text.push('\n');
    Ok(text)
}

pub(super) fn from_value(source: Source<'_>, value: &serde_json::Value) -> Result<DocumentNode, SpaceError> {
    DocumentNode::deserialize(value).map_err(|e| source.fail("data", e.to_string()))
}

pub(super) fn to_value(source: Source<'_>, node: &DocumentNode) -> Result<serde_json::Value, SpaceError> {
    check_finite(source, node)?;
    Ok(serde_json::to_value(node).expect(ALWAYS_JSON))
}

const ALWAYS_JSON: &str = "a tree of text keys and finite numbers is always JSON";

fn check_finite(source: Source<'_>, node: &DocumentNode) -> Result<(), SpaceError> {
    match not_finite(node) {
        Some((path, x)) => {
            Err(source.fail(format!("at `{path}`"), format!("JSON has no number {x}; use a finite one")))
        }
        None => Ok(()),
    }
}

/// The first number that JSON cannot represent, and its path.
fn not_finite(node: &DocumentNode) -> Option<(String, f64)> {
    let below = |step: &str, (path, x): (String, f64)| {
        let dot = if path.is_empty() || path.starts_with('[') { "" } else { "." };
        (format!("{step}{dot}{path}"), x)
    };
    match &node.data {
        Data::Scalar(Value::Real(x)) if !x.is_finite() => Some((String::new(), *x)),
        Data::Scalar(_) => None,
        Data::List(items) => items
            .iter()
            .enumerate()
            .find_map(|(i, item)| not_finite(item).map(|found| below(&format!("[{i}]"), found))),
        Data::Table(entries) => {
            entries.iter().find_map(|e| not_finite(&e.node).map(|found| below(&e.name, found)))
        }
    }
}
