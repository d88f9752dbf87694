//! Which parameters the constraints are about, in groups that do not touch each other.
//!
//! A parameter matters if a clause mentions it or if it decides, through others perhaps, about one that matters.
//! Two parameters are in one group if a clause mentions both or one decides about the other. Everything else is
//! drawn freely, and a dead end in one group says nothing about another.
use crate::constraint::Clause;
use crate::id::ParamId;
use crate::space::Space;

/// Disjoint sets with path halving.
pub(crate) struct Groups(Vec<usize>);

impl Groups {
    /// Everyone alone.
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

    /// Makes two groups one.
    pub(crate) fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }

    /// The groups of some members, each in the order given.
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

/// The parameters that matter to the clauses or are wanted, grouped; each group parents first.
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
