//! Builds the tree: depth-first over the deciders; each active one splits the path by its classes.
use super::ancestors::Ancestors;
use super::classes::{Class, classes};
use super::{Decision, Leaf, Node, Tree};
use crate::branch::BranchKey;
use crate::configuration::Configuration;
use crate::domain::Domain;
use crate::error::SpaceError;
use crate::id::ParamId;
use crate::space::Space;
use std::convert::Infallible;

/// More branches than a model with one node per branch could use.
const LEAVES: usize = 100_000;

impl Space {
    /// The decision tree, with at most 100,000 leaves.
    pub fn tree(&self) -> Result<Tree, SpaceError> {
        self.tree_of(LEAVES)
    }

    /// The decision tree, with at most this many leaves.
    pub fn tree_of(&self, leaves_at_most: usize) -> Result<Tree, SpaceError> {
        let mut tree =
            Tree { nodes: vec![Node::new(None, None, 0)], leaves: Vec::new(), by_branch: Vec::new() };
        let too_many = || SpaceError::TooManyBranches { limit: leaves_at_most };
        let deciders = self.ids().filter(|id| self.is_decider(*id));
        let deciders: Vec<(ParamId, Vec<Class>)> =
            deciders.map(|id| Some((id, classes(self, id)?))).collect::<Option<_>>().ok_or_else(too_many)?;
        let mut open =
            vec![Tip { node: 0, taken: Configuration::default(), next: 0, branch: BranchKey::ROOT }];
        while let Some(tip) = open.pop() {
            let undecided = (tip.next..deciders.len()).find(|at| self.is_active(deciders[*at].0, &tip.taken));
            match undecided {
                Some(at) => tree.fork(&tip, &deciders[at].1, at + 1, &mut open),
                None if tree.leaves.len() == leaves_at_most => return Err(too_many()),
                None => tree.end(&tip, self),
            }
        }
        tree.attach(self);
        tree.by_branch = (0..tree.leaves.len()).collect();
        tree.by_branch.sort_by_key(|leaf| tree.leaves[*leaf].branch);
        Ok(tree)
    }
}

/// The end of an unfinished path.
struct Tip {
    node: usize,
    /// An example value for every decision.
    taken: Configuration,
    /// The next decider to consider.
    next: usize,
    branch: BranchKey,
}

impl Node {
    fn new(parent: Option<usize>, decision: Option<Decision>, depth: usize) -> Self {
        Self { parent, decision, depth, children: Vec::new(), shared: Vec::new(), leaf: None }
    }
}

impl Tree {
    fn fork(&mut self, tip: &Tip, classes: &[Class], next: usize, open: &mut Vec<Tip>) {
        // The stack returns the last one first.
        let first = open.len();
        for Class { decision, example } in classes {
            let node = self.nodes.len();
            self.nodes[tip.node].children.push(node);
            let depth = self.nodes[tip.node].depth + 1;
            self.nodes.push(Node::new(Some(tip.node), Some(decision.clone()), depth));
            let mut taken = tip.taken.clone();
            taken.push(decision.parameter, example.clone());
            let branch = tip.branch.then(decision.parameter.index(), decision.class);
            open.push(Tip { node, taken, next, branch });
        }
        open[first..].reverse();
    }

    fn end(&mut self, tip: &Tip, space: &Space) {
        let whole = space.walk(|id, _| {
            Ok::<_, Infallible>(tip.taken.get(id).unwrap_or_else(|| space.parameter(id).default()).clone())
        });
        let Ok(whole) = whole;
        let active = whole.iter().map(|(id, _)| id).collect();
        self.nodes[tip.node].leaf = Some(self.leaves.len());
        self.leaves.push(Leaf { branch: tip.branch, node: tip.node, active, private: Vec::new() });
    }

    /// Attaches every parameter that paths do not fix to its node.
    fn attach(&mut self, space: &Space) {
        let is_fixed =
            |id: ParamId| space.is_decider(id) && matches!(space.parameter(id).domain(), Domain::Labels(_));
        let ancestors = Ancestors::of(&self.nodes);
        let mut home: Vec<Option<(usize, Option<usize>)>> = vec![None; space.parameters().len()];
        for (at, leaf) in self.leaves.iter().enumerate() {
            for id in leaf.active.iter().filter(|id| !is_fixed(**id)) {
                let here = &mut home[id.index()];
                *here = Some(match *here {
                    None => (leaf.node, Some(at)),
                    Some((node, _)) => (ancestors.common_ancestor(node, leaf.node), None),
                });
            }
        }
        for (id, home) in space.ids().zip(home) {
            match home {
                Some((_, Some(leaf))) => self.leaves[leaf].private.push(id),
                Some((node, None)) => self.nodes[node].shared.push(id),
                None => {}
            }
        }
    }
}
