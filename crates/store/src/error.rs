//! Everything that can go wrong between a study and what keeps it.
use arbora_search::SearchError;
use arbora_space::SpaceError;
use arbora_space::words::hint;
use std::path::PathBuf;
use thiserror::Error;

/// What went wrong, with the thing and the value it is about.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The search itself could not go on: a space exhausted, a trial told twice, a configuration that is none.
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
        /// As given.
        address: String,
        /// What would be.
        problem: &'static str,
    },
    /// The folder of the file is not there.
    #[error("cannot open `{}`: the folder `{}` does not exist; create it first", path.display(), folder.display())]
    NoFolder {
        /// The file.
        path: PathBuf,
        /// Its folder.
        folder: PathBuf,
    },
    /// The file is not there and was only to be read.
    #[error("there is no file `{}`; check the path", path.display())]
    NoFile {
        /// The file.
        path: PathBuf,
    },
    /// A file of something else.
    #[error("`{}` is not a store of studies: {problem}", path.display())]
    NotAStore {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        problem: String,
    },
    /// A file written by a later version.
    #[error(
        "`{}` was written by a later version (schema {found}, this one knows up to {known}); upgrade arbora",
        path.display()
    )]
    TooNew {
        /// The file.
        path: PathBuf,
        /// Its schema.
        found: i64,
        /// The newest schema known here.
        known: i64,
    },
    /// Writing where only reading is possible.
    #[error("`{}` can only be read: {problem}", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
        /// Why.
        problem: String,
    },
    /// No room left. What was written before is safe.
    #[error("no room left to write `{}`; nothing stored so far is lost, free some space and go on", path.display())]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// The file is damaged.
    #[error(
        "`{}` is damaged ({problem}); `arbora doctor --repair` saves what is readable into a new file",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What was found.
        problem: String,
    },
    /// The file is not where it was opened any more. Nothing was written.
    #[error(
        "`{}` {problem} while it was open; nothing more is written. What was told before is in the file that was \
         there: put that back and go on, or begin anew",
        path.display()
    )]
    Replaced {
        /// The file.
        path: PathBuf,
        /// What became of it.
        problem: &'static str,
    },
    /// The newest results are in a log that is not beside the file.
    #[error(
        "the log of `{}` is missing: it was copied or moved alone while a study was open, and the newest results are \
         in a file of its old name with `-wal` at the end. Put that beside it under the new name; without it, \
         `arbora doctor --repair` saves what is here",
        path.display()
    )]
    LogMissing {
        /// The file.
        path: PathBuf,
    },
    /// Another process has held the file for longer than any of ours would.
    #[error("`{}` has been held by another program for {seconds} seconds; end that program and try again", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
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
    #[error("`{}` was opened before this process was forked; open the study again in the child", path.display())]
    Forked {
        /// The file.
        path: PathBuf,
    },
    /// The operating system refused.
    #[error("cannot use `{}`: {problem}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// In its words.
        problem: String,
    },
}

#[cfg(feature = "sqlite")]
impl StoreError {
    /// The same about a file by another name: the one that was given.
    #[must_use]
    pub(crate) fn about(mut self, shown: &std::path::Path) -> Self {
        match &mut self {
            StoreError::NoFolder { path, folder } => {
                shown.parent().unwrap_or(shown).clone_into(folder);
                shown.clone_into(path);
            }
            StoreError::NoFile { path }
            | StoreError::NotAStore { path, .. }
            | StoreError::Damaged { path, .. }
            | StoreError::Unusable { path, .. } => shown.clone_into(path),
            _ => {}
        }
        self
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
        let damaged = StoreError::Damaged { path: "s.db".into(), problem: "page 3".into() };
        assert!(damaged.to_string().contains("arbora doctor --repair"));
    }
}
