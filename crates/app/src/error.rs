//! Everything that can go wrong on the command line, and the exit code it means.
use arbora_bench::BenchError;
use arbora_evaluation::EvaluationError;
use arbora_search::SearchError;
use arbora_space::SpaceError;
use arbora_space::words::hint;
use arbora_store::{DurableStudy, StoreError};
use std::path::PathBuf;
use thiserror::Error;

/// How a command ends. The codes are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: done.
    Fine,
    /// 1: the work failed, for example no trial succeeded.
    Failed,
    /// 2: wrong arguments or wrong input.
    Usage,
    /// 3: the file of studies cannot be used.
    Store,
    /// 4: nothing left to do: the space is exhausted, or enough trials were made before.
    Nothing,
    /// 130: interrupted.
    Interrupted,
}

impl Exit {
    /// The number given to the operating system.
    pub fn code(self) -> u8 {
        match self {
            Exit::Fine => 0,
            Exit::Failed => 1,
            Exit::Usage => 2,
            Exit::Store => 3,
            Exit::Nothing => 4,
            Exit::Interrupted => 130,
        }
    }
}

/// What went wrong, with the thing and the value it is about.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AppError {
    /// A file that cannot be read.
    #[error("cannot read `{}`: {problem}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// In the words of the operating system.
        problem: String,
    },
    /// A file that cannot be written.
    #[error("cannot write `{}`: {problem}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// In the words of the operating system.
        problem: String,
    },
    /// A file that is there already.
    #[error("`{}` already exists", path.display())]
    FileExists {
        /// The file.
        path: PathBuf,
    },
    /// Whoever read our output has gone.
    #[error("the output was closed before everything was written")]
    ClosedPipe,
    /// A file that is not a space.
    #[error("{}: {problem}", path.display())]
    BadSpace {
        /// The file.
        path: PathBuf,
        /// What is wrong in it.
        problem: SpaceError,
    },
    /// A file of results that cannot be understood.
    #[error("{}: {problem}", path.display())]
    BadImport {
        /// The file.
        path: PathBuf,
        /// What is wrong in it.
        problem: String,
    },
    /// A space or configuration that is not right.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// The search cannot go on.
    #[error(transparent)]
    Search(SearchError),
    /// The file of studies cannot be used.
    #[error(transparent)]
    Store(StoreError),
    /// A study cannot be judged.
    #[error(transparent)]
    Evaluation(EvaluationError),
    /// A comparison that cannot be made.
    #[error(transparent)]
    Bench(#[from] BenchError),
    /// An option of comparisons that are not planned yet.
    #[error("{experiment} has its own problems and trials; {option} does not apply")]
    ForOwn {
        /// Which option.
        option: &'static str,
        /// Of which experiment.
        experiment: String,
    },
    /// A placeholder that names no parameter.
    #[error("`{word}`: no parameter is called `{name}`{}", hint(name, known.iter().map(String::as_str)))]
    UnknownPlaceholder {
        /// As written.
        name: String,
        /// The word it stands in.
        word: String,
        /// All parameters.
        known: Vec<String>,
    },
    /// Braces that do not match.
    #[error("`{word}`: {problem}")]
    BadTemplate {
        /// The word.
        word: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A placeholder where the shell would not read its value as a value.
    #[error("--shell: {placeholder} cannot be used there: {problem}")]
    NoPlace {
        /// As written.
        placeholder: String,
        /// Why, and what to write instead.
        problem: &'static str,
    },
    /// Another command than the study was begun with.
    #[error("study `{study}` was started with another command: `{stored}`, not `{given}`")]
    AnotherCommand {
        /// The study.
        study: String,
        /// The command it has.
        stored: String,
        /// As given.
        given: String,
    },
    /// A study that somebody works on.
    #[error("study `{study}` has {running} running trials")]
    StillRunning {
        /// The study.
        study: String,
        /// How many.
        running: usize,
    },
    /// A program whose name depends on a parameter that is not always there.
    #[error("the program to run cannot depend on `{name}`, which is not always active")]
    ConditionalProgram {
        /// The parameter.
        name: String,
    },
    /// No such program.
    #[error("cannot {} `{program}`", if *is_file { "execute" } else { "find the program" })]
    NoProgram {
        /// As given.
        program: String,
        /// Is it a file that lacks permission, or lies in this folder and not on the path?
        is_file: bool,
    },
    /// A process that cannot be started, or whose files cannot be written.
    #[error("cannot run trial {trial}: {problem}")]
    CannotRun {
        /// The trial.
        trial: u64,
        /// In the words of the operating system.
        problem: String,
    },
    /// A study that is there already, and nobody said to go on with it.
    #[error("study `{name}` already exists in `{storage}`, with {trials} trials")]
    StudyExists {
        /// The study.
        name: String,
        /// Its file.
        storage: String,
        /// How many it has.
        trials: usize,
    },
    /// A file without studies.
    #[error("there is no study in `{storage}` yet")]
    NoStudies {
        /// The file.
        storage: String,
    },
    /// Which one?
    #[error("there are several studies in `{storage}`: {}", known.join(", "))]
    WhichStudy {
        /// The file.
        storage: String,
        /// Their names.
        known: Vec<String>,
    },
    /// There is nothing to judge yet.
    #[error("study `{name}` has no best trial: {missing}")]
    NoBest {
        /// The study.
        name: String,
        /// Why not.
        missing: String,
    },
    /// Bytes for a screen.
    #[error("Parquet is a binary format; write it to a file with -o")]
    NotText,
    /// A signal handler that cannot be set.
    #[error("cannot listen for Ctrl-C: {problem}")]
    NoSignals {
        /// In the words of the operating system.
        problem: String,
    },
    /// A plugin for a program that has no interpreter.
    #[error("--plugin {plugin}: plugins are Python, and this program has no interpreter")]
    Plugin {
        /// As given.
        plugin: String,
    },
    /// The tour needs the Python package.
    #[error("this command runs in Python, and `{python}` {problem}")]
    NoPython {
        /// The interpreter.
        python: String,
        /// What is missing.
        problem: String,
    },
    /// A damaged or foreign file.
    #[error("`{storage}` has {problems} {}", if *problems == 1 { "problem" } else { "problems" })]
    Unhealthy {
        /// The file.
        storage: String,
        /// How many were found.
        problems: usize,
    },
}

impl From<SearchError> for AppError {
    fn from(error: SearchError) -> Self {
        error.into_space().map_or_else(AppError::Search, AppError::Space)
    }
}

impl From<StoreError> for AppError {
    fn from(error: StoreError) -> Self {
        error.into_search().map_or_else(AppError::Store, Self::from)
    }
}

impl From<EvaluationError> for AppError {
    fn from(error: EvaluationError) -> Self {
        error.into_search().map_or_else(AppError::Evaluation, Self::from)
    }
}

impl AppError {
    /// For a study that has nothing to show.
    pub(crate) fn no_best(study: &DurableStudy) -> Self {
        let missing = study.study().history().missing().map(|missing| missing.to_string());
        AppError::NoBest { name: study.name().to_owned(), missing: missing.unwrap_or_default() }
    }

    /// The exit code it means.
    pub fn exit(&self) -> Exit {
        match self {
            AppError::Search(SearchError::Exhausted { .. } | SearchError::NothingNew { .. }) => Exit::Nothing,
            AppError::Search(
                SearchError::Fit(_) | SearchError::StrategyFailed { .. } | SearchError::BadSuggestion { .. },
            )
            | AppError::NoBest { .. }
            | AppError::CannotRun { .. }
            | AppError::NoSignals { .. }
            | AppError::Unwritable { .. }
            | AppError::Bench(BenchError::File { .. } | BenchError::Process { .. }) => Exit::Failed,
            AppError::Store(
                StoreError::NoStudy { .. }
                | StoreError::Disagrees { .. }
                | StoreError::BadName { .. }
                | StoreError::Unregistered { .. },
            ) => Exit::Usage,
            AppError::Store(StoreError::Interrupted { .. }) | AppError::Search(SearchError::Interrupted) => {
                Exit::Interrupted
            }
            AppError::Store(_) | AppError::Unhealthy { .. } => Exit::Store,
            _ => Exit::Usage,
        }
    }

    /// The way out, where the message does not say it already.
    pub fn hint(&self) -> Option<String> {
        match self {
            AppError::UnknownPlaceholder { known, .. } => {
                Some(format!("the parameters are {}; write {{{{ and }}}} for braces", shortened(known)))
            }
            AppError::ForOwn { option, .. } => {
                Some(format!("use it with your own comparison: arbora bench run own {option} …"))
            }
            AppError::StudyExists { .. } => {
                Some("use --resume to continue it, or --name to start another one".to_owned())
            }
            AppError::NoProgram { program, is_file: true } if !program.contains('/') => {
                Some(format!("it is in this folder, not on the PATH: write ./{program}"))
            }
            AppError::NoProgram { program, is_file: true } => Some(format!("make it executable: chmod +x {program}")),
            AppError::NoProgram { .. } => {
                Some("give a program and its arguments after --, or a shell command with --shell".to_owned())
            }
            AppError::AnotherCommand { .. } => Some(
                "one study should measure one program: use --new-command if the new command measures the same, or \
                 --name to start another study"
                    .to_owned(),
            ),
            AppError::Store(StoreError::Disagrees { what: "space", .. }) => Some(
                "leave the space file out to use the stored space, or use --name to start another study; in Python, \
                 study.evolve(…) changes the stored space"
                    .to_owned(),
            ),
            AppError::StillRunning { .. } => {
                Some("wait for them, or use --force if no worker runs them any more".to_owned())
            }
            AppError::NoStudies { .. } => Some("`arbora tune` or `arbora ask SPACE` creates one".to_owned()),
            AppError::WhichStudy { .. } => Some("choose one with --name".to_owned()),
            AppError::FileExists { .. } => Some("remove it, or choose another name".to_owned()),
            AppError::NoPython { .. } => {
                Some("install the package (pip install arbora), or set ARBORA_PYTHON to an interpreter that has it".to_owned())
            }
            AppError::Plugin { .. } => Some(
                "use the command of the Python package (pip install arbora), which takes the same arguments".to_owned(),
            ),
            AppError::ConditionalProgram { .. } => {
                Some("run a script that decides; it gets the parameters as ARBORA_PARAM_… in its environment".to_owned())
            }
            AppError::Unhealthy { .. } => {
                Some("`arbora doctor --repair` copies what can be read into a new file".to_owned())
            }
            _ => None,
        }
    }
}

fn shortened(names: &[String]) -> String {
    const MOST: usize = 12;
    let shown = names[..names.len().min(MOST)].join(", ");
    if names.len() > MOST { format!("{shown} and {} more", names.len() - MOST) } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_exhausted_is_not_a_failure() {
        let exhausted = AppError::from(StoreError::from(SearchError::Exhausted { count: 4 }));
        assert_eq!(exhausted.exit(), Exit::Nothing);
    }
}
