//! A subset of a domain: the values of a parameter that constraint propagation has not excluded.
//!
//! Subsets of numbers are closed intervals whose ends are in the domain. An open end is replaced by
//! the next double, which loses nothing: there is no number in between.
use crate::condition::{Interval, Test};
use crate::domain::{Domain, Lattice};
use crate::value::Value;

/// False < unknown < true: conjunction is the minimum, disjunction the maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Truth {
    /// For no remaining value.
    False,
    /// For some remaining values and not for others, as far as is known.
    Unknown,
    /// For every remaining value.
    True,
}

/// A subset of a domain.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Subdomain {
    /// The numbers in a closed interval.
    Numbers(f64, f64),
    /// The marked alternatives.
    Labels(Vec<bool>),
}

const NO_NUMBER: Subdomain = Subdomain::Numbers(f64::INFINITY, f64::NEG_INFINITY);

impl Subdomain {
    /// All values, including retired alternatives.
    pub(crate) fn everything(domain: &Domain) -> Subdomain {
        match domain {
            Domain::Labels(labels) => Subdomain::Labels(vec![true; labels.len()]),
            numbers => numbers.range().map_or(NO_NUMBER, |(low, high)| Subdomain::Numbers(low, high)),
        }
    }

    /// All values that can be proposed.
    pub(crate) fn offered(domain: &Domain) -> Subdomain {
        match domain {
            Domain::Labels(labels) => {
                Subdomain::Labels((0..labels.len()).map(|i| !labels.is_retired(i)).collect())
            }
            numbers => Subdomain::everything(numbers),
        }
    }

    /// One value, given in canonical form.
    pub(crate) fn single(domain: &Domain, value: &Value) -> Subdomain {
        match domain {
            Domain::Labels(labels) => {
                let at = labels.index_of(value);
                Subdomain::Labels((0..labels.len()).map(|i| Some(i) == at).collect())
            }
            _ => value.as_f64().map_or(NO_NUMBER, |x| Subdomain::Numbers(x, x)),
        }
    }

    /// The empty subset of the same kind.
    pub(crate) fn nothing(&self) -> Subdomain {
        match self {
            Subdomain::Numbers(..) => NO_NUMBER,
            Subdomain::Labels(marks) => Subdomain::Labels(vec![false; marks.len()]),
        }
    }

