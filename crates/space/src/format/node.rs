//! The tree that all structured formats are read into and written from, with source positions.
use crate::value::Value;
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use std::fmt;

/// One node of a document, in any syntax: a value, a list, or a table.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentNode {
    pub(super) data: Data,
    /// The byte offset of its start, if the parser provides it.
    pub(super) offset: Option<usize>,
}

/// The content of a node.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Data {
    Scalar(Value),
    List(Vec<DocumentNode>),
    /// In order; names may repeat until a [`View`](super::view::View) reports it.
    Table(Vec<Entry>),
}

/// A named entry of a table.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) offset: Option<usize>,
    pub(super) node: DocumentNode,
}

impl DocumentNode {
    /// A value.
    pub fn scalar(value: impl Into<Value>) -> Self {
        Data::Scalar(value.into()).into()
    }

    pub(super) fn null() -> Self {
        Self::scalar(Value::None)
    }

    /// A list of nodes.
    pub fn list(items: impl IntoIterator<Item = DocumentNode>) -> Self {
        Data::List(items.into_iter().collect()).into()
    }

    pub(super) fn values(values: &[Value]) -> Self {
        Self::list(values.iter().cloned().map(DocumentNode::scalar))
    }

    pub(super) fn numbers(numbers: &[f64]) -> Self {
        Self::list(numbers.iter().map(|x| DocumentNode::scalar(*x)))
    }

    /// A table, in order.
    pub fn table<N: Into<String>>(entries: impl IntoIterator<Item = (N, DocumentNode)>) -> Self {
        let entry = |(name, node): (N, DocumentNode)| Entry { name: name.into(), offset: None, node };
        Data::Table(entries.into_iter().map(entry).collect()).into()
    }

    /// None in formats without null: `{ none = true }`.
    pub(super) fn spelled_none() -> Self {
        Self::table([("none", DocumentNode::scalar(true))])
    }

    /// The same tree without nulls.
    pub(super) fn without_nulls(self) -> Self {
        let data = match self.data {
            Data::Scalar(Value::None) => return Self::spelled_none(),
            Data::Scalar(value) => Data::Scalar(value),
            Data::List(items) => Data::List(items.into_iter().map(DocumentNode::without_nulls).collect()),
            Data::Table(entries) => Data::Table(
                entries.into_iter().map(|e| Entry { node: e.node.without_nulls(), ..e }).collect(),
            ),
        };
        DocumentNode { data, offset: self.offset }
    }
}

impl From<Data> for DocumentNode {
    fn from(data: Data) -> Self {
        Self { data, offset: None }
    }
}

impl Serialize for DocumentNode {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match &self.data {
            Data::Scalar(value) => value.serialize(to),
            Data::List(items) => {
                let mut list = to.serialize_seq(Some(items.len()))?;
                items.iter().try_for_each(|item| list.serialize_element(item))?;
                list.end()
            }
            Data::Table(entries) => {
                let mut table = to.serialize_map(Some(entries.len()))?;
                entries.iter().try_for_each(|e| table.serialize_entry(&e.name, &e.node))?;
                table.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for DocumentNode {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(AnyNode)
    }
}

struct AnyNode;

impl<'de> Visitor<'de> for AnyNode {
    type Value = DocumentNode;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table, a list or a value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<DocumentNode, E> {
        Ok(DocumentNode::null())
    }

    fn visit_bool<E: de::Error>(self, b: bool) -> Result<DocumentNode, E> {
        Ok(DocumentNode::scalar(b))
    }

    fn visit_i64<E: de::Error>(self, i: i64) -> Result<DocumentNode, E> {
        Ok(DocumentNode::scalar(i))
    }

    fn visit_u64<E: de::Error>(self, i: u64) -> Result<DocumentNode, E> {
        let whole = i64::try_from(i);
        whole.map(DocumentNode::scalar).map_err(|_| E::custom(format!("the whole number {i} is too large")))
    }

    fn visit_f64<E: de::Error>(self, x: f64) -> Result<DocumentNode, E> {
        Ok(DocumentNode::scalar(x))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<DocumentNode, E> {
        Ok(DocumentNode::scalar(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<DocumentNode, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = from.next_element()? {
            items.push(item);
        }
        Ok(DocumentNode::list(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<DocumentNode, A::Error> {
        let mut entries: Vec<(String, DocumentNode)> = Vec::new();
        while let Some(entry) = from.next_entry()? {
            entries.push(entry);
        }
        Ok(DocumentNode::table(entries))
    }
}
