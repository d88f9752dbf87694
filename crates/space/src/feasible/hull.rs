//! Narrowing the parameters of a term: what it can be given them, what they can be given it.
//!
//! HC4: enclose every node bottom-up, then push the wanted result top-down through the inverse operations, meeting
//! each node's enclosure on the way  [Benhamou, Goualard, Granvilliers & Puget 1999]. One pass costs a few
//! operations per node and level. Weak where a parameter occurs twice; splitting its interval makes up for it.
use super::range::{self, Range};
use crate::constraint::Number;
use crate::expression::Comparison;
use crate::part::Truth;
use crate::space::ParamId;

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
    let (x, y) = (enclose(a, read), enclose(b, read));
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
    push(a, to_x, read, found);
    push(b, to_y, read, found);
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

fn push(number: &Number, wanted: Range, read: &impl Fn(ParamId) -> Range, found: &mut Vec<Narrowing>) {
    match number {
        Number::Constant(_) => {}
        Number::Of(id) => found.push((*id, wanted)),
        Number::Negative(a) => push(a, wanted.negative(), read, found),
        Number::Binary(a, op, b) => {
            let (x, y) = (enclose(a, read), enclose(b, read));
            let z = wanted.meet(range::apply(*op, x, y, is_plain(b)));
            // An empty wish must reach a parameter to be noticed; the inverse of nothing is nothing.
            let (to_x, to_y) =
                if z.is_empty() { (z, z) } else { (range::left(*op, z, y), range::right(*op, z, x)) };
            push(a, to_x, read, found);
            push(b, to_y, read, found);
        }
        Number::Call(function, a) => {
            let x = enclose(a, read);
            let z = wanted.meet(range::call(*function, x));
            push(a, if z.is_empty() { z } else { range::argument(*function, z, x) }, read, found);
        }
    }
}
