//! Compiles expressions by name into conditions and clauses by parameter id.
use super::atoms::Context;
use super::{Target, order};
use crate::condition::{Condition, Test};
use crate::constraint::{Clause, Literal, Number, Step};
use crate::domain::Domain;
use crate::error::{SpaceError, shortened};
use crate::expression::{Comparison, Expression, Term};
use crate::id::ParamId;
use crate::parameter::Parameter;
use crate::quantity::Quantity;
use crate::spec::SpaceSpec;
use crate::value::Value;
use std::collections::HashMap;
use std::sync::Arc;

/// A larger constraint is probably a mistake; the error asks for smaller ones.
const MAX_CLAUSES: usize = 4096;

/// Limits the literals over all clauses of one constraint, and so the memory for expanding long
/// clauses.
const MAX_LITERALS: usize = 1 << 20;

struct Compiler<'a> {
    names: &'a HashMap<String, Target>,
    context: Context<'a>,
}

/// Compiles the condition of one parameter.
pub(super) fn condition(
    names: &HashMap<String, Target>,
    parameters: &[Parameter],
    expression: &Expression,
    place: &str,
) -> Result<Condition, SpaceError> {
    Compiler { names, context: Context { parameters, place } }.condition(expression, false)
}

/// Compiles all constraints: forbidden ones as they are, required ones negated.
pub(super) fn clauses(
    spec: &SpaceSpec,
    names: &HashMap<String, Target>,
    parameters: &[Parameter],
) -> Result<Vec<Clause>, SpaceError> {
    let mut found = Vec::new();
    let forbidden = spec.forbidden.iter().map(|w| (w, false, "forbidden"));
    let required = spec.required.iter().map(|w| (w, true, "required"));
    for (written, negated, word) in forbidden.chain(required) {
        let source: Arc<str> = shortened(&format!("{word} {}", written.shown())).into();
        let place = format!("constraint `{source}`");
        let compiler = Compiler { names, context: Context { parameters, place: &place } };
        for literals in compiler.alternatives(&written.read_at(&place)?, negated)? {
            found.push(Clause { literals, source: Arc::clone(&source) });
        }
    }
    Ok(found)
}

/// A comparison after constant folding.
enum Atom {
    Tests(Vec<(ParamId, Test)>),
    Relation(Literal),
    Known(bool),
}

