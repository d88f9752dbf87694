//! When a parameter is active: tests of deciders, joined by `and` and `or`.
//!
//! Every test of an inactive decider is false, and so is its negation. Therefore negations are
//! pushed into the tests when the space is built, and the tree below has none.
use crate::id::ParamId;
use crate::nested::{Nested, dismantle, is_same, nodes, rebuilt};
use crate::value::Value;
use std::fmt::{self, Debug, Formatter};
use std::hash::{Hash, Hasher};

/// When a parameter is active. Copied, compared, printed and dropped without recursion, however
/// deep the nesting.
pub enum Condition {
    /// No condition.
    Always,
    /// The decider is active and passes the test.
    Is(ParamId, Test),
    /// All of them hold.
    All(Vec<Condition>),
    /// At least one holds.
    Any(Vec<Condition>),
}

/// A set of values of one decider.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Test {
    /// One flag per alternative.
    Labels(Vec<bool>),
    /// Intervals of numbers, ascending and disjoint.
    Numbers(Vec<Interval>),
}

/// An interval with open or closed ends.
#[derive(Clone, Copy, Debug)]
pub struct Interval {
    /// Lower end, possibly −∞.
    pub low: f64,
    /// Upper end, possibly ∞.
    pub high: f64,
    /// Is the lower end included?
    pub low_closed: bool,
    /// Is the upper end included?
    pub high_closed: bool,
}

impl PartialEq for Interval {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Interval {}

impl Hash for Interval {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl Interval {
    /// All numbers.
    pub const EVERYTHING: Interval =
        Interval { low: f64::NEG_INFINITY, high: f64::INFINITY, low_closed: false, high_closed: false };

    fn key(&self) -> (u64, u64, bool, bool) {
        ((self.low + 0.0).to_bits(), (self.high + 0.0).to_bits(), self.low_closed, self.high_closed)
    }

    /// Does the interval contain a number?
    pub fn contains(&self, x: f64) -> bool {
        (x > self.low || self.low_closed && x == self.low)
            && (x < self.high || self.high_closed && x == self.high)
    }

    /// Does it contain no number?
    pub fn is_empty(&self) -> bool {
        !(self.low < self.high || self.low == self.high && self.low_closed && self.high_closed)
    }
}

impl Test {
    /// Does a value pass? `label` is its position among the alternatives, if there are any.
    pub fn holds(&self, value: &Value, label: Option<usize>) -> bool {
        match self {
            Test::Labels(marks) => label.is_some_and(|i| marks[i]),
            Test::Numbers(intervals) => {
                let holds = |x: f64| {
                    let at = intervals.partition_point(|i| i.high < x);
                    // Where two intervals meet at x, either can contain it.
                    intervals[at..].iter().take(2).any(|i| i.contains(x))
                };
                value.as_f64().is_some_and(holds)
            }
        }
    }

    /// Number of distinct end points.
    pub(crate) fn ends(&self) -> usize {
        match self {
            Test::Labels(_) => 0,
            Test::Numbers(intervals) => 2 * intervals.len(),
        }
    }

    /// The complement: the values that do not pass.
    #[must_use]
    pub fn negated(&self) -> Test {
        match self {
            Test::Labels(marks) => Test::Labels(marks.iter().map(|m| !m).collect()),
            Test::Numbers(intervals) => Test::Numbers(gaps(intervals)),
        }
    }
}

fn gaps(intervals: &[Interval]) -> Vec<Interval> {
    let mut found = Vec::new();
    let mut from = (f64::NEG_INFINITY, false);
    for i in intervals {
        found.push(Interval { low: from.0, low_closed: from.1, high: i.low, high_closed: !i.low_closed });
        from = (i.high, !i.high_closed);
    }
    found.push(Interval { low: from.0, low_closed: from.1, high: f64::INFINITY, high_closed: false });
    found.retain(|i| !i.is_empty() && i.low < f64::INFINITY && i.high > f64::NEG_INFINITY);
    found
}

impl Condition {
    /// Does it hold, given the results of the tests? `test` must be false for an inactive decider.
    pub(crate) fn holds(&self, test: &mut impl FnMut(ParamId, &Test) -> bool) -> bool {
        match self {
            Condition::Always => true,
            Condition::Is(decider, it) => test(*decider, it),
            Condition::All(parts) => parts.iter().all(|p| p.holds(test)),
            Condition::Any(parts) => parts.iter().any(|p| p.holds(test)),
        }
    }

