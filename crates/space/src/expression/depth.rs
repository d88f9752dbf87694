//! Checks that expressions can be written and parsed back, and measures their nesting.
use super::chain::Rank;
use super::{Expression, MAX_DEPTH, Term};
use crate::value::Value;

impl Expression {
    /// Why this expression could not be parsed back once written, if so. Parsed expressions always
    /// can.
    pub(crate) fn unwritable(&self) -> Option<String> {
        if !self.nests_within(MAX_DEPTH) {
            return Some(format!(
                "it nests more than {MAX_DEPTH} deep; write it flatter, or as several smaller ones"
            ));
        }
        self.odd_number().map(|x| format!("{x} is not a finite number"))
    }

    /// The first constant that is not finite.
    fn odd_number(&self) -> Option<f64> {
        match self {
            Expression::All(parts) | Expression::Any(parts) => parts.iter().find_map(Self::odd_number),
            Expression::Not(inner) => inner.odd_number(),
            Expression::Compare(a, _, b) => a.odd_number().or_else(|| b.odd_number()),
            Expression::In(_, values) => values.iter().find_map(not_finite),
        }
    }

    /// Is its written nesting at most `limit`? Does not look deeper than that.
    pub(crate) fn nests_within(&self, limit: usize) -> bool {
        match self {
            Expression::All(parts) | Expression::Any(parts) => parts.iter().all(|part| {
                let inner = limit.checked_sub(usize::from(part.is_wrapped()));
                inner.is_some_and(|limit| part.nests_within(limit))
            }),
            // `not` and its parentheses.
            Expression::Not(inner) => limit.checked_sub(2).is_some_and(|limit| inner.nests_within(limit)),
            Expression::Compare(a, _, b) => a.nests_within(limit) && b.nests_within(limit),
            Expression::In(..) => true,
        }
    }

    /// Conjunctions and disjunctions inside another one need parentheses.
    pub(super) fn is_wrapped(&self) -> bool {
        matches!(self, Expression::All(inner) | Expression::Any(inner) if !inner.is_empty())
    }
}

fn not_finite(value: &Value) -> Option<f64> {
    value.as_f64().filter(|x| !x.is_finite())
}

impl Term {
    fn odd_number(&self) -> Option<f64> {
        match self {
            Term::Value(value) => not_finite(value),
            Term::Parameter(_) => None,
            Term::Negative(inner) | Term::Call(_, inner) => inner.odd_number(),
            Term::Chain(chain) => chain.operands().find_map(Self::odd_number),
        }
    }

    fn nests_within(&self, limit: usize) -> bool {
        let below =
            |by: usize, inner: &Term| limit.checked_sub(by).is_some_and(|left| inner.nests_within(left));
        match self {
            Term::Value(value) => limit > 0 || !value.as_f64().is_some_and(|x| x < 0.0),
            Term::Parameter(_) => true,
            Term::Negative(inner) => below(1 + usize::from(inner.is_wrapped_as_operand()), inner),
            Term::Call(_, inner) => below(1, inner),
            Term::Chain(chain) => match chain.rank() {
                Rank::Minimum | Rank::Maximum => chain.operands().all(|operand| below(1, operand)),
                rank => {
                    chain.operands().all(|operand| below(usize::from(operand.is_wrapped_in(rank)), operand))
                }
            },
        }
    }

    /// Does it need parentheses as an operand of a chain? The first operand never has the chain's
    /// own rank.
    pub(super) fn is_wrapped_in(&self, rank: Rank) -> bool {
        match self {
            Term::Chain(inner) => match inner.rank() {
                Rank::Sum => true,
                Rank::Product => rank == Rank::Product,
                Rank::Minimum | Rank::Maximum => false,
            },
            _ => false,
        }
    }

    /// Does it need parentheses after a sign?
    pub(super) fn is_wrapped_as_operand(&self) -> bool {
        self.is_wrapped_in(Rank::Product)
    }
}
