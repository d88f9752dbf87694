//! Compiles one comparison of a parameter with constants into tests.
use super::Target;
use crate::condition::{Interval, Test};
use crate::domain::Domain;
use crate::error::SpaceError;
use crate::expression::Comparison;
use crate::id::ParamId;
use crate::parameter::Parameter;
use crate::quantity::Quantity;
use crate::value::Value;
use std::cmp::Ordering;

/// The context of a comparison: its place for messages, and the known names.
pub(super) struct Context<'a> {
    pub(super) parameters: &'a [Parameter],
    pub(super) place: &'a str,
}

impl Context<'_> {
    fn domain(&self, id: ParamId) -> &Domain {
        self.parameters[id.index()].domain()
    }

    fn outside(&self, id: ParamId, value: &Value) -> SpaceError {
        SpaceError::TestOutsideDomain {
            place: self.place.to_owned(),
            decider: self.parameters[id.index()].name().to_owned(),
            value: value.to_string(),
            domain: self.domain(id).to_string(),
        }
    }

    fn fail(&self, problem: String) -> SpaceError {
        SpaceError::BadExpression { place: self.place.to_owned(), problem }
    }

    /// "The parameter is (not) one of these values", as a disjunction.
    pub(super) fn membership(
        &self,
        target: Target,
        values: &[Value],
        negated: bool,
    ) -> Result<Vec<(ParamId, Test)>, SpaceError> {
        match target {
            Target::Plain(id) => {
                let test = self.members(id, values)?;
                let test = if negated { test.negated() } else { test };
                self.possible(id, test, || membership(values, negated))
            }
            Target::Optional { switch, number } => {
                let numbers: Vec<Value> = values.iter().filter(|v| !v.is_none()).cloned().collect();
                let wants_none = (numbers.len() < values.len()) != negated;
                let mut found = Vec::new();
                if wants_none {
                    found.push((switch, Test::Labels(vec![true, false])));
                }
                match (numbers.is_empty(), negated) {
                    (true, false) => {}
                    (true, true) => found.push((switch, Test::Labels(vec![false, true]))),
                    (false, _) => {
                        let test = self.members(number, &numbers)?;
                        let test = if negated { test.negated() } else { test };
                        found.extend(self.possible(number, test, || membership(&numbers, negated))?);
                    }
                }
                Ok(found)
            }
        }
    }

    /// A comparison of the parameter with a value, as a disjunction.
    pub(super) fn comparison(
        &self,
        target: Target,
        op: Comparison,
        value: &Value,
    ) -> Result<Vec<(ParamId, Test)>, SpaceError> {
        match op {
            Comparison::Equal => return self.membership(target, std::slice::from_ref(value), false),
            Comparison::Different => return self.membership(target, std::slice::from_ref(value), true),
            _ => {}
        }
        let id = match target {
            Target::Plain(id) => id,
            Target::Optional { number, .. } => number,
        };
        let test = match self.domain(id) {
            Domain::Labels(labels) if labels.is_ordered() => {
                let at = labels.find(value).ok_or_else(|| self.outside(id, value))?;
                Test::Labels(
                    (0..labels.len())
                        .map(|i| op.holds_between(Quantity::Whole(i as i128), Quantity::Whole(at as i128)))
                        .collect(),
                )
            }
            Domain::Labels(_) => {
                let name = self.parameters[id.index()].name();
                return Err(
                    self.fail(format!("`{name} {op} {value}`: its alternatives have no order; use `in`"))
                );
            }
            _ => {
                let x = bound(value).ok_or_else(|| self.outside(id, value))?;
                Test::Numbers(vec![half_line(op, x)])
            }
        };
        self.possible(id, test, || format!("{op} {value}"))
    }

    fn members(&self, id: ParamId, values: &[Value]) -> Result<Test, SpaceError> {
        let domain = self.domain(id);
        if let Domain::Labels(labels) = domain {
            let mut marks = vec![false; labels.len()];
            for value in values {
                marks[labels.find(value).ok_or_else(|| self.outside(id, value))?] = true;
            }
            return Ok(Test::Labels(marks));
        }
        let mut numbers = Vec::new();
        for value in values {
            let canonical = domain.canonical(value).and_then(|v| v.as_f64());
            numbers.push(canonical.ok_or_else(|| self.outside(id, value))?);
        }
        numbers.sort_by(f64::total_cmp);
        numbers.dedup();
        let point = |x| Interval { low: x, high: x, low_closed: true, high_closed: true };
        Ok(Test::Numbers(numbers.into_iter().map(point).collect()))
    }

    /// Rejects a test that no value of the domain passes. A `required` that always holds is also an
    /// error, since its negation can never hold.
    fn possible(
        &self,
        id: ParamId,
        test: Test,
        words: impl Fn() -> String,
    ) -> Result<Vec<(ParamId, Test)>, SpaceError> {
        let can_hold = match (&test, self.domain(id)) {
            (Test::Labels(marks), _) => marks.contains(&true),
            (Test::Numbers(intervals), domain) => intervals.iter().any(|i| meets(i, domain)),
        };
        if can_hold {
            return Ok(vec![(id, test)]);
        }
        let (name, domain) = (self.parameters[id.index()].name(), self.domain(id));
        Err(self.fail(format!("`{name} {}` never holds; the domain of `{name}` is {domain}", words())))
    }
}

/// The source text of the test "is (not) one of these".
fn membership(values: &[Value], negated: bool) -> String {
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    format!("{} [{}]", if negated { "not in" } else { "in" }, values.join(", "))
}

/// A double that is equivalent in comparisons with the parameter. Integer parameters end at 2⁵³, so
/// an integer constant that is not a double lies beyond them; its double is moved away by one, so
/// that it cannot equal 2⁵³.
fn bound(value: &Value) -> Option<f64> {
    let x = value.as_f64()?;
    Some(match Quantity::of(value)?.compare(Quantity::Real(x))? {
        Ordering::Equal => x,
        _ if x > 0.0 => x.next_up(),
        _ => x.next_down(),
    })
}

fn half_line(op: Comparison, x: f64) -> Interval {
    let all = Interval::EVERYTHING;
    match op {
        Comparison::Less => Interval { high: x, ..all },
        Comparison::AtMost => Interval { high: x, high_closed: true, ..all },
        Comparison::Greater => Interval { low: x, ..all },
        _ => Interval { low: x, low_closed: true, ..all },
    }
}

/// Does the interval contain a number of the domain?
fn meets(interval: &Interval, domain: &Domain) -> bool {
    match domain {
        Domain::Lattice(lattice) => {
            let first = lattice.first_at_least(interval.low.max(lattice.number(0)));
            (first..first + 2).any(|i| i < lattice.count() && interval.contains(lattice.number(i)))
        }
        Domain::Real(real) => {
            let cut = Interval {
                low: interval.low.max(real.low()),
                high: interval.high.min(real.high()),
                low_closed: interval.low_closed || interval.low < real.low(),
                high_closed: interval.high_closed || interval.high > real.high(),
            };
            !cut.is_empty()
        }
        Domain::Labels(_) => false,
    }
}
