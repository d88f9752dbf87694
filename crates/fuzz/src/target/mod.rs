//! Readers and the laws they keep: no panic, no endless loop, and what is accepted can be written and read again.
mod database;
mod import;
mod report;
mod space;
mod study;

/// What became of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The reader took it, and every law held.
    Accepted,
    /// The reader refused it with an error, as it should.
    Refused,
}

/// A reader under test.
#[derive(Clone, Copy)]
pub struct Target {
    /// What it is called, also the folder of its corpus.
    pub name: &'static str,
    /// What it reads, in a few words.
    pub what: &'static str,
    /// Reads the input; an error is a broken law in words.
    pub run: fn(&[u8]) -> Result<Verdict, String>,
}

/// All of them.
pub const TARGETS: [Target; 12] = [
    Target { name: "toml", what: "spaces as TOML", run: space::toml },
    Target { name: "json", what: "spaces as JSON", run: space::json },
    Target { name: "pcs", what: "spaces as PCS", run: space::pcs },
    Target { name: "configspace", what: "spaces as ConfigSpace JSON", run: space::configspace },
    Target { name: "expression", what: "conditions and constraints", run: space::expression },
    Target { name: "options", what: "settings of a study as JSON", run: study::options },
    Target { name: "study", what: "a stored study: space, settings, events", run: study::study },
    Target { name: "database", what: "files of studies, damaged bytes", run: database::bytes },
    Target { name: "rows", what: "files of studies, rows changed by SQL", run: database::rows },
    Target { name: "smac", what: "run histories of SMAC3", run: import::smac },
    Target { name: "reports", what: "what a program prints under tune", run: report::reports },
    Target { name: "optuna", what: "studies of Optuna, as an SQL script", run: import::optuna },
];

/// The target of a name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}
