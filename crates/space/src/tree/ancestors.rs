//! Lowest common ancestors in a number of steps logarithmic in the depth.
//!
//! Besides its parent, every node has a second pointer upwards, over distances that follow the skew
//! binary numbers [Myers 1983]: a chain of a thousand decisions takes about twenty steps.
use super::Node;

/// Parents, far ancestors and depths of all nodes.
pub(super) struct Ancestors {
    parent: Vec<usize>,
    far: Vec<usize>,
    depth: Vec<usize>,
}

impl Ancestors {
    /// Parents come before children; the root is its own parent.
    pub(super) fn of(nodes: &[Node]) -> Self {
        let mut found = Self { parent: Vec::new(), far: Vec::new(), depth: Vec::new() };
        for node in nodes {
            let up = node.parent.unwrap_or(0);
            found.depth.push(node.depth);
            let above = found.far.get(up).copied().unwrap_or(0);
            let beyond = found.far.get(above).copied().unwrap_or(0);
            let even = found.depth[up] + found.depth[beyond] == 2 * found.depth[above];
            found.far.push(if even { beyond } else { up });
            found.parent.push(up);
        }
        found
    }

    /// The lowest common ancestor of two nodes.
    pub(super) fn common_ancestor(&self, a: usize, b: usize) -> usize {
        let depth = self.depth[a].min(self.depth[b]);
        let (mut a, mut b) = (self.at_depth(a, depth), self.at_depth(b, depth));
        while a != b {
            // Nodes of equal depth have far ancestors of equal depth.
            (a, b) = if self.far[a] == self.far[b] {
                (self.parent[a], self.parent[b])
            } else {
                (self.far[a], self.far[b])
            };
        }
        a
    }

    fn at_depth(&self, mut node: usize, depth: usize) -> usize {
        while self.depth[node] > depth {
            let far = self.far[node];
            node = if self.depth[far] >= depth { far } else { self.parent[node] };
        }
        node
    }
}
