//! Converts compiled conditions and constraints to `ConfigSpace`.
//!
//! Its conditions support `= ∈ < >`, and its forbidden clauses also `≤ ≥`, but version 1.2.2
//! samples incorrectly under its `≤` clause; so `x ≤ v` is written as `x < v or x = v` in both. It
//! rejects comparisons with a value outside the parent's domain: every interval is cut to the
//! domain first, and integers are compared with integers.
use super::inexpressible;
use crate::condition::{Condition, Interval, Test};
use crate::constraint::{Clause, Literal};
use crate::domain::{Domain, Lattice};
use crate::error::SpaceError;
use crate::expression::Comparison;
use crate::format::node::DocumentNode;
use crate::id::ParamId;
use crate::parameter::Parameter;
use crate::space::Space;
use crate::value::Value;

/// A condition or a forbidden clause.
enum Rule {
    All(Vec<Rule>),
    Any(Vec<Rule>),
    Compare(ParamId, &'static str, Value),
    In(ParamId, Vec<Value>),
    Relation(ParamId, &'static str, ParamId),
}

/// One condition per conditional parameter.
pub(super) fn conditions(space: &Space) -> Vec<DocumentNode> {
    let node = |p: &Parameter| rule_of(space, p.when()).map(|rule| condition_node(space, p.name(), &rule));
    space.parameters().iter().filter_map(node).collect()
}

/// One forbidden clause per clause.
pub(super) fn forbiddens(space: &Space) -> Result<Vec<DocumentNode>, SpaceError> {
    let rule = |clause: &Clause| {
        let parts: Option<Vec<Rule>> = clause.literals.iter().map(|l| literal(space, l)).collect();
        let rule = parts.map(|parts| joined(parts, Rule::All)).ok_or_else(|| {
            let problem = "arithmetic and different alternatives have no counterpart; remove the constraint";
            inexpressible(&format!("constraint `{}`", clause.source), problem)
        });
        rule.map(|rule| forbidden_node(space, &rule))
    };
    space.clauses().iter().map(rule).collect()
}

fn joined(mut parts: Vec<Rule>, join: fn(Vec<Rule>) -> Rule) -> Rule {
    if parts.len() == 1 { parts.remove(0) } else { join(parts) }
}

/// `None` if the condition always holds: `ConfigSpace` has no such condition.
fn rule_of(space: &Space, condition: &Condition) -> Option<Rule> {
    match condition {
        Condition::Always => None,
        Condition::Is(id, test) => Some(test_rule(space, *id, test)),
        Condition::All(parts) => {
            let rules: Vec<Rule> = parts.iter().filter_map(|p| rule_of(space, p)).collect();
            (!rules.is_empty()).then(|| joined(rules, Rule::All))
        }
        Condition::Any(parts) => {
            let rules: Option<Vec<Rule>> = parts.iter().map(|p| rule_of(space, p)).collect();
            rules.map(|rules| joined(rules, Rule::Any))
        }
    }
}

fn literal(space: &Space, literal: &Literal) -> Option<Rule> {
    match literal {
        Literal::Is(id, test) => Some(test_rule(space, *id, test)),
        Literal::Same(a, b, true) => Some(Rule::Relation(*a, "EQ", *b)),
        Literal::Compare(a, op, b) => Some(relation(a.as_parameter()?, *op, b.as_parameter()?)),
        Literal::Same(..) => None,
    }
}

fn relation(a: ParamId, op: Comparison, b: ParamId) -> Rule {
    match op {
        Comparison::Less => Rule::Relation(a, "LT", b),
        Comparison::AtMost => Rule::Relation(a, "LE", b),
        Comparison::Greater => Rule::Relation(a, "GT", b),
        Comparison::AtLeast => Rule::Relation(a, "GE", b),
        Comparison::Equal => Rule::Relation(a, "EQ", b),
        Comparison::Different => Rule::Any(vec![Rule::Relation(a, "LT", b), Rule::Relation(a, "GT", b)]),
    }
}

fn test_rule(space: &Space, id: ParamId, test: &Test) -> Rule {
    match (test, space.parameter(id).domain()) {
        (Test::Labels(marks), Domain::Labels(labels)) => {
            let marked = labels.values().iter().zip(marks).filter(|(_, marked)| **marked);
            let mut values: Vec<Value> = marked.map(|(value, _)| value.clone()).collect();
            if values.len() == 1 { Rule::Compare(id, "EQ", values.remove(0)) } else { Rule::In(id, values) }
        }
        (Test::Numbers(intervals), domain) => {
            joined(intervals.iter().filter_map(|i| interval_rule(id, i, domain)).collect(), Rule::Any)
        }
        (Test::Labels(_), _) => unreachable!("labels are tested on parameters of labels only"),
    }
}

fn interval_rule(id: ParamId, interval: &Interval, domain: &Domain) -> Option<Rule> {
    match domain {
        Domain::Lattice(lattice) => whole_rule(id, interval, lattice),
        _ => real_rule(id, interval, domain.range()?),
    }
}

fn whole_rule(id: ParamId, interval: &Interval, lattice: &Lattice) -> Option<Rule> {
    let count = lattice.count();
    let mut first = lattice.first_at_least(interval.low.max(lattice.number(0)));
    if first < count && !interval.low_closed && lattice.number(first) == interval.low {
        first += 1;
    }
    // One past the last value inside.
    let mut end = lattice.first_at_least(interval.high.min(lattice.number(count - 1)));
    if end < count && interval.contains(lattice.number(end)) {
        end += 1;
    }
    if first >= end {
        return None;
    }
    if first + 1 == end {
        return Some(Rule::Compare(id, "EQ", lattice.value(first)));
    }
    let mut bounds = Vec::new();
    if first > 0 {
        bounds.push(Rule::Compare(id, "GT", lattice.value(first - 1)));
    }
    if end < count {
        bounds.push(Rule::Compare(id, "LT", lattice.value(end)));
    }
    Some(if bounds.is_empty() { from_the_lowest(id, lattice.value(0)) } else { joined(bounds, Rule::All) })
}

fn real_rule(id: ParamId, interval: &Interval, (low, high): (f64, f64)) -> Option<Rule> {
    let cut = Interval {
        low: interval.low.max(low),
        high: interval.high.min(high),
        low_closed: interval.low_closed || interval.low < low,
        high_closed: interval.high_closed || interval.high > high,
    };
    if cut.is_empty() {
        return None;
    }
    if cut.low == cut.high {
        return Some(Rule::Compare(id, "EQ", cut.low.into()));
    }
    let bound = |op: &'static str, end: f64, closed: bool| {
        let strict = Rule::Compare(id, op, end.into());
        if closed { Rule::Any(vec![strict, Rule::Compare(id, "EQ", end.into())]) } else { strict }
    };
    let mut bounds = Vec::new();
    if cut.low > low || !cut.low_closed {
        bounds.push(bound("GT", cut.low, cut.low_closed));
    }
    if cut.high < high || !cut.high_closed {
        bounds.push(bound("LT", cut.high, cut.high_closed));
    }
    Some(if bounds.is_empty() { from_the_lowest(id, low.into()) } else { joined(bounds, Rule::All) })
}

/// True for every value: it only requires the parameter to be active.
fn from_the_lowest(id: ParamId, low: Value) -> Rule {
    Rule::Any(vec![Rule::Compare(id, "GT", low.clone()), Rule::Compare(id, "EQ", low)])
}

fn condition_node(space: &Space, child: &str, rule: &Rule) -> DocumentNode {
    let node = |kind: &str, fields: Vec<(&'static str, DocumentNode)>| {
        let head = [("type", DocumentNode::scalar(kind)), ("child", DocumentNode::scalar(child))];
        DocumentNode::table(head.into_iter().chain(fields))
    };
    let parent = |id: &ParamId| ("parent", DocumentNode::scalar(space.parameter(*id).name()));
    let parts = |rules: &[Rule]| {
        vec![("conditions", DocumentNode::list(rules.iter().map(|r| condition_node(space, child, r))))]
    };
    match rule {
        Rule::All(rules) => node("AND", parts(rules)),
        Rule::Any(rules) => node("OR", parts(rules)),
        Rule::Compare(id, op, value) => {
            node(op, vec![parent(id), ("value", DocumentNode::scalar(value.clone()))])
        }
        Rule::In(id, values) => node("IN", vec![parent(id), ("values", DocumentNode::values(values))]),
        Rule::Relation(..) => unreachable!("a condition tests one parameter at a time"),
    }
}

fn forbidden_node(space: &Space, rule: &Rule) -> DocumentNode {
    let node = |kind: String, fields: Vec<(&'static str, DocumentNode)>| {
        DocumentNode::table([("type", DocumentNode::scalar(kind))].into_iter().chain(fields))
    };
    let name = |id: &ParamId| DocumentNode::scalar(space.parameter(*id).name());
    let parts = |rules: &[Rule]| {
        vec![("clauses", DocumentNode::list(rules.iter().map(|r| forbidden_node(space, r))))]
    };
    match rule {
        Rule::All(rules) => node("AND".to_owned(), parts(rules)),
        Rule::Any(rules) => node("OR".to_owned(), parts(rules)),
        Rule::Compare(id, op, value) => {
            let kind = if *op == "EQ" { "EQUALS".to_owned() } else { format!("CLAUSE_{op}") };
            node(kind, vec![("name", name(id)), ("value", DocumentNode::scalar(value.clone()))])
        }
        Rule::In(id, values) => {
            node("IN".to_owned(), vec![("name", name(id)), ("values", DocumentNode::values(values))])
        }
        Rule::Relation(a, op, b) => {
            node(format!("RELATION_{op}"), vec![("left", name(a)), ("right", name(b))])
        }
    }
}