impl Compiler<'_> {
    fn fail(&self, problem: impl Into<String>) -> SpaceError {
        SpaceError::BadExpression { place: self.context.place.to_owned(), problem: problem.into() }
    }

    fn target(&self, name: &str) -> Result<Target, SpaceError> {
        self.names.get(name).copied().ok_or_else(|| {
            order::unknown(self.context.place.to_owned(), name, self.names.keys().map(String::as_str))
        })
    }

    /// Negations are pushed inwards: ¬(a ∧ b) = ¬a ∨ ¬b, ¬(x < 3) = x ≥ 3.
    fn condition(&self, expression: &Expression, negated: bool) -> Result<Condition, SpaceError> {
        let joined = |parts: &[Expression], all: bool| -> Result<Condition, SpaceError> {
            let mut parts: Vec<Condition> =
                parts.iter().map(|p| self.condition(p, negated)).collect::<Result<_, _>>()?;
            // A part that always holds decides an `or` and has no effect in an `and`.
            if all {
                parts.retain(|part| *part != Condition::Always);
            } else if parts.contains(&Condition::Always) {
                return Ok(Condition::Always);
            }
            Ok(match (parts.len(), all) {
                (0, true) => Condition::Always,
                (1, _) => parts.remove(0),
                (_, true) => Condition::All(parts),
                (_, false) => Condition::Any(parts),
            })
        };
        match expression {
            Expression::All(parts) => joined(parts, !negated),
            Expression::Any(parts) => joined(parts, negated),
            Expression::Not(inner) => self.condition(inner, !negated),
            atom => match self.atom(atom, negated)? {
                Atom::Tests(tests) => {
                    let mut tests: Vec<Condition> = tests.into_iter().map(|(id, t)| Condition::Is(id, t)).collect();
                    Ok(if tests.len() == 1 { tests.remove(0) } else { Condition::Any(tests) })
                }
                Atom::Known(true) => Ok(Condition::Always),
                Atom::Known(false) => Err(self.fail(format!("`{}` never holds", shortened(&expression.to_string())))),
                Atom::Relation(_) => Err(self.fail(format!(
                    "`{}` relates parameters; a condition tests one parameter at a time (relations go under `required` or `forbidden`)",
                    shortened(&expression.to_string())
                ))),
            },
        }
    }

    /// Disjunctive normal form: alternatives, each a conjunction of literals.
    fn alternatives(&self, expression: &Expression, negated: bool) -> Result<Vec<Vec<Literal>>, SpaceError> {
        match expression {
            Expression::Not(inner) => self.alternatives(inner, !negated),
            Expression::All(parts) if !negated => self.product(parts, negated),
            Expression::Any(parts) if negated => self.product(parts, negated),
            Expression::All(parts) | Expression::Any(parts) => {
                let mut found = Vec::new();
                for part in parts {
                    found.extend(self.alternatives(part, negated)?);
                }
                self.bounded(found)
            }
            atom => Ok(match self.atom(atom, negated)? {
                Atom::Tests(tests) => tests.into_iter().map(|(id, t)| vec![Literal::Is(id, t)]).collect(),
                Atom::Relation(literal) => vec![vec![literal]],
                Atom::Known(true) => vec![Vec::new()],
                Atom::Known(false) => Vec::new(),
            }),
        }
    }

    fn product(&self, parts: &[Expression], negated: bool) -> Result<Vec<Vec<Literal>>, SpaceError> {
        let mut found = vec![Vec::new()];
        for part in parts {
            let mut more = self.alternatives(part, negated)?;
            if let ([only], [_]) = (&mut found[..], &more[..]) {
                only.append(&mut more[0]);
                continue;
            }
            let size: usize = found.iter().chain(&more).map(Vec::len).sum();
            if found.len() * more.len() > MAX_CLAUSES || size * found.len().max(more.len()) > MAX_LITERALS {
                return Err(self.too_many());
            }
            found = found.iter().flat_map(|a| more.iter().map(move |b| [&a[..], b].concat())).collect();
        }
        Ok(found)
    }

    fn bounded(&self, found: Vec<Vec<Literal>>) -> Result<Vec<Vec<Literal>>, SpaceError> {
        if found.len() > MAX_CLAUSES { Err(self.too_many()) } else { Ok(found) }
    }

    fn too_many(&self) -> SpaceError {
        SpaceError::TooManyClauses { place: self.context.place.to_owned(), limit: MAX_CLAUSES }
    }

    fn atom(&self, atom: &Expression, negated: bool) -> Result<Atom, SpaceError> {
        match atom {
            Expression::In(name, values) => {
                Ok(Atom::Tests(self.context.membership(self.target(name)?, values, negated)?))
            }
            Expression::Compare(a, op, b) => {
                let op = if negated { op.negated() } else { *op };
                match (self.constant(a)?, self.constant(b)?) {
                    (Some(a), Some(b)) => self.known(&a, op, &b),
                    (None, Some(value)) => self.against(a, op, b, &value),
                    (Some(value), None) => self.against(b, op.mirrored(), a, &value),
                    (None, None) => self.relation(a, op, b),
                }
            }
            _ => unreachable!("connectives are taken apart before"),
        }
    }

    fn known(&self, a: &Value, op: Comparison, b: &Value) -> Result<Atom, SpaceError> {
        match (Quantity::of(a), Quantity::of(b), op) {
            (Some(a), Some(b), _) => Ok(Atom::Known(op.holds_between(a, b))),
            (_, _, Comparison::Equal) => Ok(Atom::Known(a.means(b))),
            (_, _, Comparison::Different) => Ok(Atom::Known(!a.means(b))),
            _ => Err(self.fail(format!("`{a} {op} {b}`: these values have no order"))),
        }
    }

    /// A parameter, or arithmetic on parameters, compared with a constant.
    fn against(&self, term: &Term, op: Comparison, other: &Term, value: &Value) -> Result<Atom, SpaceError> {
        if let Term::Parameter(name) = term {
            return Ok(Atom::Tests(self.context.comparison(self.target(name)?, op, value)?));
        }
        if Quantity::of(value).is_none() {
            let term = shortened(&term.to_string()).into_owned();
            return Err(self.fail(format!("`{term}` is a number and cannot be compared with `{value}`")));
        }
        Ok(Atom::Relation(Literal::Compare(self.number(term)?, op, self.number(other)?)))
    }

    fn relation(&self, a: &Term, op: Comparison, b: &Term) -> Result<Atom, SpaceError> {
        if let (Term::Parameter(left), Term::Parameter(right)) = (a, b) {
            let ids = (self.target(left)?, self.target(right)?);
            if let (Target::Plain(i), Target::Plain(j)) = ids
                && self.is_labels(i)
                && self.is_labels(j)
            {
                return match op {
                    Comparison::Equal => Ok(Atom::Relation(Literal::Same(i, j, true))),
                    Comparison::Different => Ok(Atom::Relation(Literal::Same(i, j, false))),
                    _ => {
                        Err(self.fail(format!("`{a} {op} {b}`: alternatives can only be equal or different")))
                    }
                };
            }
        }
        Ok(Atom::Relation(Literal::Compare(self.number(a)?, op, self.number(b)?)))
    }

    fn is_labels(&self, id: ParamId) -> bool {
        matches!(self.context.parameters[id.index()].domain(), Domain::Labels(_))
    }

    /// The value of a term without parameters.
    fn constant(&self, term: &Term) -> Result<Option<Value>, SpaceError> {
        if let Term::Value(value) = term {
            return Ok(Some(value.clone()));
        }
        if !term.is_constant() {
            return Ok(None);
        }
        let x = self.number(term)?.evaluate(&|_| None).filter(|x| x.as_f64().is_finite());
        let fail = || self.fail(format!("`{}` is not a finite number", shortened(&term.to_string())));
        x.map(|x| Some(x.value())).ok_or_else(fail)
    }

    fn number(&self, term: &Term) -> Result<Number, SpaceError> {
        let mut steps = Vec::new();
        self.steps(term, &mut steps)?;
        Ok(Number::new(steps))
    }

    fn steps(&self, term: &Term, steps: &mut Vec<Step>) -> Result<(), SpaceError> {
        match term {
            Term::Value(value) => {
                let x = Quantity::of(value);
                let fail = || self.fail(format!("`{value}` is not a number; arithmetic needs numbers"));
                steps.push(Step::Constant(x.ok_or_else(fail)?));
            }
            Term::Parameter(name) => steps.push(match self.target(name)? {
                Target::Plain(id) if self.is_labels(id) => {
                    return Err(self.fail(format!("`{name}` is not a number; arithmetic needs numbers")));
                }
                Target::Plain(id) | Target::Optional { number: id, .. } => Step::Of(id),
            }),
            Term::Negative(a) => {
                self.steps(a, steps)?;
                steps.push(Step::Negative);
            }
            Term::Chain(chain) => {
                self.steps(chain.first(), steps)?;
                for (op, operand) in chain.rest() {
                    self.steps(operand, steps)?;
                    steps.push(Step::Binary(*op));
                }
            }
            Term::Call(function, a) => {
                self.steps(a, steps)?;
                steps.push(Step::Call(*function));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Param, Space};

    #[test]
    fn what_always_holds_is_no_condition() {
        for condition in
            ["true", "true and true", "(true and true) or true", "a > 0.5 or true", "1 < 2 and true"]
        {
            let space =
                Space::new([Param::real("a", 0.0, 1.0), Param::real("b", 0.0, 1.0).when(condition)]).unwrap();
            assert_eq!(space.canonical::<&str>([]).unwrap().len(), 2, "{condition}");
        }
    }
}
