//! How many valid configurations there are, without listing them.
//!
//! Parameters that nothing undecided connects multiply; where a condition or a clause still depends on a value, the
//! values are split in two by what it asks (or in halves, for relations between numbers) and the counts add up.
//! After every split the rest falls apart again into groups that do not touch: model counting by components
//! [Bayardo & Pehoushek 2000]. Cost: about the number of branches; dense relations over large grids cost up to their
//! boundary, and are given up beyond ten million steps.
use crate::constraint::Literal;
use crate::feasible::{Groups, State};
use crate::finite::{Finiteness, finiteness};
use crate::part::{Part, Truth};
use crate::space::{ParamId, Space};

/// How many valid configurations there are, retired alternatives left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cardinality {
    /// Exactly so many.
    Finite(u128),
    /// Finitely many, more than 2¹²⁸ − 1.
    Beyond,
    /// A continuous parameter takes part.
    Infinite,
    /// Constraints so entangled that ten million steps did not settle it.
    Unknown,
}

/// Parameters looked at, over all splits.
const STEPS: usize = 10_000_000;
/// Splits inside each other; each takes a piece of the stack.
const DEPTH: usize = 1_500;

impl Space {
    /// How many valid configurations there are.
    ///
    /// ```
    /// use arbora_space::{Cardinality, Param, Space, SpaceSpec};
    /// let spec = SpaceSpec::new([Param::integer("a", 1, 1000), Param::integer("b", 1, 1000)]).require("a < b");
    /// assert_eq!(Space::new(spec)?.cardinality(), Cardinality::Finite(1000 * 999 / 2));
    /// # Ok::<(), arbora_space::SpaceError>(())
    /// ```
    pub fn cardinality(&self) -> Cardinality {
        match finiteness(self) {
            Finiteness::Continuous(_) => return Cardinality::Infinite,
            Finiteness::Unknown(_) => return Cardinality::Unknown,
            Finiteness::Finite => {}
        }
        let mut state = State::new(self, self.clauses());
        if state.conclude().is_err() {
            return Cardinality::Finite(0);
        }
        let members: Vec<ParamId> = self.ids().collect();
        match (Counter { state, left: STEPS }).count(&members, 0) {
            Ok(Count(Some(count))) => Cardinality::Finite(count),
            Ok(Count(None)) => Cardinality::Beyond,
            Err(TooMuch) => Cardinality::Unknown,
        }
    }
}

/// A whole number; `None` is one that does not fit.
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

/// Members that something undecided depends on, in groups; the others are free.
struct Open {
    groups: Vec<Vec<ParamId>>,
    is_open: Vec<bool>,
}

