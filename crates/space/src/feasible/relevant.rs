//! Which parameters the constraints are about, in independent groups.
//!
//! A parameter is relevant if a clause mentions it, or if a relevant parameter depends on it,
//! directly or indirectly. Two parameters are in one group if a clause mentions both, or if one
//! depends on the other. All other parameters are sampled freely, and a dead end in one group does
//! not affect another.
use crate::constraint::Clause;
use crate::id::ParamId;
use crate::space::Space;

/// Disjoint sets with path halving.
pub(crate) struct Groups(Vec<usize>);

impl Groups {
    /// Every member in a group of its own.
    pub(crate) fn new(width: usize) -> Self {
        Groups((0..width).collect())
    }

    /// The representative of a member's group.
    pub(crate) fn root(&mut self, mut member: usize) -> usize {
        while self.0[member] != member {
            self.0[member] = self.0[self.0[member]];
            member = self.0[member];
        }
        member
    }

    /// Merges two groups.
    pub(crate) fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }

    /// The groups of some members, each in the given order.
    pub(crate) fn among<T: Copy>(&mut self, members: &[T], index: impl Fn(T) -> usize) -> Vec<Vec<T>> {
        let mut place = std::collections::BTreeMap::new();
        let mut found: Vec<Vec<T>> = Vec::new();
        for &member in members {
            let at = *place.entry(self.root(index(member))).or_insert_with(|| {
                found.push(Vec::new());
                found.len() - 1
            });
            found[at].push(member);
        }
        found
    }
}

/// The parameters that are wanted or relevant to the clauses, in groups; parents first in each.
pub(super) fn relevant(space: &Space, clauses: &[Clause], wanted: &[ParamId]) -> Vec<Vec<ParamId>> {
    let mut matters = vec![false; space.parameters().len()];
    let mut groups = Groups::new(matters.len());
    let mut open: Vec<ParamId> = wanted.to_vec();
    for clause in clauses {
        let mentioned = clause.parameters();
        mentioned.windows(2).for_each(|pair| groups.join(pair[0].index(), pair[1].index()));
        open.extend(mentioned);
    }
    while let Some(id) = open.pop() {
        if !std::mem::replace(&mut matters[id.index()], true) {
            for (decider, _) in space.parameter(id).when().tests() {
                groups.join(id.index(), decider.index());
                open.push(decider);
            }
        }
    }
    let members: Vec<ParamId> = space.ids().filter(|id| matters[id.index()]).collect();
    groups.among(&members, ParamId::index)
}
