//! JSON, the form for programs. Every complaint names its path; a text that is no JSON, its line and column.
use super::document::{node_of, spec_of};
use super::node::{Data, Node};
use super::view::{Source, View};
use crate::error::SpaceError;
use crate::space::Space;
use crate::spec::SpaceSpec;
use crate::value::Value;

impl SpaceSpec {
    /// Reads a space from JSON.
    pub fn from_json(text: &str) -> Result<Self, SpaceError> {
        let source = Source { format: "json", text };
        spec_of(&View::new(source, &parse(source)?))
    }

    /// Writes a space as JSON; fails if two parameters have the same name or a number is not finite.
    pub fn to_json(&self) -> Result<String, SpaceError> {
        write(Source { format: "json", text: "" }, &node_of(self)?)
    }
}

impl Space {
    /// Reads a space from JSON and builds it.
    pub fn from_json(text: &str) -> Result<Self, SpaceError> {
        Space::new(SpaceSpec::from_json(text)?)
    }

    /// Writes the space as JSON.
    pub fn to_json(&self) -> Result<String, SpaceError> {
        self.spec().to_json()
    }
}

pub(super) fn parse(source: Source<'_>) -> Result<Node, SpaceError> {
    serde_json::from_str(source.text).map_err(|e| {
        let message = e.to_string();
        let problem = message.rsplit_once(" at line ").map_or(message.as_str(), |(problem, _)| problem);
        source.fail(format!("line {}, column {}", e.line(), e.column()), problem)
    })
}

pub(super) fn write(source: Source<'_>, node: &Node) -> Result<String, SpaceError> {
    if let Some((path, x)) = not_finite(node) {
        return Err(source.fail(format!("at `{path}`"), format!("JSON has no number {x}; use a finite one")));
    }
    let mut text =
        serde_json::to_string_pretty(node).expect("a tree of text keys and finite numbers is always JSON");
    text.push('\n');
    Ok(text)
}

/// The first number that JSON cannot hold, and the way to it.
fn not_finite(node: &Node) -> Option<(String, f64)> {
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