impl Counter<'_> {
    /// Ways to decide these parameters, ascending and not connected to any other.
    fn count(&mut self, members: &[ParamId], depth: usize) -> Result<Count, TooMuch> {
        self.left = self.left.checked_sub(members.len() + 1).ok_or(TooMuch)?;
        if depth == DEPTH {
            return Err(TooMuch);
        }
        let Some(open) = self.open(members) else { return Ok(Count::ZERO) };
        let mut total = Count::ONE;
        for (&id, _) in members.iter().zip(&open.is_open).filter(|(_, is_open)| !**is_open) {
            if self.state.activity(id) == Truth::True {
                total = total.times(self.values(id));
            }
        }
        for group in open.groups {
            if total.is_zero() {
                break;
            }
            total = total.times(self.split(&group, depth)?);
        }
        Ok(total)
    }

    /// A continuous parameter that is active here is active in no valid configuration: this way ends in a conflict.
    fn values(&self, id: ParamId) -> Count {
        if self.state.domain(id).levels().is_none() {
            return Count::ZERO;
        }
        Count(Some(self.state.part(id).count(self.state.domain(id)).map_or(0, u128::from)))
    }

    /// Adds up the two sides of a split.
    fn split(&mut self, group: &[ParamId], depth: usize) -> Result<Count, TooMuch> {
        let (id, sides) = self
            .best_split(group)
            .expect("what is undecided depends on an active parameter with several values");
        let mark = self.state.mark();
        let mut total = Count::ZERO;
        for side in [sides.0, sides.1] {
            if self.state.assume(id, side).is_ok() {
                total = total.plus(self.count(group, depth + 1)?);
            }
            self.state.undo(mark);
        }
        Ok(total)
    }

    /// By a test where one is undecided, else the largest parameter of a relation in halves.
    fn best_split(&self, group: &[ParamId]) -> Option<(ParamId, (Part, Part))> {
        let can_split =
            |id: &&ParamId| self.state.activity(**id) == Truth::True && !self.state.part(**id).is_single();
        let by_test = group.iter().filter(can_split).find_map(|id| Some((*id, self.split_by_test(*id)?)));
        by_test.or_else(|| {
            let related = group.iter().filter(can_split).filter(|id| self.is_in_relation(**id));
            let size = |id: &&ParamId| self.state.part(**id).count(self.state.domain(**id));
            let id = *related.max_by_key(size)?;
            Some((id, self.state.part(id).halves(self.state.domain(id))?))
        })
    }

    fn split_by_test(&self, id: ParamId) -> Option<(Part, Part)> {
        let space = self.state.space();
        let waiting = space.dependents(id).iter().filter(|d| self.state.activity(**d) == Truth::Unknown);
        let of_conditions = waiting.flat_map(|d| space.parameter(*d).when().tests());
        let of_clauses = self.open_literals(id).filter_map(|literal| match literal {
            Literal::Is(of, test) => Some((*of, test)),
            _ => None,
        });
        let mut tests = of_conditions.chain(of_clauses).filter(|(of, _)| *of == id);
        tests.find_map(|(_, test)| self.state.part(id).split_by(self.state.domain(id), test))
    }

    fn is_in_relation(&self, id: ParamId) -> bool {
        self.open_literals(id).any(|l| !matches!(l, Literal::Is(..)) && l.parameters().contains(&id))
    }

    /// Undecided literals of the undecided clauses that mention a parameter.
    fn open_literals(&self, id: ParamId) -> impl Iterator<Item = &Literal> + '_ {
        let clauses = self.state.clauses_of(id).iter().map(|&c| &self.state.clauses()[c]);
        let undecided = clauses.filter(|c| c.literals.iter().all(|l| self.state.literal(l) != Truth::False));
        undecided.flat_map(|c| c.literals.iter()).filter(|l| self.state.literal(l) == Truth::Unknown)
    }

    /// Which members are undecided together; nothing if a clause is satisfied.
    fn open(&self, members: &[ParamId]) -> Option<Open> {
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
        for &id in members {
            self.connect_condition(id, &mut connect);
            for &clause in self.state.clauses_of(id) {
                self.connect_clause(clause, &mut connect)?;
            }
        }
        let open: Vec<ParamId> =
            members.iter().zip(&is_open).filter(|(_, is_open)| **is_open).map(|(id, _)| *id).collect();
        let index = |id: ParamId| members.binary_search(&id).expect("open parameters are members");
        Some(Open { groups: groups.among(&open, index), is_open })
    }

    fn connect_condition(&self, id: ParamId, connect: &mut impl FnMut(&mut dyn Iterator<Item = ParamId>)) {
        if self.state.activity(id) != Truth::Unknown {
            return;
        }
        let tests = self.state.space().parameter(id).when().tests();
        let undecided = tests.into_iter().filter(|(decider, test)| {
            let value = self.state.part(*decider).truth(self.state.domain(*decider), test);
            value.min(self.state.activity(*decider)) == Truth::Unknown
        });
        connect(&mut std::iter::once(id).chain(undecided.map(|(decider, _)| decider)));
    }

    fn connect_clause(
        &self,
        clause: usize,
        connect: &mut impl FnMut(&mut dyn Iterator<Item = ParamId>),
    ) -> Option<()> {
        let literals = &self.state.clauses()[clause].literals;
        let truths: Vec<Truth> = literals.iter().map(|l| self.state.literal(l)).collect();
        match truths.iter().min() {
            Some(Truth::False) => Some(()),
            Some(Truth::Unknown) => {
                let undecided = literals.iter().zip(&truths).filter(|(_, truth)| **truth == Truth::Unknown);
                connect(&mut undecided.flat_map(|(literal, _)| literal.parameters()));
                Some(())
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
