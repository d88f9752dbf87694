//! Search state: the remaining values of every parameter, their activity, and an undo trail.
//!
//! A subdomain says which values a parameter can have *if it is active*; if empty, the parameter
//! must be inactive. Every change is recorded on a trail, so undoing costs no more than what was
//! changed.
use super::hull;
use super::range::Range;
use crate::condition::Condition;
use crate::configuration::Configuration;
use crate::constraint::{Clause, Literal, Number};
use crate::domain::{Domain, Labels};
use crate::id::ParamId;
use crate::quantity::Quantity;
use crate::space::Space;
use crate::subdomain::{Subdomain, Truth};
use crate::value::Value;
use std::cell::Cell;
use std::collections::VecDeque;

/// A change that can be undone.
enum Change {
    Subdomain(ParamId, Subdomain),
    Activity(ParamId, Truth),
}

/// No solution is possible.
#[derive(Debug)]
pub(crate) struct Conflict;

/// What is still possible in a space under some clauses.
pub(crate) struct State<'s> {
    pub(super) space: &'s Space,
    pub(super) clauses: &'s [Clause],
    pub(super) clauses_of: Vec<Vec<usize>>,
    parts: Vec<Subdomain>,
    active: Vec<Truth>,
    /// Parameters that must be active.
    wanted: Vec<ParamId>,
    trail: Vec<Change>,
    /// Changed parameters, and whether their clauses need a check.
    pub(super) changed: VecDeque<(ParamId, bool)>,
    /// Clauses to check, each once.
    pub(super) waiting: VecDeque<usize>,
    pub(super) is_waiting: Vec<bool>,
    pub(super) effort: usize,
    /// Work units left for checking clauses and conditions, one per test or arithmetic step.
    work: Cell<u64>,
}

impl<'s> State<'s> {
    /// All proposable values, before propagation. Once `work` is used up, every propagation reports
    /// a conflict, and [`is_spent`](Self::is_spent) says that it is meaningless.
    pub(crate) fn new(space: &'s Space, clauses: &'s [Clause], work: u64) -> Self {
        let width = space.parameters().len();
        let mut clauses_of = vec![Vec::new(); width];
        for (c, clause) in clauses.iter().enumerate() {
            clause.parameters().into_iter().for_each(|id| clauses_of[id.index()].push(c));
        }
        let parts = space.parameters().iter().map(|p| Subdomain::offered(p.domain())).collect();
        let mut state = Self {
            space,
            clauses,
            clauses_of,
            parts,
            active: vec![Truth::Unknown; width],
            wanted: Vec::new(),
            trail: Vec::new(),
            changed: VecDeque::new(),
            waiting: VecDeque::new(),
            is_waiting: vec![false; clauses.len()],
            effort: 0,
            work: Cell::new(work),
        };
        for id in space.ids() {
            state.active[id.index()] = state.condition(space.parameter(id).when());
        }
        state
    }

    /// Is the work used up? Check this before believing a conflict.
    pub(crate) fn is_spent(&self) -> bool {
        self.work.get() == 0
    }

    /// Sets the work limit from now on.
    pub(crate) fn allow(&self, work: u64) {
        self.work.set(work);
    }

    pub(super) fn spend(&self, work: usize) {
        self.work.set(self.work.get().saturating_sub(work as u64));
    }

    /// Requires this parameter to be active from now on.
    pub(crate) fn require_active(&mut self, id: ParamId) {
        self.wanted.push(id);
    }

    pub(super) fn is_wanted(&self, id: ParamId) -> bool {
        self.wanted.contains(&id)
    }

    /// Replaces the initial values of a parameter, possibly with retired alternatives; does not
    /// propagate.
    pub(crate) fn set(&mut self, id: ParamId, part: Subdomain) {
        self.parts[id.index()] = part;
    }

