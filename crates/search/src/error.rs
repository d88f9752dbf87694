//! Everything that can go wrong between asking and telling.
use arbora_model::{FitError, SpecError};
use arbora_space::SpaceError;
use serde::Serialize;
use thiserror::Error;

/// The question that stands before a list of what is known.
fn did_you_mean(name: Option<&str>) -> String {
    name.map(|name| format!("did you mean `{name}`? ")).unwrap_or_default()
}

/// Refuses a count of zero.
pub(crate) fn at_least_one(setting: &'static str, count: usize) -> Result<(), SearchError> {
    let problem = "at least one is needed";
    if count > 0 { Ok(()) } else { Err(SearchError::BadSetting { setting, value: "0".into(), problem }) }
}

/// What went wrong, with the thing and the value it is about.
#[derive(Clone, Debug, PartialEq, Error, Serialize)]
#[non_exhaustive]
pub enum SearchError {
    /// Every configuration of a finite space has been tried or is being tried.
    #[error(
        "the space is exhausted: all {count} configurations have been proposed; widen the space, or allow repeats if the objective is noisy"
    )]
    Exhausted {
        /// How many there are.
        count: u128,
    },
    /// Nothing that was not proposed before turned up in a space too large to list.
    #[error(
        "no configuration that was not proposed before in {draws} draws; the constraints or priors leave too little: widen them, or allow repeats if the objective is noisy"
    )]
    NothingNew {
        /// How many were drawn.
        draws: usize,
    },
    /// A space or configuration is not right.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// The model could not be fitted.
    #[error(transparent)]
    Fit(
        #[from]
        #[serde(skip_serializing)]
        FitError,
    ),
    /// A recipe of a model that cannot be.
    #[error(transparent)]
    Model(
        #[from]
        #[serde(skip_serializing)]
        SpecError,
    ),
    /// No strategy of that name.
    #[error(
        "unknown strategy `{name}`; {}recommended are {recommended}; one of your own must be registered first",
        did_you_mean(meant.as_deref())
    )]
    UnknownStrategy {
        /// As given.
        name: String,
        /// The one that was probably meant.
        meant: Option<Box<str>>,
        /// Those that are recommended, joined by commas.
        recommended: String,
        /// Those there are, joined by commas.
        known: String,
    },
    /// A strategy from outside raised an error of its own.
    #[error("strategy `{strategy}` failed: {problem}")]
    StrategyFailed {
        /// The strategy.
        strategy: String,
        /// In its own words.
        problem: String,
    },
    /// A strategy from outside suggested what cannot be tried.
    #[error("strategy `{strategy}` suggested {suggested}, which cannot be tried: {problem}")]
    BadSuggestion {
        /// The strategy.
        strategy: String,
        /// What it suggested, shortened if it is long.
        suggested: String,
        /// The parameter and the value it is about, and what would be right.
        problem: String,
    },
    /// A setting out of its range.
    #[error("{setting} = {value} is invalid: {problem}")]
    BadSetting {
        /// The setting.
        setting: &'static str,
        /// As given.
        value: String,
        /// What would be.
        problem: &'static str,
    },
    /// Parts that do not work together.
    #[error("{first} does not work with {second}: {problem}")]
    Incompatible {
        /// One part.
        first: String,
        /// The other.
        second: String,
        /// Why, and what to use instead.
        problem: &'static str,
    },
    /// A trial that was never asked for.
    #[error("there is no trial number {number}; the study has {count} trials")]
    UnknownTrial {
        /// As given.
        number: u64,
        /// How many there are.
        count: usize,
    },
    /// A trial whose outcome is known already.
    #[error("trial {number} was told already ({outcome}); ask for a new trial instead")]
    AlreadyTold {
        /// The trial.
        number: u64,
        /// What was told.
        outcome: String,
    },
    /// A report that does not go forward.
    #[error(
        "trial {number}: step {step} was reported after step {last}; steps must go up, report each once (only the pruner wilcoxon takes them in any order)"
    )]
    StepBack {
        /// The trial.
        number: u64,
        /// As given.
        step: u64,
        /// The furthest one so far.
        last: u64,
    },
    /// A trial taken in before those that come earlier.
    #[error("trial {number} cannot be taken in: the next one is number {next}")]
    OutOfOrder {
        /// The trial.
        number: u64,
        /// What is expected.
        next: u64,
    },
    /// A cost that is not one.
    #[error("trial {number}: cost {cost} must be a finite number, zero or more")]
    BadCost {
        /// The trial.
        number: u64,
        /// As given.
        cost: f64,
    },
    /// Too little was tried to say what mattered.
    #[error(
        "importance needs at least {needed} full evaluations with a loss; the history has {found} trials"
    )]
    TooFewTrials {
        /// At least as many.
        needed: usize,
        /// Trials of any kind.
        found: usize,
    },
    /// The suggestion was no longer wanted; nothing has changed.
    #[error("the suggestion was interrupted; the study is as it was, ask again to go on")]
    Interrupted,
    /// A specification that cannot be read.
    #[error("cannot read the {what}: {problem}")]
    BadSpec {
        /// What was being read.
        what: &'static str,
        /// What was found and what was expected.
        problem: String,
    },
}

impl SearchError {
    /// The error of the space that this one only carries, or this one.
    pub fn into_space(self) -> Result<SpaceError, Self> {
        match self {
            SearchError::Space(error) => Ok(error),
            own => Err(own),
        }
    }
}
