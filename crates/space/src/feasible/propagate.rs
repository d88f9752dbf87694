//! Constraint propagation: from subdomains to activity, and from clauses to subdomains, until
//! nothing changes.
//!
//! A clause with a false literal cannot be violated any more. If all its literals are true, it is
//! violated: a conflict. If exactly one literal is not certainly true, it must be false, and its
//! parameters are narrowed by its negation. A literal is also false if one of its parameters is
//! inactive. So only a parameter whose inactivity is the only alternative is narrowed; if nothing
//! is left of it, its condition must not hold, and that is propagated to the deciders.
use super::hull;
use super::state::{Conflict, State};
use crate::condition::Condition;
use crate::constraint::Literal;
use crate::domain::Domain;
use crate::id::ParamId;
use crate::subdomain::{Subdomain, Truth};

/// Rounds of narrowing before slow convergence is left to the search; decided values are always
/// propagated.
const EFFORT: usize = 4096;

/// A continuous interval that shrinks by less than this share is not propagated.
const MATERIAL: f64 = 0.01;

impl State<'_> {
    /// Propagates everything from scratch.
    pub(crate) fn propagate_all(&mut self) -> Result<(), Conflict> {
        for id in self.space.ids() {
            self.update_activity(id)?;
        }
        for clause in 0..self.clauses.len() {
            self.revise(clause)?;
        }
        self.settle()
    }

    /// Narrows one parameter and propagates. After a conflict, the caller must return to a mark.
    pub(crate) fn assume(&mut self, id: ParamId, part: &Subdomain) -> Result<(), Conflict> {
        self.narrow(id, part)?;
        self.settle()
    }

    fn settle(&mut self) -> Result<(), Conflict> {
        self.effort = 0;
        loop {
            while let Some((id, with_clauses)) = self.changed.pop_front() {
                self.update_dependents(id, with_clauses)?;
            }
            if self.is_spent() {
                return Err(Conflict);
            }
            let Some(clause) = self.waiting.pop_front() else { return Ok(()) };
            self.is_waiting[clause] = false;
            self.revise(clause)?;
        }
    }

    /// Updates everything that depends on a changed parameter.
    fn update_dependents(&mut self, id: ParamId, with_clauses: bool) -> Result<(), Conflict> {
        if self.subdomain(id).is_empty() {
            self.update_activity(id)?;
        }
        for &dependent in self.space.dependents(id) {
            self.update_activity(dependent)?;
        }
        for &clause in self.clauses_of[id.index()].iter().filter(|_| with_clauses) {
            if !std::mem::replace(&mut self.is_waiting[clause], true) {
                self.waiting.push_back(clause);
            }
        }
        Ok(())
    }

    /// Updates the activity of a parameter.
    fn update_activity(&mut self, id: ParamId) -> Result<(), Conflict> {
        let when = self.space.parameter(id).when();
        let truth = self.condition(when);
        if truth != self.activity(id) {
            self.replace_activity(id, truth);
            self.changed.push_back((id, true));
        }
        let must_not = self.subdomain(id).is_empty();
        match truth {
            Truth::True if must_not => Err(Conflict),
            Truth::False if self.is_wanted(id) => Err(Conflict),
            Truth::Unknown if must_not => self.make_false(when),
            _ => Ok(()),
        }
    }

    /// Makes a condition false.
    fn make_false(&mut self, when: &Condition) -> Result<(), Conflict> {
        match when {
            Condition::Always => Err(Conflict),
            Condition::Is(decider, test) => {
                let left = self.subdomain(*decider).passing(self.domain(*decider), &test.negated());
                self.narrow(*decider, &left)
            }
            Condition::Any(parts) => parts.iter().try_for_each(|part| self.make_false(part)),
            Condition::All(parts) => {
                let mut open = parts.iter().filter(|p| self.condition(p) != Truth::True);
                match (open.next(), open.next()) {
                    (None, _) => Err(Conflict),
                    (Some(only), None) => self.make_false(only),
                    _ => Ok(()),
                }
            }
        }
    }

    fn revise(&mut self, clause: usize) -> Result<(), Conflict> {
        let mut open = None;
        for literal in &self.clauses[clause].literals {
            match self.literal(literal) {
                Truth::False => return Ok(()),
                Truth::Unknown if open.is_some() => return Ok(()),
                Truth::Unknown => open = Some(literal),
                Truth::True => {}
            }
        }
        open.map_or(Err(Conflict), |literal| self.falsify(literal))
    }

    /// Makes a literal false.
    fn falsify(&mut self, literal: &Literal) -> Result<(), Conflict> {
        self.spend(literal.size());
        let Ok(uncertain) = self.uncertain(literal) else { return Ok(()) };
        if let (Some(id), Truth::True) = (uncertain, self.value_of(literal)) {
            let nothing = self.subdomain(id).nothing();
            return self.narrow(id, &nothing);
        }
        let mut narrowed: Vec<(ParamId, Subdomain)> = Vec::new();
        match literal {
            Literal::Is(id, test) => {
                narrowed.push((*id, self.subdomain(*id).passing(self.domain(*id), &test.negated())));
            }
            Literal::Same(a, b, same) => {
                narrowed.push((*a, self.compatible_alternatives(*a, *b, !same)));
                narrowed.push((*b, self.compatible_alternatives(*b, *a, !same)));
            }
            Literal::Compare(a, op, b) => {
                let mut found = Vec::new();
                hull::narrow(a, op.negated(), b, &|id| self.range(id), &mut found);
                narrowed.extend(found.into_iter().map(|(id, range)| {
                    (id, self.subdomain(id).between(self.domain(id), range.low, range.high))
                }));
            }
        }
        for (id, part) in narrowed {
            if uncertain.is_none_or(|only| only == id) {
                self.narrow(id, &part)?;
            }
        }
        Ok(())
    }

    /// The only parameter of a literal that may be inactive, if any; `Err` if there are several.
    fn uncertain(&self, literal: &Literal) -> Result<Option<ParamId>, ()> {
        let mut found = None;
        for id in literal.parameters() {
            if self.activity(id) == Truth::Unknown && found != Some(id) {
                if found.is_some() {
                    return Err(());
                }
                found = Some(id);
            }
        }
        Ok(found)
    }

    /// The alternatives of `of` that can equal (or differ from) the value of `other`.
    fn compatible_alternatives(&self, of: ParamId, other: ParamId, same: bool) -> Subdomain {
        let mut left = self.subdomain(of).nothing();
        if let Subdomain::Labels(marks) = &mut left {
            let others = self.alternatives(other).count();
            for (i, value) in self.alternatives(of) {
                let meets = self.can_mean(other, value);
                marks[i] = if same { meets } else { others > usize::from(meets) };
            }
        }
        left
    }

    /// Replaces the subdomain of a parameter by a smaller one.
    fn narrow(&mut self, id: ParamId, to: &Subdomain) -> Result<(), Conflict> {
        let to = meet(self.subdomain(id), to);
        if *self.subdomain(id) == to || self.activity(id) == Truth::False {
            return Ok(());
        }
        if to.is_empty() && self.activity(id) == Truth::True {
            return Err(Conflict);
        }
        let decided = to.is_empty() || to.is_single();
        let worth_it = self.effort < EFFORT && is_material(self.domain(id), self.subdomain(id), &to);
        self.effort += 1;
        self.replace_subdomain(id, to);
        self.changed.push_back((id, decided || worth_it));
        Ok(())
    }
}

/// One clause may narrow a parameter several times, each time starting from the same subdomain.
fn meet(one: &Subdomain, other: &Subdomain) -> Subdomain {
    match (one, other) {
        (Subdomain::Numbers(a, b), Subdomain::Numbers(c, d)) => {
            let (low, high) = (a.max(*c), b.min(*d));
            if low <= high { Subdomain::Numbers(low, high) } else { one.nothing() }
        }
        (Subdomain::Labels(a), Subdomain::Labels(b)) => {
            Subdomain::Labels(a.iter().zip(b).map(|(a, b)| *a && *b).collect())
        }
        _ => one.nothing(),
    }
}

fn is_material(domain: &Domain, from: &Subdomain, to: &Subdomain) -> bool {
    match (domain, from, to) {
        (Domain::Real(_), Subdomain::Numbers(a, b), Subdomain::Numbers(c, d)) => {
            d - c <= (b - a) * (1.0 - MATERIAL)
        }
        _ => true,
    }
}
