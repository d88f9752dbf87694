//! What a section of a report is made of.
use super::table::Table;

/// A chart and what it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Name of its file, without an ending.
    pub name: String,
    /// What it shows.
    pub caption: String,
    /// The chart.
    pub svg: String,
}

/// A part of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// Numbers.
    Table(Table),
    /// A chart.
    Figure(Figure),
    /// A sentence.
    Words(String),
}