    /// Is no value left?
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Subdomain::Numbers(low, high) => low > high,
            Subdomain::Labels(marks) => !marks.contains(&true),
        }
    }

    /// Is exactly one value left?
    pub(crate) fn is_single(&self) -> bool {
        match self {
            Subdomain::Numbers(low, high) => low == high,
            Subdomain::Labels(marks) => marks.iter().filter(|m| **m).count() == 1,
        }
    }

    /// The remaining value, if there is exactly one.
    pub(crate) fn only(&self, domain: &Domain) -> Option<Value> {
        self.is_single().then(|| self.lowest(domain))?
    }

    /// The lowest remaining value.
    pub(crate) fn lowest(&self, domain: &Domain) -> Option<Value> {
        match (self, domain) {
            (Subdomain::Numbers(low, high), _) if low > high => None,
            (Subdomain::Numbers(low, _), Domain::Lattice(lattice)) => {
                Some(lattice.value(lattice.nearest(*low)))
            }
            (Subdomain::Numbers(low, _), _) => Some(Value::from(*low)),
            (Subdomain::Labels(marks), Domain::Labels(labels)) => {
                marks.iter().position(|m| *m).map(|i| labels.value(i).clone())
            }
            (Subdomain::Labels(_), _) => None,
        }
    }

    /// Number of remaining values, if finite.
    pub(crate) fn count(&self, domain: &Domain) -> Option<u64> {
        match (self, domain) {
            (Subdomain::Numbers(low, high), _) if low > high => Some(0),
            (Subdomain::Numbers(low, high), Domain::Lattice(lattice)) => {
                Some(lattice.nearest(*high) - lattice.nearest(*low) + 1)
            }
            (Subdomain::Numbers(low, high), _) => (low == high).then_some(1),
            (Subdomain::Labels(marks), _) => Some(marks.iter().filter(|m| **m).count() as u64),
        }
    }

    /// Does it contain a value in canonical form?
    pub(crate) fn contains(&self, domain: &Domain, value: &Value) -> bool {
        match self {
            Subdomain::Numbers(low, high) => value.as_f64().is_some_and(|x| *low <= x && x <= *high),
            Subdomain::Labels(marks) => {
                domain.labels().and_then(|labels| labels.index_of(value)).is_some_and(|i| marks[i])
            }
        }
    }

    /// The values between two numbers, inclusive.
    pub(crate) fn between(&self, domain: &Domain, from: f64, to: f64) -> Subdomain {
        let Subdomain::Numbers(low, high) = self else { return self.clone() };
        let (low, high) = (low.max(from), high.min(to));
        match domain {
            Domain::Lattice(lattice) => match positions(lattice, low, high) {
                Some((first, last)) => Subdomain::Numbers(lattice.number(first), lattice.number(last)),
                None => NO_NUMBER,
            },
            _ if low <= high => Subdomain::Numbers(low, high),
            _ => NO_NUMBER,
        }
    }

    /// The smallest subset with every value that passes the test.
    pub(crate) fn passing(&self, domain: &Domain, test: &Test) -> Subdomain {
        match (self, test) {
            (Subdomain::Labels(marks), Test::Labels(wanted)) => {
                Subdomain::Labels(marks.iter().zip(wanted).map(|(m, w)| *m && *w).collect())
            }
            (Subdomain::Numbers(low, high), Test::Numbers(intervals)) => {
                let first = intervals.partition_point(|i| i.high < *low);
                let last = intervals.partition_point(|i| i.low <= *high).max(first);
                let piece = |i: &Interval| {
                    let (from, to) = closed(i);
                    Some(self.between(domain, from, to)).filter(|piece| !piece.is_empty())
                };
                let mut within = intervals[first..last].iter();
                match (within.find_map(piece), within.rev().find_map(piece)) {
                    (Some(Subdomain::Numbers(a, _)), Some(Subdomain::Numbers(_, b))) => {
                        Subdomain::Numbers(a, b)
                    }
                    (Some(only), _) => only,
                    _ => NO_NUMBER,
                }
            }
            _ => self.nothing(),
        }
    }

    /// The result of a test for the remaining values.
    pub(crate) fn truth(&self, domain: &Domain, test: &Test) -> Truth {
        let passing = self.passing(domain, test);
        if passing.is_empty() {
            Truth::False
        } else if passing != *self {
            // No value passes at an end of the subset.
            Truth::Unknown
        } else if self.passing(domain, &test.negated()).is_empty() {
            Truth::True
        } else {
            Truth::Unknown
        }
    }

    /// The values before and after a value; empty subsets are left out.
    pub(crate) fn around(&self, domain: &Domain, value: &Value) -> Vec<Subdomain> {
        let mut sides = match self {
            Subdomain::Labels(marks) => {
                let at = domain.labels().and_then(|labels| labels.index_of(value));
                let other = |(i, m): (usize, &bool)| *m && Some(i) != at;
                vec![Subdomain::Labels(marks.iter().enumerate().map(other).collect())]
            }
            Subdomain::Numbers(low, high) => {
                let x = value.as_f64().unwrap_or(*low);
                vec![self.between(domain, *low, x.next_down()), self.between(domain, x.next_up(), *high)]
            }
        };
        sides.retain(|side| !side.is_empty());
        sides
    }

    /// Two disjoint, nonempty subsets, split at an end of the test; `None` if the test does not
    /// separate the remaining values.
    pub(crate) fn split_by(&self, domain: &Domain, test: &Test) -> Option<(Subdomain, Subdomain)> {
        if self.truth(domain, test) != Truth::Unknown {
            return None;
        }
        match (self, test) {
            (Subdomain::Numbers(low, high), Test::Numbers(intervals)) => {
                intervals.iter().flat_map(ends).find_map(|end| {
                    let sides = (self.between(domain, *low, end), self.between(domain, end.next_up(), *high));
                    (!sides.0.is_empty() && !sides.1.is_empty()).then_some(sides)
                })
            }
            _ => Some((self.passing(domain, test), self.passing(domain, &test.negated()))),
        }
    }

    /// Two halves, or `None` if a single value is left.
    pub(crate) fn halves(&self, domain: &Domain) -> Option<(Subdomain, Subdomain)> {
        if self.is_single() || self.is_empty() {
            return None;
        }
        match self {
            Subdomain::Labels(marks) => {
                let first = marks.iter().position(|m| *m);
                let one = (0..marks.len()).map(|i| Some(i) == first).collect();
                let rest = marks.iter().enumerate().map(|(i, m)| *m && Some(i) != first).collect();
                Some((Subdomain::Labels(one), Subdomain::Labels(rest)))
            }
            Subdomain::Numbers(low, high) => {
                let middle = match domain {
                    Domain::Lattice(lattice) => {
                        let (first, last) = (lattice.nearest(*low), lattice.nearest(*high));
                        lattice.number(first + (last - first) / 2)
                    }
                    _ => low + (high - low) / 2.0,
                };
                Some((self.between(domain, *low, middle), self.between(domain, middle.next_up(), *high)))
            }
        }
    }
}

