//! The test of one parameter that best predicts which rows have another.
use super::rule::Rule;
use super::table::{Labelled, Table};
use crate::condition::{Condition, Interval, Test};
use crate::expression::{Comparison, Expression, Term};
use crate::id::ParamId;
use crate::spec::DomainSpec;
use crate::value::Value;

/// Can a single test of this parameter agree with every label? Cheap; false only if it cannot.
pub(super) fn may_agree(table: &Table<'_>, at: usize, labelled: &Labelled) -> bool {
    let (mut having, mut lacking) = (Vec::new(), Vec::new());
    for &(row, has_it) in labelled {
        match table.cell(row, at) {
            None if has_it => return false,
            None => {}
            Some((value, _)) if has_it => having.push(value),
            Some((value, _)) => lacking.push(value),
        }
    }
    if having.is_empty() || lacking.is_empty() || !table.alternatives(at).is_empty() {
        return !having.is_empty();
    }
    having.iter().max() < lacking.iter().min() || lacking.iter().max() < having.iter().min()
}

/// The test of this parameter that agrees best with the labels.
pub(super) fn best_test(table: &Table<'_>, at: usize, labelled: &Labelled) -> Option<Rule> {
    let cell = |&(row, has_it): &(usize, bool)| table.cell(row, at).map(|cell| (cell, has_it));
    let seen = || labelled.iter().filter_map(cell);
    if !seen().any(|(_, has_it)| has_it) {
        return None;
    }
    if table.alternatives(at).is_empty() {
        let numbers = seen().map(|((value, _), has_it)| (value, has_it)).collect();
        Some(cut(table, at, numbers))
    } else {
        kept(table, at, seen().map(|((_, label), has_it)| (*label, has_it)))
    }
}

/// All alternatives except those mostly seen without the parameter.
fn kept(table: &Table<'_>, at: usize, seen: impl Iterator<Item = (Option<usize>, bool)>) -> Option<Rule> {
    let alternatives = table.alternatives(at);
    let mut tally = vec![(0usize, 0usize); alternatives.len()];
    for (label, has_it) in seen {
        if let Some(label) = label {
            tally[label].0 += usize::from(has_it);
            tally[label].1 += 1;
        }
    }
    let marks: Vec<bool> = tally.iter().map(|(with, all)| 2 * with >= *all).collect();
    let chosen = alternatives.iter().zip(&marks).filter(|(_, is_kept)| **is_kept);
    let chosen: Vec<Value> = chosen.map(|(value, _)| value.clone()).collect();
    if chosen.is_empty() {
        return None;
    }
    let expression = Expression::In(table.parameter(at).name.clone(), chosen);
    Some(Rule { expression, condition: Condition::Is(ParamId::new(at), Test::Labels(marks)) })
}

/// Above or below the threshold with the fewest misclassified labels.
fn cut(table: &Table<'_>, at: usize, mut numbers: Vec<(&Value, bool)>) -> Rule {
    numbers.sort();
    let domain = &table.parameter(at).domain;
    let total = numbers.iter().filter(|(_, has_it)| *has_it).count();
    let mut best: Option<(usize, Value, bool)> = None;
    let mut before = 0;
    for (i, pair) in numbers.windows(2).enumerate() {
        let ((value, has_it), (following, _)) = (pair[0], pair[1]);
        let count = i + 1;
        before += usize::from(has_it);
        if value == following {
            continue;
        }
        let wrong_above = before + (numbers.len() - count) - (total - before);
        let wrong_below = (count - before) + (total - before);
        for (wrong, is_above) in [(wrong_above, true), (wrong_below, false)] {
            if best.as_ref().is_none_or(|(least, ..)| wrong < *least) {
                best = Some((wrong, between(value, following, domain), is_above));
            }
        }
    }
    let fewer = total.min(numbers.len() - total);
    match best.filter(|(wrong, ..)| fewer == 0 || *wrong < fewer) {
        Some((_, place, true)) => comparison(table, at, Comparison::Greater, place),
        Some((_, place, false)) => comparison(table, at, Comparison::AtMost, place),
        // No cut is better than none: that the parameter is active may still explain the labels.
        None => comparison(table, at, Comparison::AtLeast, lowest(domain)),
    }
}

fn comparison(table: &Table<'_>, at: usize, sign: Comparison, place: Value) -> Rule {
    let x = place.as_f64().unwrap_or(f64::NEG_INFINITY);
    let interval = match sign {
        Comparison::Greater => Interval { low: x, ..Interval::EVERYTHING },
        Comparison::AtLeast => Interval { low: x, low_closed: true, ..Interval::EVERYTHING },
        _ => Interval { high: x, high_closed: true, ..Interval::EVERYTHING },
    };
    let name = Term::Parameter(table.parameter(at).name.clone());
    Rule {
        expression: Expression::Compare(name, sign, Term::Value(place)),
        condition: Condition::Is(ParamId::new(at), Test::Numbers(vec![interval])),
    }
}

fn lowest(domain: &DomainSpec) -> Value {
    match domain {
        DomainSpec::Integer { low, .. } => Value::Int(*low),
        DomainSpec::Real { low, .. } => Value::from(*low),
        _ => Value::from(f64::MIN),
    }
}

/// The midpoint on the parameter's own scale; the lower value if there is no number in between.
fn between(low: &Value, high: &Value, domain: &DomainSpec) -> Value {
    if let (DomainSpec::Integer { .. }, Some(low), Some(high)) = (domain, low.as_i64(), high.as_i64()) {
        return Value::Int((low & high) + ((low ^ high) >> 1));
    }
    let (Some(a), Some(b)) = (low.as_f64(), high.as_f64()) else { return low.clone() };
    let is_log = matches!(domain, DomainSpec::Real { log: true, .. });
    let middle = if is_log { (a * b).sqrt() } else { f64::midpoint(a, b) };
    if a <= middle && middle < b { Value::from(middle) } else { low.clone() }
}
