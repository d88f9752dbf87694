//! Everything that can go wrong between a study and what keeps it.
use crate::place::Place;
use arbora_search::SearchError;
use arbora_search::component::Unregistered;
use arbora_space::SpaceError;
use arbora_space::words::hint;
use serde::Serialize;
use thiserror::Error;

/// What went wrong, with the thing and the value it is about.
#[derive(Clone, Debug, PartialEq, Error, Serialize)]
#[non_exhaustive]
pub enum StoreError {
    /// The search itself could not go on: a space exhausted, a trial told twice, a configuration
    /// that is none.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// No study of that name.
    #[error("no study is called `{name}`; {}{}", listed(known), hint(name, known.iter().map(String::as_str)))]
    NoStudy {
        /// As given.
        name: String,
        /// Those there are.
        known: Vec<String>,
    },
    /// A second study of one name.
    #[error("a study called `{name}` exists already; load it, or choose another name")]
    StudyExists {
        /// The name.
        name: String,
    },
    /// The study was deleted while it was open.
    #[error("study `{name}` has been deleted since it was opened")]
    StudyGone {
        /// The name it had.
        name: String,
    },
    /// A name that is none.
    #[error("`{name}` cannot be the name of a study: {problem}")]
    BadName {
        /// As given.
        name: String,
        /// What would be.
        problem: &'static str,
    },
    /// An existing study is not the one described.
    #[error(
        "study `{study}` exists with another {what}: it has {stored}, given was {given}; load it as it is, or choose another name"
    )]
    Disagrees {
        /// The study.
        study: String,
        /// Space, strategy, seed, direction or repeats.
        what: &'static str,
        /// What it was created with.
        stored: String,
        /// What it was asked for.
        given: String,
    },
    /// A heartbeat for a trial that ended or that somebody else works on by now.
    #[error("worker `{worker}` does not hold trial {trial} any more: {problem}")]
    LeaseLost {
        /// The trial.
        trial: u64,
        /// Who asked.
        worker: String,
        /// Who has it, or that nobody has.
        problem: String,
    },
    /// An event that does not fit those before it.
    #[error("study `{study}`, event {sequence}: {problem}; `arbora doctor` looks closer")]
    BadEvent {
        /// The study.
        study: String,
        /// Which event.
        sequence: u64,
        /// What does not fit.
        problem: String,
    },
    /// The settings of a study cannot be read. Other studies of the file are not concerned.
    #[error("the settings of study `{study}` cannot be read: {problem}")]
    BadSettings {
        /// The study.
        study: String,
        /// Where and why.
        problem: String,
    },
    /// The settings of a study name a component from outside that this process does not have.
    #[error(
        "study `{study}` uses the {family} `{kind}`, which this process does not know; register it before you open the \
         study ({}), or upgrade arbora if it belongs to a later version",
        way_out(family)
    )]
    Unregistered {
        /// The study.
        study: String,
        /// Which family, such as `strategy`.
        family: String,
        /// Its name.
        kind: String,
    },
    /// Something that could not be read again if it were written.
    #[error("{what} cannot be kept: {problem}")]
    Unwritable {
        /// What was to be written.
        what: String,
        /// Why not, and what could be done.
        problem: String,
    },
    /// A storage address that cannot be read.
    #[error("storage `{address}`: {problem}")]
    BadAddress {
        /// As given, without the password in it.
        address: Place,
        /// What would be.
        problem: String,
    },
    /// The folder of the file is not there.
    #[error("cannot open `{place}`: the folder `{folder}` does not exist; create it first")]
    NoFolder {
        /// The file.
        place: Place,
        /// Its folder.
        folder: Place,
    },
    /// The file is not there and was only to be read.
    #[error("there is no file `{place}`; check the path")]
    NoFile {
        /// The file.
        place: Place,
    },
    /// A file of something else.
    #[error("`{place}` is not a store of studies: {problem}")]
    NotAStore {
        /// The file.
        place: Place,
        /// What it is instead.
        problem: String,
    },
    /// A file written by a later version.
    #[error(
        "`{place}` was written by a later version (schema {found}, this one knows up to {known}); upgrade arbora"
    )]
    TooNew {
        /// The file.
        place: Place,
        /// Its schema.
        found: i64,
        /// The newest schema known here.
        known: i64,
    },
    /// Writing where only reading is possible.
    #[error("`{place}` can only be read: {problem}")]
    ReadOnly {
        /// The file.
        place: Place,
        /// Why.
        problem: String,
    },
    /// No room left. What was written before is safe.
    #[error("no room left to write `{place}`; nothing stored so far is lost, free some space and go on")]
    Full {
        /// The file.
        place: Place,
    },
    /// The file is damaged.
    #[error(
        "`{place}` is damaged ({problem}); `arbora doctor --repair` saves what is readable into a new file"
    )]
    Damaged {
        /// The file.
        place: Place,
        /// What was found.
        problem: String,
    },
    /// The file is not where it was opened any more. Nothing was written.
    #[error(
        "`{place}` {problem} while it was open; nothing more is written. What was told before is in the file that was \
         there: put that back and go on, or begin anew"
    )]
    Replaced {
        /// The file.
        place: Place,
        /// What became of it.
        problem: &'static str,
    },
    /// The newest results are in a log that is not beside the file.
    #[error(
        "the log of `{place}` is missing: it was copied or moved alone while a study was open, and the newest results are \
         in a file of its old name with `-wal` at the end. Put that beside it under the new name; without it, \
         `arbora doctor --repair` saves what is here"
    )]
    LogMissing {
        /// The file.
        place: Place,
    },
    /// Another process has held the file for longer than any of ours would.
    #[error(
        "`{place}` has been held by another program for {seconds} seconds; end that program and try again"
    )]
    Busy {
        /// The file.
        place: Place,
        /// How long this one waited.
        seconds: u64,
    },
    /// The user did not want to wait any longer. Nothing was written.
    #[error("interrupted while waiting for {what}")]
    Interrupted {
        /// What was waited for.
        what: String,
    },
    /// An open store was carried into a forked process.
    #[error("`{place}` was opened before this process was forked; open the study again in the child")]
    Forked {
        /// The file.
        place: Place,
    },
    /// The operating system refused.
    #[error("cannot use `{place}`: {problem}")]
    Unusable {
        /// The file.
        place: Place,
        /// In its words.
        problem: String,
    },
}

