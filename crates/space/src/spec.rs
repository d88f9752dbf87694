//! A space as users write it: plain data, checked as a whole by [`Space::new`](crate::Space::new).
use crate::error::SpaceError;
use crate::expression::Expression;
use crate::value::Value;

/// The values of a parameter, as declared.
#[derive(Clone, Debug, PartialEq)]
pub enum DomainSpec {
    /// Real numbers from `low` to `high`, inclusive; with a `step`, only the exact decimals
    /// low + i·step.
    Real {
        /// Lowest value.
        low: f64,
        /// Highest value.
        high: f64,
        /// Search on a logarithmic scale.
        log: bool,
        /// Distance between consecutive values.
        step: Option<f64>,
    },
    /// Integers from `low` to `high`, inclusive.
    Integer {
        /// Lowest value.
        low: i64,
        /// Highest value.
        high: i64,
        /// Search on a logarithmic scale.
        log: bool,
        /// Distance between consecutive values; one if absent.
        step: Option<i64>,
    },
    /// One of several unordered alternatives (a categorical parameter).
    Choice(Vec<Value>),
    /// One of several alternatives, ordered from least to greatest.
    Ordinal(Vec<Value>),
    /// True or false.
    Boolean,
    /// Always this value.
    Constant(Value),
}

/// Prior belief about good values; random search and tree-structured Parzen estimators sample from
/// it.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Prior {
    /// Uniform on the parameter's own scale: in the value, or in its logarithm if `log` is set.
    #[default]
    Flat,
    /// Uniform in the value, even on a log scale.
    Uniform,
    /// Uniform in the logarithm, even on a linear scale.
    LogUniform,
    /// Normal, truncated to the range.
    Normal {
        /// Mean.
        mean: f64,
        /// Standard deviation.
        sd: f64,
    },
    /// Log-normal, truncated to the range.
    LogNormal {
        /// Mean of the logarithm.
        mu: f64,
        /// Standard deviation of the logarithm.
        sigma: f64,
    },
    /// One weight per alternative, in the order of the choices; they need not sum to one.
    Weights(Vec<f64>),
}

/// A condition or constraint as text or as an expression; text is parsed when the space is built.
///
/// Two sources are equal if they parse to the same expression.
#[derive(Clone, Debug)]
pub enum ExpressionSource {
    /// Not parsed yet.
    Text(String),
    /// Built in code, or parsed already.
    Parsed(Expression),
}

impl ExpressionSource {
    /// The expression, parsed if necessary. Fails on invalid text, and on an expression whose text
    /// could not be parsed back.
    pub fn read(&self) -> Result<Expression, SpaceError> {
        self.read_at("expression")
    }

    /// Like [`read`](Self::read); errors about an expression that was not text start with this
    /// place.
    pub(crate) fn read_at(&self, place: &str) -> Result<Expression, SpaceError> {
        match self {
            ExpressionSource::Text(text) => text.parse(),
            ExpressionSource::Parsed(expression) => match expression.unwritable() {
                None => Ok(expression.clone()),
                Some(problem) => Err(SpaceError::BadExpression { place: place.to_owned(), problem }),
            },
        }
    }

    /// Text for messages; just `expression` if it is too deep to write.
    pub(crate) fn shown(&self) -> String {
        match self {
            ExpressionSource::Parsed(expression) if expression.unwritable().is_some() => {
                "expression".to_owned()
            }
            other => other.to_string(),
        }
    }
}

impl PartialEq for ExpressionSource {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (ExpressionSource::Text(a), ExpressionSource::Text(b)) if a == b => true,
            (ExpressionSource::Parsed(a), ExpressionSource::Parsed(b)) => a == b,
            _ => matches!((self.read(), other.read()), (Ok(a), Ok(b)) if a == b),
        }
    }
}

impl std::fmt::Display for ExpressionSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ExpressionSource::Text(text) => f.write_str(text),
            ExpressionSource::Parsed(expression) => write!(f, "{expression}"),
        }
    }
}

impl From<&str> for ExpressionSource {
    fn from(text: &str) -> Self {
        ExpressionSource::Text(text.to_owned())
    }
}

impl From<String> for ExpressionSource {
    fn from(text: String) -> Self {
        ExpressionSource::Text(text)
    }
}

impl From<Expression> for ExpressionSource {
    fn from(expression: Expression) -> Self {
        ExpressionSource::Parsed(expression)
    }
}

/// One parameter, as declared.
///
/// ```
/// use arbora_space::Param;
/// Param::real("svm.C", 1e-5, 1e5).log().default(1.0).when("model == 'svm'");
/// Param::integer("depth", 1, 30).or_none();
/// Param::choice("model", ["svm", "forest"]).weights([1.0, 3.0]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Unique in its space.
    pub name: String,
    /// Its values.
    pub domain: DomainSpec,
    /// The first value to try; by default the middle of the scale or the first alternative.
    pub default: Option<Value>,
    /// Prior belief about good values.
    pub prior: Prior,
    /// The parameter is active if all of these hold.
    pub when: Vec<ExpressionSource>,
    /// `Some(p)`: the value can also be none, with prior probability p.
    pub none: Option<f64>,
    /// Alternatives that old trials may have, but that are no longer proposed.
    pub retired: Vec<Value>,
}