    /// Does it hold for these values of the deciders, each with its position among the
    /// alternatives? Every test of an inactive decider is false.
    pub(crate) fn holds_for<'v>(
        &self,
        value: &impl Fn(ParamId) -> Option<(&'v Value, Option<usize>)>,
    ) -> bool {
        self.holds(&mut |decider, test| value(decider).is_some_and(|(value, label)| test.holds(value, label)))
    }

    /// All tests, with their deciders.
    pub fn tests(&self) -> Vec<(ParamId, &Test)> {
        let test = |node| match node {
            &Condition::Is(decider, ref test) => Some((decider, test)),
            Condition::Always | Condition::All(_) | Condition::Any(_) => None,
        };
        nodes(self).filter_map(test).collect()
    }

    fn parts(&self) -> &[Condition] {
        match self {
            Condition::Always | Condition::Is(..) => &[],
            Condition::All(parts) | Condition::Any(parts) => parts,
        }
    }
}

impl Nested for Condition {
    fn each_part<'a>(&'a self, see: &mut dyn FnMut(&'a Self)) {
        self.parts().iter().for_each(see);
    }

    fn take_parts(&mut self, into: &mut Vec<Self>) {
        if let Condition::All(parts) | Condition::Any(parts) = self {
            into.extend(std::mem::take(parts).into_iter().filter(|part| !part.parts().is_empty()));
        }
    }

    fn with_parts(&self, parts: Vec<Self>) -> Self {
        match self {
            Condition::Always => Condition::Always,
            Condition::Is(decider, test) => Condition::Is(*decider, test.clone()),
            Condition::All(_) => Condition::All(parts),
            Condition::Any(_) => Condition::Any(parts),
        }
    }

    fn is_same_node(&self, other: &Self) -> bool {
        match (self, other) {
            (Condition::Is(decider, test), Condition::Is(other, others)) => {
                decider == other && test == others
            }
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }
}

impl Clone for Condition {
    fn clone(&self) -> Self {
        rebuilt(self, Nested::with_parts)
    }
}

impl PartialEq for Condition {
    fn eq(&self, other: &Self) -> bool {
        is_same(self, other)
    }
}

impl Eq for Condition {}

impl Hash for Condition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for node in nodes(self) {
            std::mem::discriminant(node).hash(state);
            node.parts().len().hash(state);
            if let Condition::Is(decider, test) = node {
                (decider, test).hash(state);
            }
        }
    }
}

impl Debug for Condition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut open = vec![(self, "")];
        let mut ends: Vec<usize> = Vec::new();
        while let Some((next, separator)) = open.pop() {
            f.write_str(separator)?;
            match next {
                Condition::Always => f.write_str("Always")?,
                Condition::Is(decider, test) => write!(f, "Is({decider:?}, {test:?})")?,
                Condition::All(_) => f.write_str("All([")?,
                Condition::Any(_) => f.write_str("Any([")?,
            }
            if let Condition::All(parts) | Condition::Any(parts) = next {
                ends.push(open.len());
                let separators = std::iter::once("").chain(std::iter::repeat(", "));
                open.extend(parts.iter().zip(separators).collect::<Vec<_>>().into_iter().rev());
            }
            while ends.pop_if(|end| *end == open.len()).is_some() {
                f.write_str("])")?;
            }
        }
        Ok(())
    }
}

impl Drop for Condition {
    fn drop(&mut self) {
        dismantle(self);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_passes_a_test_or_its_negation() {
        let test = Test::Numbers(vec![
            Interval { low: 0.0, high: 1.0, low_closed: true, high_closed: false },
            Interval { low: 2.0, high: 2.0, low_closed: true, high_closed: true },
        ]);
        let negated = test.negated();
        for x in [-1.0, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0] {
            let value = Value::Real(x);
            assert_ne!(test.holds(&value, None), negated.holds(&value, None), "{x}");
        }
        assert_eq!(negated.negated(), test);
        assert_eq!(Test::Numbers(vec![Interval::EVERYTHING]).negated(), Test::Numbers(vec![]));
        assert_eq!(Test::Numbers(vec![]).negated(), Test::Numbers(vec![Interval::EVERYTHING]));
    }
}
