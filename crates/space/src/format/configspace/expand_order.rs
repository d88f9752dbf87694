//! Expands order relations between alternatives into pairs. In `ConfigSpace`, `a < b` compares the
//! values of two categories, numbers as numbers and text as text. Our alternatives have no order
//! across parameters, so the pairs are listed.
use crate::expression::{Arithmetic, Comparison, Expression, Term};
use crate::nested::{Nested, rebuilt};
use crate::quantity::Quantity;
use crate::spec::{DomainSpec, Param};
use crate::value::Value;
use std::cmp::Ordering;

/// The expression with every order relation between two lists of alternatives expanded into its
/// pairs.
pub(super) fn expand_order(expression: &Expression, parameters: &[Param]) -> Expression {
    rebuilt(expression, |node, parts| {
        let spelled = match node {
            Expression::Compare(Term::Parameter(left), op, Term::Parameter(right)) => {
                pairs(left, *op, right, parameters)
                    .or_else(|| with_constant(left, *op, right, parameters))
                    .or_else(|| with_constant(right, op.mirrored(), left, parameters))
            }
            _ => None,
        };
        spelled.unwrap_or_else(|| node.with_parts(parts))
    })
}

fn pairs(left: &str, op: Comparison, right: &str, parameters: &[Param]) -> Option<Expression> {
    if matches!(op, Comparison::Equal | Comparison::Different) {
        return None;
    }
    let (of_left, of_right) = (alternatives(left, parameters)?, alternatives(right, parameters)?);
    let mut held = Vec::new();
    for value in of_left {
        let mut partners = Vec::new();
        for other in of_right {
            if holds(compared(value, other)?, op) {
                partners.push(other.clone());
            }
        }
        if !partners.is_empty() {
            let this = Expression::In(left.to_owned(), vec![value.clone()]);
            held.push(Expression::All(vec![this, Expression::In(right.to_owned(), partners)]));
        }
    }
    Some(Expression::Any(held))
}

/// A constant number is still compared with other numbers in `ConfigSpace`.
fn with_constant(constant: &str, op: Comparison, number: &str, parameters: &[Param]) -> Option<Expression> {
    let DomainSpec::Constant(value) = domain(constant, parameters)? else { return None };
    let is_number =
        matches!(domain(number, parameters)?, DomainSpec::Real { .. } | DomainSpec::Integer { .. });
    (is_number && value.as_f64().is_some()).then(|| {
        // A sum, since a plain test of a value outside the range would be rejected.
        let sum = Term::Parameter(number.to_owned()).then(Arithmetic::Add, Term::Value(0.into()));
        let takes_part = Expression::In(constant.to_owned(), vec![value.clone()]);
        takes_part.and(Expression::Compare(sum, op.mirrored(), Term::Value(value.clone())))
    })
}

fn domain<'p>(name: &str, parameters: &'p [Param]) -> Option<&'p DomainSpec> {
    parameters.iter().find(|p| p.name == name).map(|p| &p.domain)
}

fn alternatives<'p>(name: &str, parameters: &'p [Param]) -> Option<&'p [Value]> {
    match domain(name, parameters)? {
        DomainSpec::Choice(values) | DomainSpec::Ordinal(values) => Some(values),
        DomainSpec::Constant(value) => Some(std::slice::from_ref(value)),
        _ => None,
    }
}

/// `None` if there is no order: a number and a text.
fn compared(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Text(a), Value::Text(b)) => Some(a.cmp(b)),
        _ => Quantity::of(a)?.compare(Quantity::of(b)?),
    }
}

fn holds(ordering: Ordering, op: Comparison) -> bool {
    match op {
        Comparison::Less => ordering.is_lt(),
        Comparison::AtMost => ordering.is_le(),
        Comparison::Greater => ordering.is_gt(),
        Comparison::AtLeast => ordering.is_ge(),
        Comparison::Equal => ordering.is_eq(),
        Comparison::Different => ordering.is_ne(),
    }
}

#[cfg(test)]
mod tests {
    use crate::Space;

    fn space(relation: &str, right: &str) -> Space {
        let text = format!(
            r#"{{"hyperparameters": [
                {{"type": "categorical", "name": "a", "choices": [10, 2, 3], "default_value": 10}},
                {{"type": "categorical", "name": "b", "choices": {right}}}
            ], "conditions": [], "forbiddens": [{{"type": "{relation}", "left": "a", "right": "b"}}]}}"#
        );
        Space::from_configspace(&text).unwrap()
    }

    #[test]
    fn an_order_between_alternatives_compares_their_values() {
        // Of the nine pairs of {10, 2, 3} and {2, 5, 6}, 4 are less, 1 is equal, 4 are greater.
        for (relation, left) in
            [("RELATION_LT", 5), ("RELATION_LE", 4), ("RELATION_GT", 5), ("RELATION_GE", 4)]
        {
            assert_eq!(space(relation, "[2, 5, 6]").enumerate().unwrap().count(), left, "{relation}");
        }
    }

    #[test]
    fn a_relation_that_never_holds_forbids_nothing() {
        assert_eq!(space("RELATION_GT", "[50, 60]").enumerate().unwrap().count(), 6);
    }
}
