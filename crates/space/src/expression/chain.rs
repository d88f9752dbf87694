//! Arithmetic as a flat list: `a + b - c` is one node with three operands, not two nested nodes.
use super::{Arithmetic, Term};

/// Operands joined by operators of one rank, evaluated from left to right.
#[derive(Clone, PartialEq)]
pub struct Chain {
    first: Box<Term>,
    rest: Vec<(Arithmetic, Term)>,
}

/// Operators that chain without parentheses: `+ −`, `× ÷`, `min` with itself and `max` with itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rank {
    Sum,
    Product,
    Minimum,
    Maximum,
}

impl Arithmetic {
    pub(super) fn rank(self) -> Rank {
        match self {
            Arithmetic::Add | Arithmetic::Subtract => Rank::Sum,
            Arithmetic::Multiply | Arithmetic::Divide => Rank::Product,
            Arithmetic::Minimum => Rank::Minimum,
            Arithmetic::Maximum => Rank::Maximum,
        }
    }
}

impl Chain {
    /// The first operand.
    pub fn first(&self) -> &Term {
        &self.first
    }

    /// The operators, each with its right operand, from left to right; never empty.
    pub fn rest(&self) -> &[(Arithmetic, Term)] {
        &self.rest
    }

    /// All operands, from left to right.
    pub fn operands(&self) -> impl Iterator<Item = &Term> {
        std::iter::once(&*self.first).chain(self.rest.iter().map(|(_, operand)| operand))
    }

    pub(super) fn rank(&self) -> Rank {
        self.rest[0].0.rank()
    }

    pub(super) fn operands_mut(&mut self) -> impl Iterator<Item = &mut Term> {
        std::iter::once(&mut *self.first).chain(self.rest.iter_mut().map(|(_, operand)| operand))
    }

    pub(super) fn operators(&self) -> impl Iterator<Item = Arithmetic> {
        self.rest.iter().map(|(op, _)| *op)
    }

    /// The same operators on other operands, equally many.
    pub(super) fn with(&self, operands: Vec<Term>) -> Chain {
        let mut operands = operands.into_iter();
        let first = Box::new(operands.next().expect("a chain has a first operand"));
        Chain { first, rest: self.operators().zip(operands).collect() }
    }
}

impl Term {
    /// `self op other`. A chain of operators of the same rank grows by one operand: (a + b) − c and
    /// a + b − c are evaluated in the same order and are the same term.
    #[must_use]
    pub fn then(mut self, op: Arithmetic, other: Term) -> Term {
        match &mut self {
            Term::Chain(chain) if chain.rank() == op.rank() => {
                chain.rest.push((op, other));
                self
            }
            _ => Term::Chain(Chain { first: Box::new(self), rest: vec![(op, other)] }),
        }
    }
}
