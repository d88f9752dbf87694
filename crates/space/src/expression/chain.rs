//! Arithmetic as a flat list: `a + b - c` is one node with three operands, not two nodes inside each other.
use super::{Arithmetic, Term};

/// Operands joined by operators of one rank, worked out from left to right.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    first: Box<Term>,
    rest: Vec<(Arithmetic, Term)>,
}

/// Operators that chain without parentheses: `+ −`, `× ÷`, and each of minimum and maximum with itself.
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

    /// The operators with the operand to their right, from left to right; never empty.
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

    /// The same operators on operands that `change` makes.
    pub(super) fn map(&self, change: impl Fn(&Term) -> Term) -> Chain {
        Chain {
            first: Box::new(change(&self.first)),
            rest: self.rest.iter().map(|(op, operand)| (*op, change(operand))).collect(),
        }
    }
}

impl Term {
    /// `self op other`. What was joined by operators of the same rank before grows by one operand: (a + b) − c and
    /// a + b − c are computed in the same order and are the same term.
    #[must_use]
    pub fn then(self, op: Arithmetic, other: Term) -> Term {
        match self {
            Term::Chain(mut chain) if chain.rank() == op.rank() => {
                chain.rest.push((op, other));
                Term::Chain(chain)
            }
            first => Term::Chain(Chain { first: Box::new(first), rest: vec![(op, other)] }),
        }
    }
}