/// Positions of the first and last grid value between two numbers, inclusive.
pub(crate) fn positions(lattice: &Lattice, from: f64, to: f64) -> Option<(u64, u64)> {
    let first = lattice.first_at_least(from);
    let near = lattice.nearest(to);
    let last = if lattice.number(near) <= to { near } else { near.checked_sub(1)? };
    (first <= last).then_some((first, last))
}

/// The last numbers before each point where the result of a test changes.
pub(crate) fn cuts(test: &Test) -> impl Iterator<Item = f64> + '_ {
    let intervals = match test {
        Test::Numbers(intervals) => &intervals[..],
        Test::Labels(_) => &[],
    };
    intervals.iter().flat_map(ends)
}

fn ends(interval: &Interval) -> [f64; 2] {
    let (from, to) = closed(interval);
    [from.next_down(), to]
}

fn closed(interval: &Interval) -> (f64, f64) {
    (
        if interval.low_closed { interval.low } else { interval.low.next_up() },
        if interval.high_closed { interval.high } else { interval.high.next_down() },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Param;
    use proptest::prelude::*;

    fn interval(low: f64, high: f64, low_closed: bool, high_closed: bool) -> Interval {
        Interval { low, high, low_closed, high_closed }
    }

    #[test]
    fn ends_belong_to_the_domain() {
        let grid = Domain::build(&Param::real("x", 0.0, 1.0).step(0.1)).unwrap();
        let whole = Subdomain::offered(&grid);
        assert_eq!(whole.between(&grid, 0.25, 0.55), Subdomain::Numbers(0.3, 0.5));
        assert!(whole.between(&grid, 0.31, 0.39).is_empty());
        assert_eq!(whole.between(&grid, f64::NEG_INFINITY, f64::INFINITY), whole);
        assert_eq!(whole.between(&grid, 0.25, 0.55).count(&grid), Some(3));
    }

    #[test]
    fn open_ends_are_closed_at_the_next_double() {
        let real = Domain::build(&Param::real("x", 0.0, 1.0)).unwrap();
        let test = Test::Numbers(vec![interval(0.5, f64::INFINITY, false, false)]);
        assert_eq!(
            Subdomain::offered(&real).passing(&real, &test),
            Subdomain::Numbers(0.5f64.next_up(), 1.0)
        );
        assert_eq!(Subdomain::Numbers(0.5, 0.5).truth(&real, &test), Truth::False);
    }

    proptest! {
        #[test]
        fn splits_keep_every_value(a in 0i64..30, b in 0i64..30, low_closed: bool, high_closed: bool) {
            let domain = Domain::build(&Param::integer("k", 3, 24)).unwrap();
            let test = Test::Numbers(vec![interval(a.min(b) as f64, a.max(b) as f64, low_closed, high_closed)]);
            let mut parts = vec![Subdomain::offered(&domain)];
            let mut done: Vec<Subdomain> = Vec::new();
            while let Some(part) = parts.pop() {
                match part.split_by(&domain, &test) {
                    Some((one, other)) => parts.extend([one, other]),
                    None => done.push(part),
                }
            }
            for k in 3..=24 {
                let value = Value::Int(k);
                let holders: Vec<&Subdomain> = done.iter().filter(|p| p.contains(&domain, &value)).collect();
                prop_assert_eq!(holders.len(), 1);
                prop_assert_eq!(holders[0].truth(&domain, &test) == Truth::True, test.holds(&value, None));
            }
        }
    }
}
