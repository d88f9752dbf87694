//! Expressions under other names.
use super::{Expression, Term};

impl Expression {
    /// The same truth about parameters called differently.
    #[must_use]
    pub fn renamed(&self, to: &impl Fn(&str) -> String) -> Self {
        let each = |parts: &[Expression]| parts.iter().map(|part| part.renamed(to)).collect();
        match self {
            Expression::All(parts) => Expression::All(each(parts)),
            Expression::Any(parts) => Expression::Any(each(parts)),
            Expression::Not(inner) => Expression::Not(Box::new(inner.renamed(to))),
            Expression::Compare(a, op, b) => Expression::Compare(a.renamed(to), *op, b.renamed(to)),
            Expression::In(name, values) => Expression::In(to(name), values.clone()),
        }
    }
}

impl Term {
    fn renamed(&self, to: &impl Fn(&str) -> String) -> Self {
        match self {
            Term::Value(value) => Term::Value(value.clone()),
            Term::Parameter(name) => Term::Parameter(to(name)),
            Term::Negative(a) => Term::Negative(Box::new(a.renamed(to))),
            Term::Chain(chain) => Term::Chain(chain.map(|operand| operand.renamed(to))),
            Term::Call(function, a) => Term::Call(*function, Box::new(a.renamed(to))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_replaced_and_nothing_else() {
        let before: Expression =
            "not (a == 'a') or b in ['a', 1] and -log(c) + min(a, 2) < b".parse().unwrap();
        let after: Expression =
            "not (x.a == 'a') or x.b in ['a', 1] and -log(x.c) + min(x.a, 2) < x.b".parse().unwrap();
        assert_eq!(before.renamed(&|name| format!("x.{name}")), after);
    }
}
