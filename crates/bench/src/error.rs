//! Everything that can go wrong in a comparison.
use thiserror::Error;

/// What went wrong, with the thing and the value it is about.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BenchError {
    /// A table with rows of different lengths.
    #[error(
        "row {row} of the table has {given} entries, the first one has {expected}; every contender needs a loss on every problem"
    )]
    Ragged {
        /// Which row.
        row: usize,
        /// Its length.
        given: usize,
        /// What was expected.
        expected: usize,
    },
    /// A loss that cannot be ranked.
    #[error("row {row}, column {column} of the table is {value}, not a number that can be ranked")]
    NotANumber {
        /// Which row.
        row: usize,
        /// Which column.
        column: usize,
        /// The value.
        value: f64,
    },
    /// Too little to compare.
    #[error("{what} needs at least {least}, got {given}")]
    TooFew {
        /// The statistic.
        what: &'static str,
        /// The least that works.
        least: usize,
        /// What was given.
        given: usize,
    },
    /// Samples that should be paired.
    #[error("paired samples have {first} and {second} entries; pair them by seed or by problem")]
    Unpaired {
        /// Length of the first.
        first: usize,
        /// Length of the second.
        second: usize,
    },
    /// A level no table has.
    #[error(
        "no critical value for {contenders} contenders at level {level}; tabled are 2 to 20 at 0.01, 0.05 and 0.1"
    )]
    NoCriticalValue {
        /// How many contenders.
        contenders: usize,
        /// The level asked for.
        level: f64,
    },
    /// No problem of that name.
    #[error("no problem is called `{name}`; known are {known}")]
    UnknownProblem {
        /// As given.
        name: String,
        /// Those there are, joined by commas.
        known: String,
    },
}
