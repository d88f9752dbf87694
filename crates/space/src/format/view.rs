//! Reads a tree and keeps track of the path, so that every error has a location.
use super::node::{Data, DocumentNode, Entry};
use crate::error::{Mismatch, SpaceError};
use crate::value::Value;
use crate::words::hint;
use std::collections::HashSet;

/// The document of a node.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    /// Name of the format, for messages.
    pub(super) format: &'static str,
    /// The text, for lines and columns.
    pub(super) text: &'a str,
}

/// The location of an error about the whole document.
pub(super) const AT_THE_TOP: &str = "at the top";

/// A node and its path.
#[derive(Clone)]
pub(super) struct View<'a> {
    source: Source<'a>,
    node: &'a DocumentNode,
    path: String,
}

/// A table with unique names.
pub(super) struct Fields<'a> {
    here: View<'a>,
    entries: &'a [Entry],
}

impl Source<'_> {
    pub(super) fn fail(self, place: impl Into<String>, problem: impl Into<String>) -> SpaceError {
        let (place, problem) = (place.into(), problem.into());
        SpaceError::Format { format: self.format, place, problem, mismatch: None }
    }

    /// `line 3, column 7`, counting characters from one.
    pub(super) fn position(self, offset: usize) -> String {
        let mut end = offset.min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &self.text[..end];
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
        format!("line {line}, column {column}")
    }
}

impl<'a> View<'a> {
    pub(super) fn new(source: Source<'a>, node: &'a DocumentNode) -> Self {
        Self { source, node, path: String::new() }
    }

    fn inner(&self, step: &str, node: &'a DocumentNode) -> Self {
        let dot = if self.path.is_empty() || step.starts_with('[') { "" } else { "." };
        Self { source: self.source, node, path: format!("{}{dot}{step}", self.path) }
    }

    /// An error about this node.
    pub(super) fn fail(&self, problem: impl Into<String>) -> SpaceError {
        self.fail_at(self.node.offset, problem)
    }

    fn fail_at(&self, offset: Option<usize>, problem: impl Into<String>) -> SpaceError {
        self.source.fail(self.place(offset), problem)
    }

    fn place(&self, offset: Option<usize>) -> String {
        match (offset, self.path.is_empty()) {
            (Some(offset), true) => self.source.position(offset),
            (Some(offset), false) => format!("{} (`{}`)", self.source.position(offset), self.path),
            (None, true) => AT_THE_TOP.to_owned(),
            (None, false) => format!("at `{}`", self.path),
        }
    }

    fn expected(&self, expected: &'static str) -> SpaceError {
        let found = match &self.node.data {
            Data::Scalar(Value::Text(text)) => format!("the text `{text}`"),
            Data::Scalar(value) => format!("`{value}`"),
            Data::List(_) => "a list".to_owned(),
            Data::Table(_) => "a table".to_owned(),
        };
        SpaceError::Format {
            format: self.source.format,
            place: self.place(self.node.offset),
            problem: format!("expected {expected}, found {found}"),
            mismatch: Some(Box::new(Mismatch { path: self.path.clone(), expected, found })),
        }
    }

    /// An error about an unknown word.
    pub(super) fn unknown(&self, word: &str, known: &[&str]) -> SpaceError {
        let mut advice = hint(word, known.iter().copied());
        if advice.is_empty() {
            advice = format!("; it is one of {}", known.join(", "));
        }
        self.fail(format!("unknown word `{word}`{advice}"))
    }

    pub(super) fn is_table(&self) -> bool {
        matches!(self.node.data, Data::Table(_))
    }

    pub(super) fn is_none(&self) -> bool {
        matches!(self.node.data, Data::Scalar(Value::None))
    }

