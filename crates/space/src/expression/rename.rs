//! Renames parameters in expressions.
use super::{Expression, Term};
use crate::nested::{Nested, rebuilt};

impl Expression {
    /// The same expression with other parameter names.
    #[must_use]
    pub fn renamed(&self, to: &impl Fn(&str) -> String) -> Self {
        rebuilt(self, |node, parts| match node {
            Expression::Compare(a, op, b) => Expression::Compare(a.renamed(to), *op, b.renamed(to)),
            Expression::In(name, values) => Expression::In(to(name), values.clone()),
            joined => joined.with_parts(parts),
        })
    }
}

impl Term {
    fn renamed(&self, to: &impl Fn(&str) -> String) -> Self {
        rebuilt(self, |node, parts| match node {
            Term::Parameter(name) => Term::Parameter(to(name)),
            other => other.with_parts(parts),
        })
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
