//! Errors of spaces and configurations.
use serde::Serialize;
use std::borrow::Cow;
use thiserror::Error;

/// Maximum number of characters of a text in messages.
const SHOWN: usize = 240;

/// A text for messages, cut if it is long.
pub(crate) fn shortened(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{} …", &text[..end]).into(),
        None => text.into(),
    }
}

/// The part of a long text around a column (in characters, from one).
fn around(text: &str, column: usize) -> Cow<'_, str> {
    let from = column.saturating_sub(SHOWN / 2);
    match text.char_indices().nth(from) {
        Some((start, _)) if from > 0 && text.char_indices().nth(SHOWN).is_some() => {
            format!("… {}", shortened(&text[start..])).into()
        }
        _ => shortened(text),
    }
}

/// What went wrong, with the name and the value concerned.
#[derive(Clone, Debug, PartialEq, Error, Serialize)]
#[non_exhaustive]
pub enum SpaceError {
    /// A space needs at least one parameter.
    #[error("the space has no parameters; declare at least one")]
    NoParameters,
    /// A parameter without a name.
    #[error("parameter number {position} has an empty name; give it one")]
    EmptyName {
        /// Counting from one, in the order of declaration.
        position: usize,
    },
    /// Two parameters have the same name.
    #[error(
        "parameter `{name}` is declared twice; share one declaration or use namespaces such as `svm.{name}`"
    )]
    DuplicateName {
        /// The duplicate name.
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
    /// The lower bound is above the upper one.
    #[error("parameter `{name}`: the range is empty, low {low} is above high {high}")]
    EmptyRange {
        /// The parameter.
        name: String,
        /// Lower bound.
        low: f64,
        /// Upper bound.
        high: f64,
    },
    /// The width of the range overflows a double.
    #[error("parameter `{name}`: the range from {low} to {high} is too wide; narrow it or use a log scale")]
    RangeTooWide {
        /// The parameter.
        name: String,
        /// Lower bound.
        low: f64,
        /// Upper bound.
        high: f64,
    },
    /// A log scale needs positive numbers.
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
    /// Whole steps from the lower bound do not reach the upper one.
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
        /// The last value they reach.
        last: f64,
    },
    /// A grid needs too many decimal digits to be exact.
    #[error(
        "parameter `{name}`: a grid from {low} to {high} by {step} cannot be represented exactly; use fewer digits"
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
    /// An empty list of choices.
    #[error("parameter `{name}`: the list of choices is empty")]
    NoChoices {
        /// The parameter.
        name: String,
    },
    /// A duplicate choice.
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
        /// Description of the domain.
        domain: String,
    },
    /// A prior that does not fit the parameter.
    #[error("parameter `{name}`: {problem}")]
    BadPrior {
        /// The parameter.
        name: String,
        /// The problem, and what would fit.
        problem: String,
    },
    /// An unknown parameter in a condition or constraint.
    #[error("{place}: no parameter is called `{name}`{hint}")]
    UnknownParameter {
        /// Where the name is used.
        place: String,
        /// The unknown name.
        name: String,
        /// A suggestion with a similar name, or empty.
        hint: String,
    },
    /// Conditions that form a cycle.
    #[error("conditions form a cycle: {}; a parameter cannot decide about itself", path.join(" -> "))]
    CyclicCondition {
        /// The cycle; the first name is repeated at the end.
        path: Vec<String>,
    },
    /// A condition tests for a value that the decider cannot have.
    #[error("{place}: `{decider}` can never be `{value}`; its domain is {domain}")]
    TestOutsideDomain {
        /// Where the test is.
        place: String,
        /// The parameter tested.
        decider: String,
        /// The value it is compared with.
        value: String,
        /// Description of its domain.
        domain: String,
    },
    /// A type error in an expression, such as `<` on labels or arithmetic on text.
    #[error("{place}: {problem}")]
    BadExpression {
        /// Where the expression is.
        place: String,
        /// What does not fit.
        problem: String,
    },
    /// An expression that cannot be parsed.
    #[error("cannot read `{}`: {problem} at column {column}", around(text, *column))]
    Syntax {
        /// The whole expression.
        text: String,
        /// Counting from one.
        column: usize,
        /// What was found and what was expected.
        problem: String,
    },
    /// A constraint that expands to too many clauses.
    #[error("{place}: expands to more than {limit} clauses; write it as several smaller constraints")]
    TooManyClauses {
        /// Where the expression is.
        place: String,
        /// The limit.
        limit: usize,
    },
    /// A parameter that no configuration can activate.
    #[error("parameter `{name}`: its condition `{condition}` can never hold, so it would never be active")]
    NeverActive {
        /// The parameter.
        name: String,
        /// Its condition.
        condition: String,
    },
    /// Constraints that no configuration satisfies.
    #[error("the constraints forbid every configuration; {culprit}")]
    Unsatisfiable {
        /// The constraint that excludes everything, or that only their combination does.
        culprit: String,
    },
    /// The search for a valid configuration gave up without a proof that there is none.
    #[error(
        "no valid configuration found after {tried} attempts under {constraints}; there may be none: lift a constraint, widen a domain, or give real parameters a step"
    )]
    NoConfigurationFound {
        /// Number of partial configurations tried.
        tried: u64,
        /// The constraints, as written.
        constraints: String,
    },
    /// No valid configuration with the given values.
    #[error("no valid configuration has {given}; leave one of them open")]
    NoCompletion {
        /// The values, by name.
        given: String,
    },
    /// A configuration without the value of an active parameter.
    #[error("configuration: parameter `{name}` is active but has no value")]
    MissingValue {
        /// The parameter.
        name: String,
    },
    /// A configuration with a value for an inactive parameter.
    #[error(
        "configuration: parameter `{name}` is inactive here (it needs {condition}) but was given `{value}`"
    )]
    InactiveValue {
        /// The parameter.
        name: String,
        /// The value given.
        value: String,
        /// The condition under which it is active.
        condition: String,
    },
    /// A configuration that violates a constraint.
    #[error("configuration: forbidden by `{constraint}`")]
    ForbiddenConfiguration {
        /// The constraint as written.
        constraint: String,
    },
    /// The space is infinite, so it cannot be enumerated.
    #[error("the space is not finite: parameter `{name}` is continuous; give it a step")]
    NotFinite {
        /// A continuous parameter.
        name: String,
    },
    /// A decision tree with too many branches.
    #[error(
        "the space has more than {limit} branches; raise the limit, or use a strategy that does not need the tree"
    )]
    TooManyBranches {
        /// The limit.
        limit: usize,
    },
    /// A change to the space of a running study that would make old trials invalid.
    #[error("cannot change the space: {problem}")]
    IncompatibleChange {
        /// What would break.
        problem: String,
    },
    /// A file that is not a valid space, with the line or path of the problem.
    #[error("{format} {place}: {problem}")]
    Format {
        /// The file format.
        format: &'static str,
        /// Line, column or path inside the file.
        place: String,
        /// What was found and what was expected.
        problem: String,
        /// Structured details, if a part has the wrong type.
        #[serde(skip_serializing)]
        mismatch: Option<Box<Mismatch>>,
    },
}

/// A part of a document with the wrong type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Its path, such as `prior.mean`.
    pub path: String,
    /// The expected type, such as `a number`.
    pub expected: &'static str,
    /// What was found.
    pub found: String,
}
