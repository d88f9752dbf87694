//! Everything that can be wrong with a space or with a configuration of it.
use serde::Serialize;
use std::borrow::Cow;
use thiserror::Error;

/// Characters of a text that messages show.
const SHOWN: usize = 240;

/// A text as messages show it: the beginning, if it is long.
pub(crate) fn shortened(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{} …", &text[..end]).into(),
        None => text.into(),
    }
}

/// The part of a long text around a column, counted in characters from one.
fn around(text: &str, column: usize) -> Cow<'_, str> {
    let from = column.saturating_sub(SHOWN / 2);
    match text.char_indices().nth(from) {
        Some((start, _)) if from > 0 && text.char_indices().nth(SHOWN).is_some() => {
            format!("… {}", shortened(&text[start..])).into()
        }
        _ => shortened(text),
    }
}

/// What is wrong, with the thing and the value it is about.
#[derive(Clone, Debug, PartialEq, Error, Serialize)]
#[non_exhaustive]
pub enum SpaceError {
    /// A space must offer something to choose.
    #[error("the space has no parameters; declare at least one")]
    NoParameters,
    /// A parameter without a name.
    #[error("parameter number {position} has an empty name; give it one")]
    EmptyName {
        /// Counting from one, in the order of declaration.
        position: usize,
    },
    /// Two parameters of one name.
    #[error(
        "parameter `{name}` is declared twice; share one declaration or use namespaces such as `svm.{name}`"
    )]
    DuplicateName {
        /// The name used twice.
        name: String,
    },
    /// A bound is NaN or infinite.
    #[error("parameter `{name}`: bound {value} is not a finite number")]
    BoundNotFinite {
        /// The parameter.
        name: String,
        /// The bound as given.
        value: f64,
    },
    /// The lower bound lies above the upper one.
    #[error("parameter `{name}`: the range is empty, low {low} is above high {high}")]
    EmptyRange {
        /// The parameter.
        name: String,
        /// Lower bound.
        low: f64,
        /// Upper bound.
        high: f64,
    },
    /// The range is wider than a double can subtract.
    #[error("parameter `{name}`: the range from {low} to {high} is too wide; narrow it or use a log scale")]
    RangeTooWide {
        /// The parameter.
        name: String,
        /// Lower bound.
        low: f64,
        /// Upper bound.
        high: f64,
    },
    /// Logarithms need positive numbers.
    #[error("parameter `{name}`: log scale needs a positive lower bound, got {low}")]
    LogNeedsPositive {
        /// The parameter.
        name: String,
        /// Lower bound.
        low: f64,
    },
    /// A grid needs a positive step.
    #[error("parameter `{name}`: step must be a positive finite number, got {step}")]
    BadStep {
        /// The parameter.
        name: String,
        /// The step as given.
        step: f64,
    },
    /// A grid whose last value is not reached by whole steps.
    #[error(
        "parameter `{name}`: {steps} steps of {step} from {low} end at {last}, not at {high}; set high = {last} or change the step"
    )]
    StepMissesHigh {
        /// The parameter.
        name: String,
        /// Lower bound.
        low: f64,
        /// Upper bound.
        high: f64,
        /// The step.
        step: f64,
        /// How many whole steps fit.
        steps: u64,
        /// Where they end.
        last: f64,
    },
    /// Bounds and step need more decimal digits than a grid can hold exactly.
    #[error(
        "parameter `{name}`: a grid from {low} to {high} by {step} cannot be held exactly; use fewer digits"
    )]
    GridTooFine {
        /// The parameter.
        name: String,
        /// Lower bound.
        low: f64,
        /// Upper bound.
        high: f64,
        /// The step.
        step: f64,
    },
    /// A choice among nothing.
    #[error("parameter `{name}`: the list of choices is empty")]
    NoChoices {
        /// The parameter.
        name: String,
    },
    /// The same choice twice.
    #[error("parameter `{name}`: choice `{value}` is listed twice")]
    DuplicateChoice {
        /// The parameter.
        name: String,
        /// The choice.
        value: String,
    },
    /// A default, configuration entry or retired choice outside the domain.
    #[error("parameter `{name}`: value `{value}` is not in its domain, {domain}")]
    ValueOutsideDomain {
        /// The parameter.
        name: String,
        /// The value as given.
        value: String,
        /// The domain, described.
        domain: String,
    },
    /// A prior that does not fit its parameter.
    #[error("parameter `{name}`: {problem}")]
    BadPrior {
        /// The parameter.
        name: String,
        /// What is wrong and what would fit.
        problem: String,
    },
    /// A condition or constraint names a parameter that does not exist.
    #[error("{place}: no parameter is called `{name}`{hint}")]
    UnknownParameter {
        /// Where the name was used.
        place: String,
        /// The unknown name.
        name: String,
        /// A similar name, ready to append, or nothing.
        hint: String,
    },
    /// Conditions that bite their own tail.
    #[error("conditions form a cycle: {}; a parameter cannot decide about itself", path.join(" -> "))]
    CyclicCondition {
        /// The cycle, first name repeated at its end.
        path: Vec<String>,
    },
    /// A condition tests for a value that its decider can never have.
    #[error("{place}: `{decider}` can never be `{value}`; its domain is {domain}")]
    TestOutsideDomain {
        /// Where the test was written.
        place: String,
        /// The parameter tested.
        decider: String,
        /// The value it is compared with.
        value: String,
        /// Its domain, described.
        domain: String,
    },
    /// `<` on labels, arithmetic on text and the like.
    #[error("{place}: {problem}")]
    BadExpression {
        /// Where the expression was written.
        place: String,
        /// What does not fit.
        problem: String,
    },
    /// An expression that cannot be read.
    #[error("cannot read `{}`: {problem} at column {column}", around(text, *column))]
    Syntax {
        /// The whole expression.
        text: String,
        /// Counting from one.
        column: usize,
        /// What was found and what was expected.
        problem: String,
    },
    /// A constraint with so many alternatives that it cannot be compiled.
    #[error("{place}: expands to more than {limit} clauses; write it as several smaller constraints")]
    TooManyClauses {
        /// Where the expression was written.
        place: String,
        /// The limit.
        limit: usize,
    },
    /// A parameter that no configuration can ever activate.
    #[error("parameter `{name}`: its condition `{condition}` can never hold, so it would never exist")]
    NeverActive {
        /// The parameter.
        name: String,
        /// Its condition.
        condition: String,
    },
    /// Constraints that leave nothing.
    #[error("the constraints forbid every configuration; {culprit}")]
    Unsatisfiable {
        /// Which constraint closes the last way, or that their combination does.
        culprit: String,
    },
    /// No valid configuration was found, though none was proven impossible.
    #[error(
        "no valid configuration found after {tried} attempts under {constraints}; whether there is one is not known: lift a constraint, widen a domain, or give real parameters a step"
    )]
    NoConfigurationFound {
        /// How many partial configurations were tried.
        tried: u64,
        /// The constraints, as written.
        constraints: String,
    },
    /// No valid configuration has some given values.
    #[error("no valid configuration has {given}; leave one of them open")]
    NoCompletion {
        /// The values, by name.
        given: String,
    },
    /// A configuration lacks a value it needs.
    #[error("configuration: parameter `{name}` is active but has no value")]
    MissingValue {
        /// The parameter.
        name: String,
    },
    /// A configuration sets a parameter that does not take part.
    #[error(
        "configuration: parameter `{name}` is inactive here (it needs {condition}) but was given `{value}`"
    )]
    InactiveValue {
        /// The parameter.
        name: String,
        /// The value given.
        value: String,
        /// What would activate it.
        condition: String,
    },
    /// A configuration that breaks a constraint.
    #[error("configuration: forbidden by `{constraint}`")]
    ForbiddenConfiguration {
        /// The constraint as written.
        constraint: String,
    },
    /// The space is not finite, so it cannot be enumerated.
    #[error("the space is not finite: parameter `{name}` is continuous; give it a step")]
    NotFinite {
        /// A continuous parameter.
        name: String,
    },
    /// A tree of decisions with more branches than it may have.
    #[error(
        "the space has more than {limit} branches; its tree cannot be listed, raise the limit or use a strategy without one"
    )]
    TooManyBranches {
        /// The limit.
        limit: usize,
    },
    /// A change of a running study's space that would make old trials invalid.
    #[error("cannot change the space: {problem}")]
    IncompatibleChange {
        /// What would break.
        problem: String,
    },
    /// A file that is not a space, with its line or path.
    #[error("{format} {place}: {problem}")]
    Format {
        /// Which kind of file.
        format: &'static str,
        /// Line, column or path inside the file.
        place: String,
        /// What was found and what was expected.
        problem: String,
        /// The same as data, where a part is not of the type it should be.
        #[serde(skip_serializing)]
        mismatch: Option<Box<Mismatch>>,
    },
}

/// A part of a document that is not of the type it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The way to it, such as `prior.mean`.
    pub path: String,
    /// What it should be, such as `a number`.
    pub expected: &'static str,
    /// What it is.
    pub found: String,
}
