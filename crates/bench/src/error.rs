//! Everything that can go wrong in a comparison.
use arbora_evaluation::EvaluationError;
use arbora_model::{FitError, SpecError};
use arbora_search::SearchError;
use arbora_space::SpaceError;
use arbora_space::words::question;
use serde::Serialize;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// What went wrong, with the thing and the value it is about.
#[derive(Clone, Debug, PartialEq, Error, Serialize)]
#[non_exhaustive]
pub enum BenchError {
    /// A table with rows of different lengths.
    #[error(
        "row {row} of the table (counted from 0) has {given} entries, the first one has {expected}; every method needs a value on every problem"
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
    #[error(
        "row {row}, column {column} of the table (counted from 0) is {value}, not a number that can be ranked"
    )]
    NotANumber {
        /// Which row.
        row: usize,
        /// Which column.
        column: usize,
        /// The value.
        value: f64,
    },
    /// An entry of a sample that cannot be compared.
    #[error("entry {index} of the {sample} sample (counted from 0) is {value}, which cannot be compared")]
    BadEntry {
        /// Which sample: the first, the second, the only one.
        sample: &'static str,
        /// Which entry.
        index: usize,
        /// The value.
        value: f64,
    },
    /// Average ranks that no table has.
    #[error("average ranks of {methods} methods: {problem}")]
    BadRanks {
        /// How many there are.
        methods: usize,
        /// What is wrong with them.
        problem: String,
    },
    /// A p-value that is none.
    #[error("p-value number {index} (counted from 0) is {value}; p-values lie between 0 and 1")]
    BadPValue {
        /// Which one.
        index: usize,
        /// The value.
        value: f64,
    },
    /// Too little to compare.
    #[error("{what}: at least {least} needed, got {given}")]
    TooFew {
        /// What there is too little of.
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
    /// No way to treat equal pairs has that name.
    #[error("pairs that do not differ cannot be treated by `{name}`; known are drop, pratt, split")]
    UnknownZeros {
        /// As given.
        name: String,
    },
    /// A level no table has.
    #[error(
        "no critical value for {contenders} methods at level {level}; tabled are 2 to 20 methods at 0.01, 0.05 and 0.1"
    )]
    NoCriticalValue {
        /// How many methods.
        contenders: usize,
        /// The level asked for.
        level: f64,
    },
    /// No problem of that name.
    #[error("no problem is called `{name}`; {}known are {known}", question(name, known.split(", ")))]
    UnknownProblem {
        /// As given.
        name: String,
        /// Those there are, joined by commas.
        known: String,
    },
    /// No method of that name.
    #[error("no method is called `{name}`; {}known are {known}", question(name, known.split(", ")))]
    UnknownMethod {
        /// As given.
        name: String,
        /// Those there are, joined by commas.
        known: String,
    },
    /// No experiment of that name.
    #[error("no experiment is called `{name}`; {}known are {known}", question(name, known.split(", ")))]
    UnknownExperiment {
        /// As given.
        name: String,
        /// Those there are, joined by commas.
        known: String,
    },
    /// A file that cannot be read or written.
    #[error("`{}`: {problem}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// In the words of the operating system.
        problem: String,
    },
    /// Another process writes to the same results.
    #[error("`{}` is being written by another process; wait for it, or choose another folder", path.display())]
    Busy {
        /// Which.
        path: PathBuf,
    },
    /// A line of results that is none.
    #[error("`{}`, line {line}: {problem}; remove the line and its run is made again", path.display())]
    BadLine {
        /// Which file.
        path: PathBuf,
        /// The first being 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// A table that is no grid of losses.
    #[error("table `{}`: {problem}", path.display())]
    BadTable {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A process that answers nothing useful.
    #[error("`{program}` {problem}")]
    Process {
        /// As started.
        program: String,
        /// What happened.
        problem: String,
    },
    /// Something that is not installed or not given.
    #[error("{why}")]
    Missing {
        /// What, and how to get it.
        why: String,
    },
    /// Asked to stop before the run was done.
    #[error("interrupted")]
    Interrupted,
    /// The search cannot go on.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A space or configuration that is not right.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// A model that cannot be built.
    #[error(transparent)]
    Model(
        #[from]
        #[serde(skip_serializing)]
        SpecError,
    ),
    /// A model that cannot be fitted.
    #[error(transparent)]
    Fit(
        #[from]
        #[serde(skip_serializing)]
        FitError,
    ),
    /// An evaluation that cannot be planned or judged.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
}

impl BenchError {
    /// Trouble with a file.
    pub fn file(path: &Path, problem: &std::io::Error) -> Self {
        BenchError::File { path: path.to_path_buf(), problem: problem.to_string() }
    }

    /// Would it go away by installing or giving something?
    pub fn is_missing(&self) -> bool {
        matches!(self, BenchError::Missing { .. })
    }
}
