//! Forbidden combinations and relations between parameters.
//!
//! A clause is a conjunction of literals; a configuration that satisfies all of them is invalid. A literal about
//! an absent parameter is false. `require a < b` is the clause `a ≥ b`: it binds only where both exist.
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
    /// All of these together are forbidden.
    pub literals: Vec<Literal>,
    /// The constraint as written, for messages; one text for all clauses of a constraint.
    pub source: Arc<str>,
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

/// A number computed from parameters: operands before what is done with them, so that working it out needs a list and
/// no recursion, however long the constraint is.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    steps: Vec<Step>,
}

/// One step of working out a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// A constant.
    Constant(Quantity),
    /// The value of a numeric parameter.
    Of(ParamId),
    /// −a of the number before.
    Negative,
    /// Arithmetic on the two numbers before.
    Binary(Arithmetic),
    /// A function of the number before.
    Call(Function),
}

impl Number {
    /// From steps, operands first; they must leave exactly one number.
    pub(crate) fn new(steps: Vec<Step>) -> Self {
        Self { steps }
    }

    /// The steps, operands first.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The parameter, if the number is its value and nothing else.
    pub fn as_parameter(&self) -> Option<ParamId> {
        match self.steps[..] {
            [Step::Of(id)] => Some(id),
            _ => None,
        }
    }

    /// The number, or nothing where a parameter is absent.
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

    /// Parameters that occur, repeats included.
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

    /// What looking at it costs: steps of arithmetic, or one.
    pub(crate) fn size(&self) -> usize {
        match self {
            Literal::Compare(a, _, b) => a.steps().len() + b.steps().len(),
            Literal::Is(..) | Literal::Same(..) => 1,
        }
    }

    /// Parameters that occur.
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
    /// Is a configuration forbidden by this clause?
    pub fn forbids(&self, at: &Configuration, label: &impl Fn(ParamId, &Value) -> Option<usize>) -> bool {
        self.literals.iter().all(|literal| literal.holds(at, label))
    }

    /// Some constraints by name, for messages: the first few, and how many more.
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

    /// Parameters that occur, ascending, each once.
    pub fn parameters(&self) -> Vec<ParamId> {
        let mut found: Vec<ParamId> = self.literals.iter().flat_map(Literal::parameters).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}
