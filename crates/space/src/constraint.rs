//! Forbidden combinations and relations between parameters.
//!
//! A clause is a conjunction of literals; a configuration that satisfies all of them is invalid. A literal about
//! an absent parameter is false. `require a < b` is the clause `a ≥ b`: it binds only where both exist.
use crate::condition::Test;
use crate::configuration::Configuration;
use crate::expression::{Arithmetic, Comparison, Function};
use crate::id::ParamId;
use crate::value::Value;

/// A conjunction that no configuration may satisfy.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// All of these together are forbidden.
    pub literals: Vec<Literal>,
    /// The constraint as written, for messages.
    pub source: String,
}

/// One part of a clause.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// A parameter passes a test.
    Is(ParamId, Test),
    /// Two numbers compare.
    Compare(Number, Comparison, Number),
    /// Two parameters of labels have the same value (or, if false, different ones).
    Same(ParamId, ParamId, bool),
}

/// A number computed from parameters.
#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    /// A constant.
    Constant(f64),
    /// The value of a numeric parameter.
    Of(ParamId),
    /// −a
    Negative(Box<Number>),
    /// Arithmetic on two numbers.
    Binary(Box<Number>, Arithmetic, Box<Number>),
    /// A function of one number.
    Call(Function, Box<Number>),
}

impl Number {
    /// The number, or nothing where a parameter is absent.
    pub fn evaluate(&self, read: &impl Fn(ParamId) -> Option<f64>) -> Option<f64> {
        match self {
            Number::Constant(x) => Some(*x),
            Number::Of(id) => read(*id),
            Number::Negative(a) => a.evaluate(read).map(|a| -a),
            Number::Binary(a, op, b) => Some(op.apply(a.evaluate(read)?, b.evaluate(read)?)),
            Number::Call(function, a) => a.evaluate(read).map(|a| function.apply(a)),
        }
    }

    /// Parameters that occur.
    pub fn parameters(&self, found: &mut Vec<ParamId>) {
        match self {
            Number::Constant(_) => {}
            Number::Of(id) => found.push(*id),
            Number::Negative(a) | Number::Call(_, a) => a.parameters(found),
            Number::Binary(a, _, b) => {
                a.parameters(found);
                b.parameters(found);
            }
        }
    }
}

impl Arithmetic {
    /// The result for two numbers.
    pub fn apply(self, a: f64, b: f64) -> f64 {
        match self {
            Arithmetic::Add => a + b,
            Arithmetic::Subtract => a - b,
            Arithmetic::Multiply => a * b,
            Arithmetic::Divide => a / b,
            Arithmetic::Minimum => a.min(b),
            Arithmetic::Maximum => a.max(b),
        }
    }
}

impl Function {
    /// The result for a number.
    pub fn apply(self, a: f64) -> f64 {
        match self {
            Function::Log => libm::log(a),
            Function::Exp => libm::exp(a),
            Function::Sqrt => a.sqrt(),
            Function::Abs => a.abs(),
        }
    }
}

impl Literal {
    /// Does it hold? `label` gives the position of a parameter's value among its alternatives.
    pub fn holds(&self, at: &Configuration, label: &impl Fn(ParamId, &Value) -> Option<usize>) -> bool {
        match self {
            Literal::Is(id, test) => at.get(*id).is_some_and(|v| test.holds(v, label(*id, v))),
            Literal::Compare(a, op, b) => {
                let read = |id| at.get(id).and_then(Value::as_f64);
                match (a.evaluate(&read), b.evaluate(&read)) {
                    (Some(a), Some(b)) => op.holds(a, b),
                    _ => false,
                }
            }
            Literal::Same(a, b, same) => match (at.get(*a), at.get(*b)) {
                (Some(a), Some(b)) => a.means(b) == *same,
                _ => false,
            },
        }
    }

    /// Parameters that occur.
    pub fn parameters(&self) -> Vec<ParamId> {
        let mut found = Vec::new();
        match self {
            Literal::Is(id, _) => found.push(*id),
            Literal::Compare(a, _, b) => {
                a.parameters(&mut found);
                b.parameters(&mut found);
            }
            Literal::Same(a, b, _) => found.extend([*a, *b]),
        }
        found
    }
}

impl Clause {
    /// Is a configuration forbidden by this clause?
    pub fn forbids(&self, at: &Configuration, label: &impl Fn(ParamId, &Value) -> Option<usize>) -> bool {
        self.literals.iter().all(|literal| literal.holds(at, label))
    }

    /// Parameters that occur, ascending, each once.
    pub fn parameters(&self) -> Vec<ParamId> {
        let mut found: Vec<ParamId> = self.literals.iter().flat_map(Literal::parameters).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}