    pub(super) fn as_text(&self) -> Option<&'a str> {
        match &self.node.data {
            Data::Scalar(Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    pub(super) fn as_bool(&self) -> Option<bool> {
        match &self.node.data {
            Data::Scalar(value) => value.as_bool(),
            _ => None,
        }
    }

    pub(super) fn text(&self) -> Result<&'a str, SpaceError> {
        self.as_text().ok_or_else(|| self.expected("text"))
    }

    pub(super) fn boolean(&self) -> Result<bool, SpaceError> {
        self.as_bool().ok_or_else(|| self.expected("true or false"))
    }

    pub(super) fn real(&self) -> Result<f64, SpaceError> {
        match &self.node.data {
            Data::Scalar(value) => value.as_f64(),
            _ => None,
        }
        .ok_or_else(|| self.expected("a number"))
    }

    pub(super) fn integer(&self) -> Result<i64, SpaceError> {
        match &self.node.data {
            Data::Scalar(value) => value.as_i64(),
            _ => None,
        }
        .ok_or_else(|| self.expected("a whole number"))
    }

    /// A value; none is null, or `{ none = true }` in formats without null.
    pub(super) fn value(&self) -> Result<Value, SpaceError> {
        match &self.node.data {
            Data::Scalar(value) => Ok(value.clone()),
            Data::Table(entries) if is_spelled_none(entries) => Ok(Value::None),
            _ => Err(self.expected("a value (none is spelled `{ none = true }`)")),
        }
    }

    pub(super) fn values(&self) -> Result<Vec<Value>, SpaceError> {
        self.list()?.iter().map(View::value).collect()
    }

    pub(super) fn reals(&self) -> Result<Vec<f64>, SpaceError> {
        self.list()?.iter().map(View::real).collect()
    }

    pub(super) fn as_list(&self) -> Option<Vec<View<'a>>> {
        let Data::List(items) = &self.node.data else { return None };
        Some(items.iter().enumerate().map(|(i, item)| self.inner(&format!("[{i}]"), item)).collect())
    }

    pub(super) fn list(&self) -> Result<Vec<View<'a>>, SpaceError> {
        self.as_list().ok_or_else(|| self.expected("a list"))
    }

    pub(super) fn fields(&self) -> Result<Fields<'a>, SpaceError> {
        let Data::Table(entries) = &self.node.data else { return Err(self.expected("a table")) };
        let mut seen = HashSet::new();
        for entry in entries {
            if !seen.insert(entry.name.as_str()) {
                return Err(self.fail_at(entry.offset, format!("`{}` is given twice", entry.name)));
            }
        }
        Ok(Fields { here: self.clone(), entries })
    }
}

fn is_spelled_none(entries: &[Entry]) -> bool {
    let [only] = entries else { return false };
    only.name == "none" && only.node.data == Data::Scalar(Value::Bool(true))
}

impl<'a> Fields<'a> {
    pub(super) fn fail(&self, problem: impl Into<String>) -> SpaceError {
        self.here.fail(problem)
    }

    pub(super) fn optional(&self, name: &str) -> Option<View<'a>> {
        let entry = self.entries.iter().find(|e| e.name == name)?;
        Some(self.here.inner(&entry.name, &entry.node))
    }

    /// Like [`optional`](Self::optional), but null counts as missing.
    pub(super) fn present(&self, name: &str) -> Option<View<'a>> {
        self.optional(name).filter(|view| !view.is_none())
    }

    pub(super) fn required(&self, name: &str) -> Result<View<'a>, SpaceError> {
        self.optional(name).ok_or_else(|| self.here.fail(format!("field `{name}` is missing")))
    }

    /// All entries, in order.
    pub(super) fn all(&self) -> impl Iterator<Item = (&'a str, View<'a>)> {
        self.entries.iter().map(|e| (e.name.as_str(), self.here.inner(&e.name, &e.node)))
    }

    /// Rejects all other fields.
    pub(super) fn only(&self, known: &[&str]) -> Result<(), SpaceError> {
        let Some(odd) = self.entries.iter().find(|e| !known.contains(&e.name.as_str())) else {
            return Ok(());
        };
        let mut advice = hint(&odd.name, known.iter().copied());
        if advice.is_empty() {
            advice = format!("; the fields here are {}", known.join(", "));
        }
        Err(self.here.fail_at(odd.offset, format!("unknown field `{}`{advice}", odd.name)))
    }
}