impl StoreError {
    /// The place it is about, if it is about one.
    pub fn place(&self) -> Option<&Place> {
        match self {
            StoreError::NoFolder { place, .. }
            | StoreError::NoFile { place }
            | StoreError::NotAStore { place, .. }
            | StoreError::TooNew { place, .. }
            | StoreError::ReadOnly { place, .. }
            | StoreError::Full { place }
            | StoreError::Damaged { place, .. }
            | StoreError::Replaced { place, .. }
            | StoreError::LogMissing { place }
            | StoreError::Busy { place, .. }
            | StoreError::Forked { place }
            | StoreError::Unusable { place, .. } => Some(place),
            _ => None,
        }
    }
}

/// How components of a family are registered.
fn way_out(family: &str) -> &'static str {
    match family {
        "strategy" => {
            "`arbora.register_strategy` in Python, `--plugin FILE` on the command line, `register` in Rust"
        }
        _ => "`register` in Rust",
    }
}

impl StoreError {
    /// The settings of a study cannot be read for this reason: a component is missing, or they are
    /// damaged.
    pub fn bad_settings(study: &str, problem: &str) -> Self {
        let study = study.to_owned();
        match Unregistered::in_problem(problem) {
            Some(Unregistered { family, kind }) => StoreError::Unregistered { study, family, kind },
            None => {
                let problem = format!("{problem}; they are damaged, or of a later version of arbora");
                StoreError::BadSettings { study, problem }
            }
        }
    }
}

impl From<SpaceError> for StoreError {
    fn from(error: SpaceError) -> Self {
        StoreError::Search(error.into())
    }
}

fn listed(known: &[String]) -> String {
    if known.is_empty() { "there are none yet".into() } else { format!("there are: {}", known.join(", ")) }
}

impl StoreError {
    /// The error of the search that this one only carries, or this one.
    pub fn into_search(self) -> Result<SearchError, Self> {
        match self {
            StoreError::Search(error) => Ok(error),
            own => Err(own),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_the_thing_and_the_way_out() {
        let none = StoreError::NoStudy { name: "a".into(), known: vec![] };
        assert_eq!(none.to_string(), "no study is called `a`; there are none yet");
        let some = StoreError::NoStudy { name: "a".into(), known: vec!["b".into(), "c".into()] };
        assert_eq!(some.to_string(), "no study is called `a`; there are: b, c");
        let near = StoreError::NoStudy { name: "Cahs".into(), known: vec!["svm".into(), "cash".into()] };
        assert_eq!(near.to_string(), "no study is called `Cahs`; there are: svm, cash; did you mean `cash`?");
        let damaged = StoreError::Damaged { place: Place::of_address("s.db"), problem: "page 3".into() };
        assert!(damaged.to_string().contains("arbora doctor --repair"));
    }
}
