//! The decision tree: every branch of a space is a leaf, and every decision on the way is a node.
//!
//! Leaves are the attainable branches. The path to a leaf lists its active deciders with their
//! class of values: each label, and numbers by the results of all tests. A parameter of several
//! leaves is shared and belongs to the deepest node common to their paths; a parameter of a single
//! leaf is private to it [Jenatton et al. 2017, §3]. Cost: leaves times depth, hence a limit, since
//! independent deciders multiply. Constraints are ignored; retired alternatives have no leaf.
//! `outline` is the version for people, where nothing multiplies.
mod ancestors;
mod classes;
mod describe;
mod draw;
mod grow;
mod outline;
mod place;
mod represent;

pub use outline::{Outline, OutlineItem, OutlineKind};

use crate::branch::BranchKey;
use crate::id::ParamId;
use crate::subdomain::Subdomain;

/// A decision: a decider and a class of its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    parameter: ParamId,
    class: u64,
    text: String,
    /// The values of the class, disjoint and ascending.
    cells: Vec<Subdomain>,
}

impl Decision {
    /// The decider.
    pub fn parameter(&self) -> ParamId {
        self.parameter
    }

    /// The class, as in branch keys.
    pub fn class(&self) -> u64 {
        self.class
    }

    /// Text for people: `model = svm`, `0.1 < x <= 0.5`.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// A node on the way from the root to a leaf.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    parent: Option<usize>,
    decision: Option<Decision>,
    depth: usize,
    children: Vec<usize>,
    shared: Vec<ParamId>,
    leaf: Option<usize>,
}

impl Node {
    /// The parent; `None` for the root.
    pub fn parent(&self) -> Option<usize> {
        self.parent
    }

    /// The decision that leads here; `None` for the root.
    pub fn decision(&self) -> Option<&Decision> {
        self.decision.as_ref()
    }

    /// The children; empty for a leaf.
    pub fn children(&self) -> &[usize] {
        &self.children
    }

    /// Parameters of several leaves that have this node as their deepest common node.
    pub fn shared(&self) -> &[ParamId] {
        &self.shared
    }

    /// The leaf at this node, if there is one.
    pub fn leaf(&self) -> Option<usize> {
        self.leaf
    }
}

/// One branch of the space.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaf {
    branch: BranchKey,
    node: usize,
    active: Vec<ParamId>,
    private: Vec<ParamId>,
}

impl Leaf {
    /// Its key under [`Branching::Literal`](crate::Branching::Literal).
    pub fn branch(&self) -> BranchKey {
        self.branch
    }

    /// Its node in the tree.
    pub fn node(&self) -> usize {
        self.node
    }

    /// All active parameters, including deciders.
    pub fn active(&self) -> &[ParamId] {
        &self.active
    }

    /// Active parameters that no other leaf has, without categorical deciders, whose values the
    /// path fixes.
    pub fn private(&self) -> &[ParamId] {
        &self.private
    }
}

/// All branches of a space.
///
/// ```
/// use arbora_space::{Param, Space};
/// let space = Space::new([
///     Param::real("rate", 0.0, 1.0),
///     Param::choice("model", ["svm", "naive"]),
///     Param::real("C", 1e-5, 1e5).log().when("model == 'svm'"),
/// ])?;
/// let tree = space.tree()?;
/// let svm = &tree.leaves()[0];
/// assert_eq!(tree.path(svm.node())[0].text(), "model = svm");
/// assert_eq!(svm.private(), [space.id("C").expect("declared above")]);
/// # Ok::<(), arbora_space::SpaceError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    nodes: Vec<Node>,
    leaves: Vec<Leaf>,
    /// Leaves by ascending branch key.
    by_branch: Vec<usize>,
}

impl Tree {
    /// All nodes, the root first and parents before children.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// All leaves, from left to right.
    pub fn leaves(&self) -> &[Leaf] {
        &self.leaves
    }

    /// The position of a branch among the leaves.
    pub fn leaf_of(&self, branch: BranchKey) -> Option<usize> {
        let found = self.by_branch.binary_search_by_key(&branch, |leaf| self.leaves[*leaf].branch);
        found.ok().map(|at| self.by_branch[at])
    }

    /// The decisions from the root to a node.
    pub fn path(&self, node: usize) -> Vec<&Decision> {
        let up = std::iter::successors(Some(node), |at| self.nodes[*at].parent);
        let mut path: Vec<&Decision> = up.filter_map(|at| self.nodes[at].decision.as_ref()).collect();
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests;
