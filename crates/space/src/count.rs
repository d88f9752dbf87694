//! Counts valid configurations without listing them.
//!
//! Parameters not connected by anything undecided multiply. If a condition or clause still depends
//! on a value, the values are split in two by its test (or in halves, for relations between
//! numbers), and the counts add up. After every split, the rest again decomposes into independent
//! groups: model counting by components [Bayardo & Pehoushek 2000]. Cost: about the number of
//! branches. Dense relations over large grids cost up to the size of their boundary; counting gives
//! up after ten million steps, or when the work limit for one query is reached.
use crate::cardinality::Cardinality;
use crate::condition::Test;
use crate::constraint::Literal;
use crate::feasible::{Groups, State, WORK};
use crate::finite::{Finiteness, finiteness};
use crate::id::ParamId;
use crate::space::Space;
use crate::subdomain::{Subdomain, Truth};

/// Maximum number of parameters visited, over all splits.
const STEPS: usize = 10_000_000;

impl Space {
    /// The number of valid configurations. Computed once and cached.
    ///
    /// ```
    /// use arbora_space::{Cardinality, Param, Space, SpaceSpec};
    /// let spec = SpaceSpec::new([Param::integer("a", 1, 1000), Param::integer("b", 1, 1000)]).require("a < b");
    /// assert_eq!(Space::new(spec)?.cardinality(), Cardinality::Finite(1000 * 999 / 2));
    /// # Ok::<(), arbora_space::SpaceError>(())
    /// ```
    pub fn cardinality(&self) -> Cardinality {
        *self.cardinality.get_or_init(|| counted(self, STEPS, WORK))
    }
}

fn counted(space: &Space, steps: usize, work: u64) -> Cardinality {
    match finiteness(space) {
        Finiteness::Continuous(_) => return Cardinality::Infinite,
        Finiteness::Unknown(_) => return Cardinality::Unknown,
        Finiteness::Finite => {}
    }
    let mut state = State::new(space, space.clauses(), work);
    if state.propagate_all().is_err() {
        return if state.is_spent() { Cardinality::Unknown } else { Cardinality::Finite(0) };
    }
    let members: Vec<ParamId> = space.ids().collect();
    match (Counter { state, left: steps }).count(&members) {
        Ok(Count(Some(count))) => Cardinality::Finite(count),
        Ok(Count(None)) => Cardinality::Beyond,
        Err(TooMuch) => Cardinality::Unknown,
    }
}

/// An integer, or `None` on overflow.
#[derive(Clone, Copy)]
struct Count(Option<u128>);

impl Count {
    const ZERO: Count = Count(Some(0));
    const ONE: Count = Count(Some(1));

    fn plus(self, other: Count) -> Count {
        Count(self.0.zip(other.0).and_then(|(a, b)| a.checked_add(b)))
    }

    fn times(self, other: Count) -> Count {
        if self.is_zero() || other.is_zero() {
            return Count::ZERO;
        }
        Count(self.0.zip(other.0).and_then(|(a, b)| a.checked_mul(b)))
    }

    fn is_zero(self) -> bool {
        self.0 == Some(0)
    }
}

struct TooMuch;

struct Counter<'s> {
    state: State<'s>,
    left: usize,
}

/// Parameters that something undecided depends on, in groups; all others are free.
struct Open {
    groups: Vec<Vec<ParamId>>,
    is_open: Vec<bool>,
}

/// A count in progress. Splits nest as deep as conditions do, so they use this list instead of the
/// call stack.
enum Frame {
    /// Independent groups multiply.
    Product { rest: std::vec::IntoIter<Vec<ParamId>>, total: Count },
    /// The two sides of a split add up.
    Sum { id: ParamId, group: Vec<ParamId>, sides: std::vec::IntoIter<Subdomain>, mark: usize, total: Count },
}

impl<'s> Counter<'s> {
    /// Number of ways to decide these parameters; they are ascending and not connected to others.
    fn count(&mut self, members: &[ParamId]) -> Result<Count, TooMuch> {
        let mut frames = vec![self.product(members)?];
        let mut counted = None;
        while let Some(frame) = frames.pop() {
            match frame {
                Frame::Product { mut rest, mut total } => {
                    total = counted.take().map_or(total, |count| total.times(count));
                    match rest.next().filter(|_| !total.is_zero()) {
                        Some(group) => {
                            frames.push(Frame::Product { rest, total });
                            frames.push(self.split(group));
                        }
                        None => counted = Some(total),
                    }
                }
                Frame::Sum { id, group, mut sides, mark, mut total } => {
                    if let Some(count) = counted.take() {
                        total = total.plus(count);
                        self.state.undo(mark);
                    }
                    let Some(side) = sides.next() else {
                        counted = Some(total);
                        continue;
                    };
                    let inside = if self.state.assume(id, &side).is_ok() {
                        Some(self.product(&group)?)
                    } else if self.state.is_spent() {
                        return Err(TooMuch);
                    } else {
                        self.state.undo(mark);
                        None
                    };
                    frames.push(Frame::Sum { id, group, sides, mark, total });
                    frames.extend(inside);
                }
            }
        }
        Ok(counted.expect("the first frame ends with a count"))
    }

