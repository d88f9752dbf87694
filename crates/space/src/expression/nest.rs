//! Expressions and terms as trees that are walked without recursion.
use super::{Expression, Term};
use crate::nested::{Nested, dismantle, is_same, rebuilt};
use crate::value::Value;

impl Nested for Expression {
    fn each_part<'a>(&'a self, see: &mut dyn FnMut(&'a Self)) {
        match self {
            Expression::All(parts) | Expression::Any(parts) => parts.iter().for_each(see),
            Expression::Not(inner) => see(inner),
            Expression::Compare(..) | Expression::In(..) => {}
        }
    }

    fn take_parts(&mut self, into: &mut Vec<Self>) {
        match self {
            Expression::All(parts) | Expression::Any(parts) => {
                into.extend(std::mem::take(parts).into_iter().filter(Expression::has_parts));
            }
            Expression::Not(inner) if inner.has_parts() => {
                into.push(std::mem::replace(inner, Expression::always()));
            }
            Expression::Not(_) | Expression::Compare(..) | Expression::In(..) => {}
        }
    }

    fn with_parts(&self, mut parts: Vec<Self>) -> Self {
        match self {
            Expression::All(_) => Expression::All(parts),
            Expression::Any(_) => Expression::Any(parts),
            Expression::Not(_) => Expression::Not(Box::new(parts.remove(0))),
            Expression::Compare(a, op, b) => Expression::Compare(a.clone(), *op, b.clone()),
            Expression::In(name, values) => Expression::In(name.clone(), values.clone()),
        }
    }

    fn is_same_node(&self, other: &Self) -> bool {
        use Expression::{All, Any, Compare, In, Not};
        match (self, other) {
            (All(_), All(_)) | (Any(_), Any(_)) | (Not(_), Not(_)) => true,
            (Compare(a, op, b), Compare(c, other, d)) => op == other && a == c && b == d,
            (In(name, values), In(other, others)) => name == other && values == others,
            _ => false,
        }
    }
}

impl Expression {
    fn has_parts(&self) -> bool {
        match self {
            Expression::All(parts) | Expression::Any(parts) => !parts.is_empty(),
            Expression::Not(_) => true,
            Expression::Compare(..) | Expression::In(..) => false,
        }
    }
}

impl Nested for Term {
    fn each_part<'a>(&'a self, see: &mut dyn FnMut(&'a Self)) {
        match self {
            Term::Value(_) | Term::Parameter(_) => {}
            Term::Negative(inner) | Term::Call(_, inner) => see(inner),
            Term::Chain(chain) => chain.operands().for_each(see),
        }
    }

    fn take_parts(&mut self, into: &mut Vec<Self>) {
        let mut take = |part: &mut Term| {
            if !matches!(part, Term::Value(_) | Term::Parameter(_)) {
                into.push(std::mem::replace(part, Term::Value(Value::None)));
            }
        };
        match self {
            Term::Value(_) | Term::Parameter(_) => {}
            Term::Negative(inner) | Term::Call(_, inner) => take(inner),
            Term::Chain(chain) => chain.operands_mut().for_each(take),
        }
    }

    fn with_parts(&self, mut parts: Vec<Self>) -> Self {
        match self {
            Term::Value(value) => Term::Value(value.clone()),
            Term::Parameter(name) => Term::Parameter(name.clone()),
            Term::Negative(_) => Term::Negative(Box::new(parts.remove(0))),
            Term::Call(function, _) => Term::Call(*function, Box::new(parts.remove(0))),
            Term::Chain(chain) => Term::Chain(chain.with(parts)),
        }
    }

    fn is_same_node(&self, other: &Self) -> bool {
        use Term::{Call, Chain, Negative, Parameter, Value};
        match (self, other) {
            (Value(a), Value(b)) => a == b,
            (Parameter(a), Parameter(b)) => a == b,
            (Negative(_), Negative(_)) => true,
            (Call(a, _), Call(b, _)) => a == b,
            (Chain(a), Chain(b)) => a.operators().eq(b.operators()),
            _ => false,
        }
    }
}

impl Clone for Expression {
    fn clone(&self) -> Self {
        rebuilt(self, Nested::with_parts)
    }
}

impl Clone for Term {
    fn clone(&self) -> Self {
        rebuilt(self, Nested::with_parts)
    }
}

impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        is_same(self, other)
    }
}

impl PartialEq for Term {
    fn eq(&self, other: &Self) -> bool {
        is_same(self, other)
    }
}

impl Drop for Expression {
    fn drop(&mut self) {
        dismantle(self);
    }
}

impl Drop for Term {
    fn drop(&mut self) {
        dismantle(self);
    }
}