impl Param {
    /// A parameter with a domain, and defaults for everything else.
    pub fn new(name: impl Into<String>, domain: DomainSpec) -> Self {
        Self {
            name: name.into(),
            domain,
            default: None,
            prior: Prior::Flat,
            when: Vec::new(),
            none: None,
            retired: Vec::new(),
        }
    }

    /// A real number in [low, high].
    pub fn real(name: impl Into<String>, low: f64, high: f64) -> Self {
        Self::new(name, DomainSpec::Real { low, high, log: false, step: None })
    }

    /// An integer in {low, …, high}.
    pub fn integer(name: impl Into<String>, low: i64, high: i64) -> Self {
        Self::new(name, DomainSpec::Integer { low, high, log: false, step: None })
    }

    /// One of several unordered alternatives (a categorical parameter).
    pub fn choice<V: Into<Value>>(name: impl Into<String>, choices: impl IntoIterator<Item = V>) -> Self {
        Self::new(name, DomainSpec::Choice(choices.into_iter().map(Into::into).collect()))
    }

    /// One of several alternatives, ordered from least to greatest.
    pub fn ordinal<V: Into<Value>>(name: impl Into<String>, values: impl IntoIterator<Item = V>) -> Self {
        Self::new(name, DomainSpec::Ordinal(values.into_iter().map(Into::into).collect()))
    }

    /// True or false.
    pub fn boolean(name: impl Into<String>) -> Self {
        Self::new(name, DomainSpec::Boolean)
    }

    /// Always the same value.
    pub fn constant(name: impl Into<String>, value: impl Into<Value>) -> Self {
        Self::new(name, DomainSpec::Constant(value.into()))
    }

    /// Search on a logarithmic scale. No effect on parameters that are not numeric.
    #[must_use]
    pub fn log(mut self) -> Self {
        if let DomainSpec::Real { log, .. } | DomainSpec::Integer { log, .. } = &mut self.domain {
            *log = true;
        }
        self
    }

    /// Only every `step`-th value, counted from the lowest. No effect on parameters that are not
    /// numeric.
    #[must_use]
    pub fn step(mut self, by: f64) -> Self {
        match &mut self.domain {
            DomainSpec::Real { step, .. } => *step = Some(by),
            // A fractional step is invalid for integers; zero makes the check of the space report
            // it.
            DomainSpec::Integer { step, .. } => *step = Some(if by.fract() == 0.0 { by as i64 } else { 0 }),
            _ => {}
        }
        self
    }

    /// Sets the first value to try.
    #[must_use]
    pub fn default(mut self, value: impl Into<Value>) -> Self {
        self.default = Some(value.into());
        self
    }

    /// The value can also be none, as likely as a number.
    #[must_use]
    pub fn or_none(self) -> Self {
        self.or_none_with(0.5)
    }

    /// The value can also be none, with this prior probability.
    #[must_use]
    pub fn or_none_with(mut self, probability: f64) -> Self {
        self.none = Some(probability);
        self
    }

    /// Sets the prior.
    #[must_use]
    pub fn prior(mut self, prior: Prior) -> Self {
        self.prior = prior;
        self
    }

    /// Prior weights of the alternatives.
    #[must_use]
    pub fn weights(self, weights: impl Into<Vec<f64>>) -> Self {
        self.prior(Prior::Weights(weights.into()))
    }

    /// Active only if this holds; several calls are joined by `and`.
    #[must_use]
    pub fn when(mut self, condition: impl Into<ExpressionSource>) -> Self {
        self.when.push(condition.into());
        self
    }

    /// Keeps an alternative for old trials but no longer proposes it.
    #[must_use]
    pub fn retire(mut self, value: impl Into<Value>) -> Self {
        self.retired.push(value.into());
        self
    }
}

/// A whole space, as declared.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct SpaceSpec {
    /// In any order; children may come before their deciders.
    pub parameters: Vec<Param>,
    /// No configuration may satisfy any of these.
    pub forbidden: Vec<ExpressionSource>,
    /// Each of these must hold in every configuration in which all its parameters are active.
    pub required: Vec<ExpressionSource>,
}

impl SpaceSpec {
    /// A space without constraints.
    pub fn new(parameters: impl IntoIterator<Item = Param>) -> Self {
        Self { parameters: parameters.into_iter().collect(), ..Self::default() }
    }

    /// Forbids configurations that satisfy this.
    #[must_use]
    pub fn forbid(mut self, clause: impl Into<ExpressionSource>) -> Self {
        self.forbidden.push(clause.into());
        self
    }

    /// Requires this of all configurations, for example `a < b`.
    #[must_use]
    pub fn require(mut self, relation: impl Into<ExpressionSource>) -> Self {
        self.required.push(relation.into());
        self
    }
}

impl<I: IntoIterator<Item = Param>> From<I> for SpaceSpec {
    fn from(parameters: I) -> Self {
        SpaceSpec::new(parameters)
    }
}
