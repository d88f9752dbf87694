//! TOML, the format for hand-written files. Every error names its line and column.
use super::description::{Description, Writer};
use super::document::{node_of, spec_of};
use super::node::{Data, DocumentNode, Entry};
use super::view::{Source, View};
use crate::error::SpaceError;
use crate::space::Space;
use crate::spec::SpaceSpec;
use crate::value::Value;
use std::fmt::Write;
use toml::de::{DeTable, DeValue};

pub(super) const FORMAT: Description = Description {
    name: "toml",
    extensions: &["toml"],
    recognizes: None,
    read: SpaceSpec::from_toml,
    write: Writer::Spec(SpaceSpec::to_toml),
};

impl SpaceSpec {
    /// Reads a space from TOML.
    pub fn from_toml(text: &str) -> Result<Self, SpaceError> {
        let source = Source { format: "toml", text };
        spec_of(&View::new(source, &parse(source)?))
    }

    /// Writes a space as TOML; fails only if two parameters have the same name.
    pub fn to_toml(&self) -> Result<String, SpaceError> {
        Ok(document(&node_of(self)?))
    }
}

impl Space {
    /// Reads a space from TOML and builds it.
    pub fn from_toml(text: &str) -> Result<Self, SpaceError> {
        Space::new(SpaceSpec::from_toml(text)?)
    }

    /// Writes the space as TOML.
    pub fn to_toml(&self) -> Result<String, SpaceError> {
        self.spec().to_toml()
    }
}

fn parse(source: Source<'_>) -> Result<DocumentNode, SpaceError> {
    let table = DeTable::parse(source.text).map_err(|e| {
        let place = e.span().map_or_else(|| "somewhere".to_owned(), |span| source.position(span.start));
        source.fail(place, e.message())
    })?;
    let offset = table.span().start;
    Ok(DocumentNode { data: entries(source, table.get_ref())?, offset: Some(offset) })
}

fn entries(source: Source<'_>, table: &DeTable<'_>) -> Result<Data, SpaceError> {
    let mut found = Vec::with_capacity(table.len());
    for (key, value) in table {
        let node = node(source, value.get_ref(), value.span().start)?;
        found.push(Entry { name: key.get_ref().to_string(), offset: Some(key.span().start), node });
    }
    Ok(Data::Table(found))
}

fn node(source: Source<'_>, value: &DeValue<'_>, offset: usize) -> Result<DocumentNode, SpaceError> {
    let fail = |problem: String| source.fail(source.position(offset), problem);
    let data = match value {
        DeValue::String(text) => Data::Scalar(text.as_ref().into()),
        DeValue::Boolean(b) => Data::Scalar((*b).into()),
        DeValue::Integer(i) => {
            let whole = i64::from_str_radix(i.as_str(), i.radix());
            Data::Scalar(whole.map_err(|_| fail(format!("the whole number {i} is too large")))?.into())
        }
        DeValue::Float(x) => {
            // Infinity is valid if spelled out, and an overflow otherwise.
            let number: Option<f64> = x.as_str().parse().ok();
            let spelled = x.as_str().contains("inf");
            let number = number.filter(|x: &f64| !x.is_infinite() || spelled);
            Data::Scalar(number.ok_or_else(|| fail(format!("the number {x} is too large")))?.into())
        }
        DeValue::Datetime(date) => return Err(fail(format!("`{date}` is a date; put it in quotes"))),
        DeValue::Array(items) => Data::List(
            items
                .iter()
                .map(|item| node(source, item.get_ref(), item.span().start))
                .collect::<Result<_, _>>()?,
        ),
        DeValue::Table(table) => entries(source, table)?,
    };
    Ok(DocumentNode { data, offset: Some(offset) })
}

/// Lists of constraints first, then one section per parameter.
fn document(root: &DocumentNode) -> String {
    let mut out = String::new();
    let Data::Table(parts) = &root.data else { return out };
    for part in parts {
        match &part.node.data {
            Data::Table(parameters) if parameters.is_empty() => out.push_str("[parameters]\n"),
            Data::Table(parameters) => parameters.iter().for_each(|p| section(&mut out, &part.name, p)),
            _ => line(&mut out, part),
        }
    }
    out
}

fn section(out: &mut String, parent: &str, parameter: &Entry) {
    let gap = if out.is_empty() { "" } else { "\n" };
    let _ = writeln!(out, "{gap}[{parent}.{}]", Key(&parameter.name));
    if let Data::Table(fields) = &parameter.node.data {
        for field in fields {
            line(out, field);
        }
    }
}

fn line(out: &mut String, entry: &Entry) {
    let _ = writeln!(out, "{} = {}", Key(&entry.name), Inline(&entry.node));
}

struct Inline<'a>(&'a DocumentNode);

impl std::fmt::Display for Inline<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0.data {
            Data::Scalar(Value::None) => f.write_str("{ none = true }"),
            Data::Scalar(Value::Text(text)) => write!(f, "{}", Quoted(text)),
            Data::Scalar(Value::Real(x)) if x.is_nan() => f.write_str("nan"),
            Data::Scalar(value) => write!(f, "{value}"),
            Data::List(items) => {
                f.write_str("[")?;
                for (i, item) in items.iter().enumerate() {
                    write!(f, "{}{}", if i > 0 { ", " } else { "" }, Inline(item))?;
                }
                f.write_str("]")
            }
            Data::Table(entries) => {
                f.write_str("{ ")?;
                for (i, e) in entries.iter().enumerate() {
                    write!(f, "{}{} = {}", if i > 0 { ", " } else { "" }, Key(&e.name), Inline(&e.node))?;
                }
                f.write_str(" }")
            }
        }
    }
}

/// A bare key if TOML allows one.
struct Key<'a>(&'a str);

impl std::fmt::Display for Key<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        if !self.0.is_empty() && self.0.chars().all(bare) { f.write_str(self.0) } else { basic(f, self.0) }
    }
}

/// A literal string if that avoids escapes.
struct Quoted<'a>(&'a str);

impl std::fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let literal = self.0.contains(['"', '\\']) && !self.0.contains(|c: char| c == '\'' || c.is_control());
        if literal { write!(f, "'{}'", self.0) } else { basic(f, self.0) }
    }
}

fn basic(f: &mut std::fmt::Formatter<'_>, text: &str) -> std::fmt::Result {
    f.write_str("\"")?;
    for c in text.chars() {
        match c {
            '"' | '\\' => write!(f, "\\{c}")?,
            '\n' => f.write_str("\\n")?,
            '\t' => f.write_str("\\t")?,
            c if c.is_control() => write!(f, "\\u{:04X}", u32::from(c))?,
            c => write!(f, "{c}")?,
        }
    }
    f.write_str("\"")
}
