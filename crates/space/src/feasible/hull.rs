//! Narrowing the parameters of a term: what it can be given them, what they can be given it.
//!
//! HC4: enclose every node bottom-up, then push the wanted result top-down through the inverse operations, meeting
//! each node's enclosure on the way  [Benhamou, Goualard, Granvilliers & Puget 1999]. One pass costs a few
//! operations per node. Weak where a parameter occurs twice; splitting its interval makes up for it.
use super::range::{self, Range};
use crate::constraint::Number;
use crate::expression::Comparison;
use crate::id::ParamId;
use crate::part::Truth;

/// A new interval for a parameter.
pub(super) type Narrowing = (ParamId, Range);

/// What a term can be.
pub(super) fn enclose(number: &Number, read: &impl Fn(ParamId) -> Range) -> Range {
    match number {
        Number::Constant(x) => Range::new(*x, *x),
        Number::Of(id) => read(*id),
        Number::Negative(a) => enclose(a, read).negative(),
        Number::Binary(a, op, b) => range::apply(*op, enclose(a, read), enclose(b, read), is_plain(b)),
        Number::Call(function, a) => range::call(*function, enclose(a, read)),
    }
}

fn is_plain(number: &Number) -> bool {
    matches!(number, Number::Constant(_) | Number::Of(_))
}

/// What a comparison says of two ranges.
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
        // NaN differs from everything, itself included.
        Comparison::Different if apart => Truth::True,
        Comparison::Different => certain(false, equal && !a.may_fail && !b.may_fail),
    }
}

/// What the parameters can be if `a op b` is to hold; nothing is concluded where a term can be NaN.
pub(super) fn narrow(
    a: &Number,
    op: Comparison,
    b: &Number,
    read: &impl Fn(ParamId) -> Range,
    found: &mut Vec<Narrowing>,
) {
    let (a_nodes, b_nodes) = (Node::all(a, read), Node::all(b, read));
    let (x, y) = (a_nodes[a_nodes.len() - 1].range, b_nodes[b_nodes.len() - 1].range);
    if x.may_fail || y.may_fail {
        return;
    }
    let (to_x, to_y) = match op {
        Comparison::Less => (at_most(y.high.next_down()), at_least(x.low.next_up())),
        Comparison::AtMost => (at_most(y.high), at_least(x.low)),
        Comparison::Greater => (at_least(y.low.next_up()), at_most(x.high.next_down())),
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

/// The range without an end that is the only number of the other.
fn without(of: Range, other: Range) -> Range {
    let mut left = of;
    if other.is_point() && of.low == other.low {
        left.low = of.low.next_up();
    }
    if other.is_point() && of.high == other.low {
        left.high = of.high.next_down();
    }
    left
}

/// The enclosure of a node of a term, in a list that has operands before what they make: the right one directly
/// before, the left one before that.
struct Node {
    range: Range,
    /// Nodes of the whole subterm.
    size: usize,
}

impl Node {
    fn all(number: &Number, read: &impl Fn(ParamId) -> Range) -> Vec<Node> {
        let mut list = Vec::new();
        Self::list(number, read, &mut list);
        list
    }

    fn list(number: &Number, read: &impl Fn(ParamId) -> Range, list: &mut Vec<Node>) -> Range {
        let before = list.len();
        let range = match number {
            Number::Constant(x) => Range::new(*x, *x),
            Number::Of(id) => read(*id),
            Number::Negative(a) => Self::list(a, read, list).negative(),
            Number::Binary(a, op, b) => {
                let (x, y) = (Self::list(a, read, list), Self::list(b, read, list));
                range::apply(*op, x, y, is_plain(b))
            }
            Number::Call(function, a) => range::call(*function, Self::list(a, read, list)),
        };
        list.push(Node { range, size: list.len() + 1 - before });
        range
    }
}

/// `nodes` ends with the node of `number`. An empty wish must reach a parameter to be noticed, so it is handed on.
fn push(number: &Number, wanted: Range, nodes: &[Node], found: &mut Vec<Narrowing>) {
    let Some((node, below)) = nodes.split_last() else { return };
    match number {
        Number::Constant(_) => {}
        Number::Of(id) => found.push((*id, wanted)),
        Number::Negative(a) => push(a, wanted.negative(), below, found),
        Number::Binary(a, op, b) => {
            let (left, right) = below.split_at(below.len() - below[below.len() - 1].size);
            let (x, y) = (left[left.len() - 1].range, right[right.len() - 1].range);
            let z = wanted.meet(node.range);
            let (to_x, to_y) =
                if z.is_empty() { (z, z) } else { (range::left(*op, z, y), range::right(*op, z, x)) };
            push(a, to_x, left, found);
            push(b, to_y, right, found);
        }
        Number::Call(function, a) => {
            let x = below[below.len() - 1].range;
            let z = wanted.meet(node.range);
            push(a, if z.is_empty() { z } else { range::argument(*function, z, x) }, below, found);
        }
    }
}
