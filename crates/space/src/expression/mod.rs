//! Conditions and constraints by name, as users write them.
//!
//! ```text
//! model == "svm" and (kernel in ["rbf", "poly"] or depth > 2)      a condition
//! 0.1 <= x < 0.5, depth != none, not (a == 1)                      intervals, none, negation
//! a < b, a * b <= 10, log(units) + 1 < 2 * layers                  relations between parameters
//! ```
//!
//! Chains such as `a + b - c` and `p and q and r` are one flat node, however long they are. Only
//! parentheses, `not`, signs and functions nest, and an expression of a space nests at most
//! [`MAX_DEPTH`] deep. Code can build deeper expressions: they are copied, compared, printed and
//! dropped without recursion.
mod chain;
mod cursor;
mod depth;
mod nest;
mod parse;
mod rename;
mod terms;
mod token;
mod write;

pub use chain::Chain;

use crate::nested::nodes;
use crate::value::Value;

/// Maximum nesting of parentheses, `not`, signs and functions: more than anyone writes by hand, and
/// small enough for any stack.
pub const MAX_DEPTH: usize = 64;

/// A boolean expression about parameters.
pub enum Expression {
    /// All of them hold; empty: always.
    All(Vec<Expression>),
    /// At least one holds; empty: never.
    Any(Vec<Expression>),
    /// It does not hold. A test of an inactive parameter is false, and so is its negation.
    Not(Box<Expression>),
    /// A comparison of two terms.
    Compare(Term, Comparison, Term),
    /// The parameter is one of these values.
    In(String, Vec<Value>),
}

/// `< ≤ > ≥ = ≠`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `==`
    Equal,
    /// `!=`
    Different,
}

impl Comparison {
    /// The comparison that is true exactly if this one is false.
    #[must_use]
    pub fn negated(self) -> Self {
        use Comparison::{AtLeast, AtMost, Different, Equal, Greater, Less};
        match self {
            Less => AtLeast,
            AtMost => Greater,
            Greater => AtMost,
            AtLeast => Less,
            Equal => Different,
            Different => Equal,
        }
    }

    /// `a op b` as `b op' a`.
    #[must_use]
    pub fn mirrored(self) -> Self {
        use Comparison::{AtLeast, AtMost, Different, Equal, Greater, Less};
        match self {
            Less => Greater,
            AtMost => AtLeast,
            Greater => Less,
            AtLeast => AtMost,
            Equal => Equal,
            Different => Different,
        }
    }
}

/// A number or value computed from parameters.
pub enum Term {
    /// A constant.
    Value(Value),
    /// The value of a parameter.
    Parameter(String),
    /// −a
    Negative(Box<Term>),
    /// Arithmetic on two or more terms, from left to right; made by [`Term::then`].
    Chain(Chain),
    /// A function of one term.
    Call(Function, Box<Term>),
}

/// `+ − × ÷`, minimum and maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// `a + b`
    Add,
    /// `a - b`
    Subtract,
    /// `a * b`
    Multiply,
    /// `a / b`
    Divide,
    /// `min(a, b)`
    Minimum,
    /// `max(a, b)`
    Maximum,
}

/// Functions of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    /// `log(a)`, natural
    Log,
    /// `exp(a)`
    Exp,
    /// `sqrt(a)`
    Sqrt,
    /// `abs(a)`
    Abs,
}

impl Expression {
    /// Always true.
    pub fn always() -> Self {
        Expression::All(Vec::new())
    }

    /// Is this the condition that always holds?
    pub fn is_always(&self) -> bool {
        matches!(self, Expression::All(parts) if parts.is_empty())
    }

    /// Both hold.
    #[must_use]
    pub fn and(mut self, other: Expression) -> Self {
        if let Expression::All(parts) = &mut self {
            parts.push(other);
            return self;
        }
        Expression::All(vec![self, other])
    }

    /// At least one holds.
    #[must_use]
    pub fn or(mut self, other: Expression) -> Self {
        if let Expression::Any(parts) = &mut self {
            parts.push(other);
            return self;
        }
        Expression::Any(vec![self, other])
    }

    /// All parameter names, in order of appearance, with repeats.
    pub fn parameters(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for node in nodes(self) {
            match node {
                Expression::All(_) | Expression::Any(_) | Expression::Not(_) => {}
                Expression::Compare(a, _, b) => names.extend(a.parameters().chain(b.parameters())),
                Expression::In(name, _) => names.push(name),
            }
        }
        names
    }
}

impl Term {
    /// Does it mention no parameter?
    pub(crate) fn is_constant(&self) -> bool {
        self.parameters().next().is_none()
    }

    fn parameters(&self) -> impl Iterator<Item = &str> {
        nodes(self).filter_map(|node| match node {
            Term::Parameter(name) => Some(name.as_str()),
            _ => None,
        })
    }
}

impl std::ops::Not for Expression {
    type Output = Expression;
    fn not(self) -> Expression {
        Expression::Not(Box::new(self))
    }
}