    /// Starts a count: free parameters multiply at once, the other groups are queued.
    fn product(&mut self, members: &[ParamId]) -> Result<Frame, TooMuch> {
        if self.state.is_spent() {
            return Err(TooMuch);
        }
        let Some(open) = self.open(members)? else {
            return Ok(Frame::Product { rest: Vec::new().into_iter(), total: Count::ZERO });
        };
        let mut total = Count::ONE;
        for (&id, _) in members.iter().zip(&open.is_open).filter(|(_, is_open)| !**is_open) {
            if self.state.activity(id) == Truth::True {
                total = total.times(self.values(id));
            }
        }
        Ok(Frame::Product { rest: open.groups.into_iter(), total })
    }

    /// If a continuous parameter is active here, no valid configuration follows: this case ends in
    /// a conflict.
    fn values(&self, id: ParamId) -> Count {
        if self.state.domain(id).levels().is_none() {
            return Count::ZERO;
        }
        Count(Some(self.state.subdomain(id).count(self.state.domain(id)).map_or(0, u128::from)))
    }

    /// Starts adding up the two sides of a split.
    fn split(&self, group: Vec<ParamId>) -> Frame {
        let (id, sides) = self
            .best_split(&group)
            .expect("what is undecided depends on an active parameter with several values");
        let sides = vec![sides.0, sides.1].into_iter();
        Frame::Sum { id, group, sides, mark: self.state.mark(), total: Count::ZERO }
    }

    /// Splits by an undecided test if there is one, otherwise halves the largest parameter of a
    /// relation.
    fn best_split(&self, group: &[ParamId]) -> Option<(ParamId, (Subdomain, Subdomain))> {
        let literals = self.undecided(group).concat();
        let mut tests: Vec<(ParamId, &Test)> =
            group.iter().flat_map(|id| self.undecided_tests(*id)).collect();
        tests.extend(literals.iter().filter_map(|literal| match literal {
            Literal::Is(id, test) => Some((*id, test)),
            _ => None,
        }));
        let by_test = tests.into_iter().filter(|(id, _)| self.can_split(*id)).find_map(|(id, test)| {
            Some((id, self.state.subdomain(id).split_by(self.state.domain(id), test)?))
        });
        by_test.or_else(|| {
            let related = literals.iter().flat_map(|literal| literal.parameters());
            let size = |id: &ParamId| self.state.subdomain(*id).count(self.state.domain(*id));
            let id = related.filter(|id| self.can_split(*id)).max_by_key(size)?;
            Some((id, self.state.subdomain(id).halves(self.state.domain(id))?))
        })
    }

    fn can_split(&self, id: ParamId) -> bool {
        self.state.activity(id) == Truth::True && !self.state.subdomain(id).is_single()
    }

    /// Groups of parameters that are undecided together; `None` if a clause is violated.
    fn open(&mut self, members: &[ParamId]) -> Result<Option<Open>, TooMuch> {
        let place = |id: ParamId| members.binary_search(&id).ok();
        let mut is_open = vec![false; members.len()];
        let mut groups = Groups::new(members.len());
        let mut connect = |ids: &mut dyn Iterator<Item = ParamId>| {
            let mut first = None;
            for at in ids.filter_map(place) {
                is_open[at] = true;
                groups.join(*first.get_or_insert(at), at);
            }
        };
        let mut steps = members.len();
        for &id in members.iter().filter(|id| self.state.activity(**id) == Truth::Unknown) {
            connect(
                &mut std::iter::once(id)
                    .chain(self.undecided_tests(id).into_iter().map(|(decider, _)| decider)),
            );
        }
        for literals in self.undecided(members) {
            if literals.is_empty() {
                return Ok(None);
            }
            let mentioned: Vec<ParamId> = literals.into_iter().flat_map(Literal::parameters).collect();
            steps += mentioned.len();
            connect(&mut mentioned.into_iter());
        }
        self.left = self.left.checked_sub(steps + 1).ok_or(TooMuch)?;
        let open: Vec<ParamId> =
            members.iter().zip(&is_open).filter(|(_, is_open)| **is_open).map(|(id, _)| *id).collect();
        let index = |id: ParamId| members.binary_search(&id).expect("open parameters are members");
        Ok(Some(Open { groups: groups.among(&open, index), is_open }))
    }

    /// Undecided tests in the condition of a parameter whose activity is unknown.
    fn undecided_tests(&self, id: ParamId) -> Vec<(ParamId, &'s Test)> {
        if self.state.activity(id) != Truth::Unknown {
            return Vec::new();
        }
        let mut tests = self.state.space().parameter(id).when().tests();
        tests.retain(|(decider, test)| {
            let value = self.state.subdomain(*decider).truth(self.state.domain(*decider), test);
            value.min(self.state.activity(*decider)) == Truth::Unknown
        });
        tests
    }

    /// The undecided literals of every open clause about these parameters; an empty list means that
    /// the clause is violated.
    fn undecided(&self, members: &[ParamId]) -> Vec<Vec<&'s Literal>> {
        let mut mentioned: Vec<usize> =
            members.iter().flat_map(|id| self.state.clauses_of(*id)).copied().collect();
        mentioned.sort_unstable();
        mentioned.dedup();
        let clauses = self.state.clauses();
        mentioned.into_iter().filter_map(|c| self.undecided_of(&clauses[c].literals)).collect()
    }

    fn undecided_of(&self, literals: &'s [Literal]) -> Option<Vec<&'s Literal>> {
        let mut found = Vec::new();
        for literal in literals {
            match self.state.literal(literal) {
                Truth::False => return None,
                Truth::Unknown => found.push(literal),
                Truth::True => {}
            }
        }
        Some(found)
    }
}

#[cfg(test)]
mod tests;
