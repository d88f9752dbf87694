//! A space as users write it: plain data, checked as a whole by [`Space::new`](crate::Space::new).
use crate::error::SpaceError;
use crate::expression::Expression;
use crate::value::Value;

/// The values a parameter can take, as written.
#[derive(Clone, Debug, PartialEq)]
pub enum DomainSpec {
    /// Real numbers from `low` to `high`, both included; with a `step` only the exact decimals low + i·step.
    Real {
        /// Lowest value.
        low: f64,
        /// Highest value.
        high: f64,
        /// Distances are ratios: search on the logarithm.
        log: bool,
        /// Distance between neighbouring values.
        step: Option<f64>,
    },
    /// Whole numbers from `low` to `high`, both included.
    Integer {
        /// Lowest value.
        low: i64,
        /// Highest value.
        high: i64,
        /// Distances are ratios: search on the logarithm.
        log: bool,
        /// Distance between neighbouring values; one if absent.
        step: Option<i64>,
    },
    /// One of several alternatives without an order.
    Choice(Vec<Value>),
    /// One of several alternatives, listed from least to greatest.
    Ordinal(Vec<Value>),
    /// True or false.
    Boolean,
    /// Always this value.
    Constant(Value),
}

/// Where good values are believed to be; random search and tree-structured Parzen estimators draw from it.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Prior {
    /// Uniform on the parameter's own scale: in the value, or in its logarithm where `log` is set.
    #[default]
    Flat,
    /// Uniform in the value, whatever the scale.
    Uniform,
    /// Uniform in the logarithm, whatever the scale.
    LogUniform,
    /// Normal, truncated to the range.
    Normal {
        /// Mean.
        mean: f64,
        /// Standard deviation.
        sd: f64,
    },
    /// The logarithm is normal, truncated to the range.
    LogNormal {
        /// Mean of the logarithm.
        mu: f64,
        /// Standard deviation of the logarithm.
        sigma: f64,
    },
    /// One weight per alternative, in the order of the choices; they need not sum to one.
    Weights(Vec<f64>),
}

/// A condition or constraint as given: text is read when the space is built.
///
/// Two are equal if they read the same, however they are spelled.
#[derive(Clone, Debug)]
pub enum ExpressionSource {
    /// Not read yet.
    Text(String),
    /// Built or read already.
    Parsed(Expression),
}

impl ExpressionSource {
    /// The expression, reading the text if need be. Fails on text that is no expression, and on an expression that
    /// could not be read back once written.
    pub fn read(&self) -> Result<Expression, SpaceError> {
        self.read_at("expression")
    }

    /// As [`read`](Self::read); complaints about an expression that was not text begin with this place.
    pub(crate) fn read_at(&self, place: &str) -> Result<Expression, SpaceError> {
        match self {
            ExpressionSource::Text(text) => text.parse(),
            ExpressionSource::Parsed(expression) => match expression.unwritable() {
                None => Ok(expression.clone()),
                Some(problem) => Err(SpaceError::BadExpression { place: place.to_owned(), problem }),
            },
        }
    }

    /// As text, for messages; of an expression too deep to be written, a word.
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

/// One parameter as written.
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
    /// The value to begin with; the middle of the scale or the first alternative if absent.
    pub default: Option<Value>,
    /// Where good values are believed to be.
    pub prior: Prior,
    /// Active where all of these hold.
    pub when: Vec<ExpressionSource>,
    /// `Some(p)`: the value may also be none, with prior probability p.
    pub none: Option<f64>,
    /// Alternatives that old trials may have but that are not proposed any more.
    pub retired: Vec<Value>,
}

impl Param {
    /// A parameter with a domain and nothing else said.
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

    /// A whole number in {low, …, high}.
    pub fn integer(name: impl Into<String>, low: i64, high: i64) -> Self {
        Self::new(name, DomainSpec::Integer { low, high, log: false, step: None })
    }

    /// One of several alternatives without an order.
    pub fn choice<V: Into<Value>>(name: impl Into<String>, choices: impl IntoIterator<Item = V>) -> Self {
        Self::new(name, DomainSpec::Choice(choices.into_iter().map(Into::into).collect()))
    }

    /// One of several alternatives, listed from least to greatest.
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

    /// Search on the logarithm. No effect on parameters that are not numbers.
    #[must_use]
    pub fn log(mut self) -> Self {
        if let DomainSpec::Real { log, .. } | DomainSpec::Integer { log, .. } = &mut self.domain {
            *log = true;
        }
        self
    }

    /// Only every `step`-th value, counted from the lowest. No effect on parameters that are not numbers.
    #[must_use]
    pub fn step(mut self, by: f64) -> Self {
        match &mut self.domain {
            DomainSpec::Real { step, .. } => *step = Some(by),
            // A fraction of a whole number is no step; zero makes the check of the space say so.
            DomainSpec::Integer { step, .. } => *step = Some(if by.fract() == 0.0 { by as i64 } else { 0 }),
            _ => {}
        }
        self
    }

    /// The value to begin with.
    #[must_use]
    pub fn default(mut self, value: impl Into<Value>) -> Self {
        self.default = Some(value.into());
        self
    }

    /// The value may also be none (as likely as a number).
    #[must_use]
    pub fn or_none(self) -> Self {
        self.or_none_with(0.5)
    }

    /// The value may also be none, with this prior probability.
    #[must_use]
    pub fn or_none_with(mut self, probability: f64) -> Self {
        self.none = Some(probability);
        self
    }

    /// Where good values are believed to be.
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

    /// Active only where this holds; several calls are conjoined.
    #[must_use]
    pub fn when(mut self, condition: impl Into<ExpressionSource>) -> Self {
        self.when.push(condition.into());
        self
    }

    /// Keep an alternative for old trials but propose it no more.
    #[must_use]
    pub fn retire(mut self, value: impl Into<Value>) -> Self {
        self.retired.push(value.into());
        self
    }
}

/// A whole space as written.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct SpaceSpec {
    /// In any order; children may come before their deciders.
    pub parameters: Vec<Param>,
    /// No configuration may satisfy any of these.
    pub forbidden: Vec<ExpressionSource>,
    /// Every configuration in which all the parameters named are active must satisfy each of these.
    pub required: Vec<ExpressionSource>,
}

impl SpaceSpec {
    /// Parameters only.
    pub fn new(parameters: impl IntoIterator<Item = Param>) -> Self {
        Self { parameters: parameters.into_iter().collect(), ..Self::default() }
    }

    /// Never propose a configuration that satisfies this.
    #[must_use]
    pub fn forbid(mut self, clause: impl Into<ExpressionSource>) -> Self {
        self.forbidden.push(clause.into());
        self
    }

    /// Only propose configurations that satisfy this, such as `a < b`.
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
