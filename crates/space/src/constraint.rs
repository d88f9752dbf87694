//! Constraints: forbidden combinations and relations between parameters.
//!
//! A clause is a conjunction of literals; a configuration that satisfies all of them is invalid. A
//! literal about an inactive parameter is false. `require a < b` is the clause `a ≥ b`: it only
//! applies if both are active.
use crate::condition::Test;
use crate::configuration::Configuration;
use crate::expression::{Arithmetic, Comparison, Function};
use crate::id::ParamId;
use crate::quantity::Quantity;
use crate::value::Value;
use std::sync::Arc;

/// A conjunction that no configuration may satisfy.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// The literals; their conjunction is forbidden.
    pub literals: Vec<Literal>,
    /// The text of the constraint, for messages; shared by all its clauses.
    pub source: Arc<str>,
}

/// One condition of a clause.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// A parameter passes a test.
    Is(ParamId, Test),
    /// A comparison of two numbers.
    Compare(Number, Comparison, Number),
    /// Two categorical parameters have the same value (or, if false, different ones).
    Same(ParamId, ParamId, bool),
}

/// A number computed from parameters, in postfix order: evaluating it needs a stack but no
/// recursion, however long the constraint.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    steps: Vec<Step>,
}

/// One step of evaluating a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// A constant.
    Constant(Quantity),
    /// The value of a numeric parameter.
    Of(ParamId),
    /// The negative of the previous number.
    Negative,
    /// Arithmetic on the previous two numbers.
    Binary(Arithmetic),
    /// A function of the previous number.
    Call(Function),
}

impl Number {
    /// From steps in postfix order; they must leave exactly one number.
    pub(crate) fn new(steps: Vec<Step>) -> Self {
        Self { steps }
    }

    /// The steps, in postfix order.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The parameter, if the number is just its value.
    pub fn as_parameter(&self) -> Option<ParamId> {
        match self.steps[..] {
            [Step::Of(id)] => Some(id),
            _ => None,
        }
    }

    /// The number, or `None` if a parameter is inactive.
    pub fn evaluate(&self, read: &impl Fn(ParamId) -> Option<Quantity>) -> Option<Quantity> {
        let mut done: Vec<Quantity> = Vec::new();
        for step in &self.steps {
            let next = match step {
                Step::Constant(x) => *x,
                Step::Of(id) => read(*id)?,
                Step::Negative => done.pop()?.negative(),
                Step::Call(function) => function.apply(done.pop()?),
                Step::Binary(op) => {
                    let (b, a) = (done.pop()?, done.pop()?);
                    op.apply(a, b)
                }
            };
            done.push(next);
        }
        done.pop()
    }

    /// The parameters that occur, with repeats.
    pub fn parameters(&self) -> impl Iterator<Item = ParamId> + '_ {
        self.steps.iter().filter_map(|step| match step {
            Step::Of(id) => Some(*id),
            _ => None,
        })
    }
}

impl Literal {
    /// Does it hold? `label` gives the position of a parameter's value among its alternatives.
    pub fn holds(&self, at: &Configuration, label: &impl Fn(ParamId, &Value) -> Option<usize>) -> bool {
        match self {
            Literal::Is(id, test) => at.get(*id).is_some_and(|v| test.holds(v, label(*id, v))),
            Literal::Compare(a, op, b) => {
                let read = |id| at.get(id).and_then(Quantity::of);
                match (a.evaluate(&read), b.evaluate(&read)) {
                    (Some(a), Some(b)) => op.holds_between(a, b),
                    _ => false,
                }
            }
            Literal::Same(a, b, same) => match (at.get(*a), at.get(*b)) {
                (Some(a), Some(b)) => a.means(b) == *same,
                _ => false,
            },
        }
    }

    /// Cost of evaluating it: the number of arithmetic steps, or one.
    pub(crate) fn size(&self) -> usize {
        match self {
            Literal::Compare(a, _, b) => a.steps().len() + b.steps().len(),
            Literal::Is(..) | Literal::Same(..) => 1,
        }
    }

    /// The parameters that occur.
    pub fn parameters(&self) -> Vec<ParamId> {
        let mut found = Vec::new();
        match self {
            Literal::Is(id, _) => found.push(*id),
            Literal::Compare(a, _, b) => found.extend(a.parameters().chain(b.parameters())),
            Literal::Same(a, b, _) => found.extend([*a, *b]),
        }
        found
    }
}

impl Clause {
    /// Does this clause forbid a configuration?
    pub fn forbids(&self, at: &Configuration, label: &impl Fn(ParamId, &Value) -> Option<usize>) -> bool {
        self.literals.iter().all(|literal| literal.holds(at, label))
    }

    /// The sources of some clauses, for messages: the first few, and the number of others.
    pub(crate) fn listed(clauses: &[Clause]) -> String {
        const FEW: usize = 3;
        let mut sources: Vec<&Arc<str>> = clauses.iter().map(|clause| &clause.source).collect();
        sources.dedup_by(|a, b| Arc::ptr_eq(a, b));
        let shown: Vec<String> = sources.iter().take(FEW).map(|source| format!("`{source}`")).collect();
        let more = match sources.len().saturating_sub(FEW) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!("{}{more}", shown.join(", "))
    }

    /// The parameters that occur, ascending and without repeats.
    pub fn parameters(&self) -> Vec<ParamId> {
        let mut found: Vec<ParamId> = self.literals.iter().flat_map(Literal::parameters).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}
