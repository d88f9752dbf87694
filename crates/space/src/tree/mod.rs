//! The tree of decisions: every branch of a space as a leaf, every decision on the way as a node.
//!
//! Leaves are the attainable branches; the path to a leaf lists its active deciders with the class of values taken,
//! labels one by one and numbers by the outcome of every test on them. A parameter that exists on several leaves is
//! shared and belongs to the deepest node that all their paths run through; one that exists on a single leaf is
//! private to it  [Jenatton et al. 2017, §3]. Cost: leaves times depth, hence a limit: deciders that stand side by
//! side multiply. Constraints are not looked at; retired alternatives have no leaf. `outline` is the same for people,
//! where nothing multiplies.
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

/// A decision: which class of values a decider has.
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

    /// The class as branch keys know it.
    pub fn class(&self) -> u64 {
        self.class
    }

    /// For people: `model = svm`, `0.1 < x <= 0.5`.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// A point on the way from the root to a leaf.
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
    /// The node before; none at the root.
    pub fn parent(&self) -> Option<usize> {
        self.parent
    }

    /// The decision that leads here; none at the root.
    pub fn decision(&self) -> Option<&Decision> {
        self.decision.as_ref()
    }

    /// The nodes after; none at a leaf.
    pub fn children(&self) -> &[usize] {
        &self.children
    }

    /// Parameters of several leaves whose paths part below this node or further down.
    pub fn shared(&self) -> &[ParamId] {
        &self.shared
    }

    /// The leaf that ends here, if it is one.
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

    /// Where it hangs in the tree.
    pub fn node(&self) -> usize {
        self.node
    }

    /// All active parameters, deciders included.
    pub fn active(&self) -> &[ParamId] {
        &self.active
    }

    /// Active parameters that no other leaf has; deciders of labels are left out, the path fixes their value.
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