    pub(crate) fn space(&self) -> &'s Space {
        self.space
    }

    pub(crate) fn clauses(&self) -> &'s [Clause] {
        self.clauses
    }

    /// The clauses that mention a parameter.
    pub(crate) fn clauses_of(&self, id: ParamId) -> &[usize] {
        &self.clauses_of[id.index()]
    }

    /// The values a parameter can have if it is active.
    pub(crate) fn subdomain(&self, id: ParamId) -> &Subdomain {
        &self.parts[id.index()]
    }

    /// Is it active?
    pub(crate) fn activity(&self, id: ParamId) -> Truth {
        self.active[id.index()]
    }

    pub(crate) fn domain(&self, id: ParamId) -> &'s Domain {
        self.space.parameter(id).domain()
    }

    /// A mark to return to.
    pub(crate) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Undoes every change since the mark.
    pub(crate) fn undo(&mut self, mark: usize) {
        self.changed.clear();
        for clause in self.waiting.drain(..) {
            self.is_waiting[clause] = false;
        }
        while self.trail.len() > mark {
            match self.trail.pop() {
                Some(Change::Subdomain(id, part)) => self.parts[id.index()] = part,
                Some(Change::Activity(id, truth)) => self.active[id.index()] = truth,
                None => {}
            }
        }
    }

    pub(super) fn replace_subdomain(&mut self, id: ParamId, part: Subdomain) {
        let old = std::mem::replace(&mut self.parts[id.index()], part);
        self.trail.push(Change::Subdomain(id, old));
    }

    pub(super) fn replace_activity(&mut self, id: ParamId, truth: Truth) {
        let old = std::mem::replace(&mut self.active[id.index()], truth);
        self.trail.push(Change::Activity(id, old));
    }

    /// What is known about a condition.
    pub(crate) fn condition(&self, when: &Condition) -> Truth {
        match when {
            Condition::Always => Truth::True,
            Condition::Is(decider, test) => {
                self.spend(1);
                let active = self.activity(*decider);
                if active == Truth::False {
                    return Truth::False;
                }
                active.min(self.subdomain(*decider).truth(self.domain(*decider), test))
            }
            Condition::All(parts) => parts.iter().map(|p| self.condition(p)).min().unwrap_or(Truth::True),
            Condition::Any(parts) => parts.iter().map(|p| self.condition(p)).max().unwrap_or(Truth::False),
        }
    }

    /// What is known about a literal; one about an inactive parameter is false.
    pub(crate) fn literal(&self, literal: &Literal) -> Truth {
        self.spend(literal.size());
        match self.presence(literal) {
            Truth::False => Truth::False,
            presence => presence.min(self.value_of(literal)),
        }
    }

    /// Are all the parameters of a literal active?
    fn presence(&self, literal: &Literal) -> Truth {
        match literal {
            Literal::Is(id, _) => self.presence_at(*id),
            Literal::Same(a, b, _) => self.presence_at(*a).min(self.presence_at(*b)),
            Literal::Compare(a, _, b) => self.presence_of(a).min(self.presence_of(b)),
        }
    }

    fn presence_of(&self, number: &Number) -> Truth {
        number.parameters().map(|id| self.presence_at(id)).min().unwrap_or(Truth::True)
    }

    /// A parameter without values cannot be active, even if its condition does not say so yet.
    fn presence_at(&self, id: ParamId) -> Truth {
        if self.subdomain(id).is_empty() { Truth::False } else { self.activity(id) }
    }

    /// What is known about a literal if all its parameters are active.
    pub(super) fn value_of(&self, literal: &Literal) -> Truth {
        match literal {
            Literal::Is(id, test) => self.subdomain(*id).truth(self.domain(*id), test),
            Literal::Same(a, b, same) => self.sameness(*a, *b, *same),
            Literal::Compare(a, op, b) => {
                // If every parameter is decided, this must equal what the check of configurations
                // computes.
                let decided = |id| self.decided_number(id);
                if let (Some(x), Some(y)) = (a.evaluate(&decided), b.evaluate(&decided)) {
                    return if op.holds_between(x, y) { Truth::True } else { Truth::False };
                }
                let read = |id| self.range(id);
                hull::compare(hull::enclose(a, &read), *op, hull::enclose(b, &read))
            }
        }
    }

    fn decided_number(&self, id: ParamId) -> Option<Quantity> {
        match (self.subdomain(id), self.domain(id)) {
            (Subdomain::Numbers(low, high), Domain::Lattice(lattice)) if low == high => {
                Quantity::of(&lattice.value(lattice.nearest(*low)))
            }
            (Subdomain::Numbers(low, high), _) if low == high => Some(Quantity::Real(*low)),
            _ => None,
        }
    }

    pub(super) fn range(&self, id: ParamId) -> Range {
        match self.subdomain(id) {
            Subdomain::Numbers(low, high) => Range::new(*low, *high),
            Subdomain::Labels(_) => Range::EVERYTHING,
        }
    }

    fn sameness(&self, a: ParamId, b: ParamId, same: bool) -> Truth {
        if a == b {
            return if same { Truth::True } else { Truth::False };
        }
        let (of_a, of_b) = (self.alternatives(a).count(), self.alternatives(b).count());
        let equal = self.alternatives(a).any(|(_, value)| self.can_mean(b, value));
        let different = of_a * of_b > usize::from(equal);
        match if same { (equal, different) } else { (different, equal) } {
            (true, false) => Truth::True,
            (true, true) => Truth::Unknown,
            (false, _) => Truth::False,
        }
    }

    /// Can a categorical parameter have a value with the same meaning?
    pub(super) fn can_mean(&self, id: ParamId, value: &Value) -> bool {
        let at = self.domain(id).labels().and_then(|labels| labels.find(value));
        matches!(self.subdomain(id), Subdomain::Labels(marks) if at.is_some_and(|i| marks[i]))
    }

    /// The remaining alternatives of a categorical parameter.
    pub(super) fn alternatives(&self, id: ParamId) -> impl Iterator<Item = (usize, &'s Value)> + '_ {
        let values = self.domain(id).labels().map_or(&[][..], Labels::values);
        let marks = match self.subdomain(id) {
            Subdomain::Labels(marks) => &marks[..],
            Subdomain::Numbers(..) => &[],
        };
        values.iter().enumerate().zip(marks).filter(|(_, mark)| **mark).map(|(entry, _)| entry)
    }

    /// The configuration with the decided values; `choose` decides the rest.
    pub(crate) fn configuration(
        &self,
        mut choose: impl FnMut(ParamId, &Subdomain) -> Option<Value>,
    ) -> Option<Configuration> {
        let made = self.space.walk(|id, _| {
            let part = self.subdomain(id);
            part.only(self.domain(id)).or_else(|| choose(id, part)).ok_or(Conflict)
        });
        made.ok()
    }
}
