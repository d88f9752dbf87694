//! Narrows the parameters of a term: the range of the term from the parameters, and their ranges
//! from that of the term.
//!
//! HC4: enclose every node bottom-up, then push the required result top-down through the inverse
//! operations, intersecting with each node's enclosure  [Benhamou, Goualard, Granvilliers & Puget
//! 1999]. One pass costs a few operations per node. It is weak if a parameter occurs twice;
//! splitting its interval compensates for that.
use super::range::{self, Range};
use crate::constraint::{Number, Step};
use crate::expression::Comparison;
use crate::id::ParamId;
use crate::quantity::Quantity;
use crate::subdomain::Truth;

/// A new interval for a parameter.
pub(super) type Narrowing = (ParamId, Range);

/// The range of a term.
pub(super) fn enclose(number: &Number, read: &impl Fn(ParamId) -> Range) -> Range {
    let mut done: Vec<(Range, bool)> = Vec::new();
    for step in number.steps() {
        let (range, is_plain) = match step {
            Step::Constant(x) => (constant(*x), true),
            Step::Of(id) => (read(*id), true),
            Step::Negative => (pop(&mut done).0.negative(), false),
            Step::Call(function) => (range::call(*function, pop(&mut done).0), false),
            Step::Binary(op) => {
                let ((b, is_plain), (a, _)) = (pop(&mut done), pop(&mut done));
                (range::apply(*op, a, b, is_plain), false)
            }
        };
        done.push((range, is_plain));
    }
    pop(&mut done).0
}

fn pop<T>(done: &mut Vec<T>) -> T {
    done.pop().expect("operands come before what is done with them")
}

/// An integer that is not a double lies between two doubles.
fn constant(x: Quantity) -> Range {
    let nearest = x.as_f64();
    match x {
        Quantity::Whole(_) => Range::new(nearest, nearest).outwards(),
        Quantity::Real(_) => Range::new(nearest, nearest),
    }
}

/// The result of a comparison of two ranges.
pub(super) fn compare(a: Range, op: Comparison, b: Range) -> Truth {
    let certain = |holds: bool, never: bool| match (holds && !a.may_fail && !b.may_fail, never) {
        (true, _) => Truth::True,
        (false, true) => Truth::False,
        (false, false) => Truth::Unknown,
    };
    let apart = a.high < b.low || a.low > b.high;
    let equal = a.is_point() && b.is_point() && a.low == b.low;
    match op {
        Comparison::Less => certain(a.high < b.low, a.low >= b.high),
        Comparison::AtMost => certain(a.high <= b.low, a.low > b.high),
        Comparison::Greater => certain(a.low > b.high, a.high <= b.low),
        Comparison::AtLeast => certain(a.low >= b.high, a.high < b.low),
        Comparison::Equal => certain(equal, apart),
        // NaN differs from everything, including itself.
        Comparison::Different if apart => Truth::True,
        Comparison::Different => certain(false, equal && !a.may_fail && !b.may_fail),
    }
}

/// The ranges of the parameters for which `a op b` can hold; no conclusions if a term can be NaN.
pub(super) fn narrow(
    a: &Number,
    op: Comparison,
    b: &Number,
    read: &impl Fn(ParamId) -> Range,
    found: &mut Vec<Narrowing>,
) {
    let (a_nodes, b_nodes) = (nodes(a, read), nodes(b, read));
    let (x, y) = (a_nodes[a_nodes.len() - 1].range, b_nodes[b_nodes.len() - 1].range);
    if x.may_fail || y.may_fail {
        return;
    }
    let (to_x, to_y) = match op {
        Comparison::Less => (at_most(range::below(y.high)), at_least(range::above(x.low))),
        Comparison::AtMost => (at_most(y.high), at_least(x.low)),
        Comparison::Greater => (at_least(range::above(y.low)), at_most(range::below(x.high))),
        Comparison::AtLeast => (at_least(y.low), at_most(x.high)),
        Comparison::Equal => (y, x),
        Comparison::Different => (without(x, y), without(y, x)),
    };
    push(a, to_x, &a_nodes, found);
    push(b, to_y, &b_nodes, found);
}

fn at_most(high: f64) -> Range {
    Range::new(f64::NEG_INFINITY, high)
}

fn at_least(low: f64) -> Range {
    Range::new(low, f64::INFINITY)
}

/// The range without an end that is the only number of the other range.
fn without(of: Range, other: Range) -> Range {
    let mut left = of;
    if other.is_point() && of.low == other.low {
        left.low = range::above(of.low);
    }
    if other.is_point() && of.high == other.low {
        left.high = range::below(of.high);
    }
    left
}

/// The range of a step of a term. Its right or only operand is the step directly before.
struct Node {
    range: Range,
    /// The left operand, if there are two.
    left: usize,
}

fn nodes(number: &Number, read: &impl Fn(ParamId) -> Range) -> Vec<Node> {
    let steps = number.steps();
    let mut list: Vec<Node> = Vec::with_capacity(steps.len());
    // Steps whose results are not used yet.
    let mut open: Vec<usize> = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let mut left = 0;
        let range = match step {
            Step::Constant(x) => constant(*x),
            Step::Of(id) => read(*id),
            Step::Negative => list[pop(&mut open)].range.negative(),
            Step::Call(function) => range::call(*function, list[pop(&mut open)].range),
            Step::Binary(op) => {
                let right = pop(&mut open);
                left = pop(&mut open);
                let is_plain = matches!(steps[right], Step::Constant(_) | Step::Of(_));
                range::apply(*op, list[left].range, list[right].range, is_plain)
            }
        };
        list.push(Node { range, left });
        open.push(at);
    }
    list
}

/// From the result back to the operands. An empty range is passed on, since only a parameter can
/// report it.
fn push(number: &Number, wanted: Range, nodes: &[Node], found: &mut Vec<Narrowing>) {
    let mut wishes = vec![wanted; nodes.len()];
    let first = found.len();
    for (at, step) in number.steps().iter().enumerate().rev() {
        let z = wishes[at].meet(nodes[at].range);
        match step {
            Step::Constant(_) => {}
            Step::Of(id) => found.push((*id, wishes[at])),
            Step::Negative => wishes[at - 1] = wishes[at].negative(),
            Step::Call(function) => {
                let x = nodes[at - 1].range;
                wishes[at - 1] = if z.is_empty() { z } else { range::argument(*function, z, x) };
            }
            Step::Binary(op) => {
                let (left, right) = (nodes[at].left, at - 1);
                let (x, y) = (nodes[left].range, nodes[right].range);
                (wishes[left], wishes[right]) =
                    if z.is_empty() { (z, z) } else { (range::left(*op, z, y), range::right(*op, z, x)) };
            }
        }
    }
    // In source order of the parameters.
    found[first..].reverse();
}
