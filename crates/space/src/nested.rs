//! Trees of any depth without recursion: walked, copied, compared and dropped in a loop, so that a
//! tree nested a million levels deep does not overflow the stack.

/// A tree whose children have the same type.
pub(crate) trait Nested: Sized {
    /// Visits every child, from left to right.
    fn each_part<'a>(&'a self, see: &mut dyn FnMut(&'a Self));

    /// Moves out every child that has children itself.
    fn take_parts(&mut self, into: &mut Vec<Self>);

    /// The same node with other children, equally many.
    fn with_parts(&self, parts: Vec<Self>) -> Self;

    /// Are two nodes equal apart from their children?
    fn is_same_node(&self, other: &Self) -> bool;
}

/// All nodes of a tree, each before its children, children from left to right.
pub(crate) fn nodes<T: Nested>(root: &T) -> impl Iterator<Item = &T> {
    let mut open = vec![root];
    std::iter::from_fn(move || {
        let next = open.pop()?;
        let first = open.len();
        next.each_part(&mut |part| open.push(part));
        open[first..].reverse();
        Some(next)
    })
}

/// The tree with every node rebuilt from itself and its new children.
pub(crate) fn rebuilt<T: Nested>(root: &T, make: impl Fn(&T, Vec<T>) -> T) -> T {
    let mut order: Vec<&T> = nodes(root).collect();
    let mut done: Vec<T> = Vec::new();
    while let Some(node) = order.pop() {
        let mut parts = done.split_off(done.len() - count(node));
        parts.reverse();
        done.push(make(node, parts));
    }
    done.pop().expect("a tree has a root")
}

/// Are two trees equal?
pub(crate) fn is_same<T: Nested>(a: &T, b: &T) -> bool {
    // The nodes in this order, with their numbers of children, determine the tree.
    let (mut left, mut right) = (nodes(a), nodes(b));
    loop {
        match (left.next(), right.next()) {
            (Some(a), Some(b)) if count(a) == count(b) && a.is_same_node(b) => {}
            (None, None) => return true,
            _ => return false,
        }
    }
}

/// Drops everything below a node.
pub(crate) fn dismantle<T: Nested>(root: &mut T) {
    let mut open = Vec::new();
    root.take_parts(&mut open);
    while let Some(mut next) = open.pop() {
        next.take_parts(&mut open);
    }
}

fn count<T: Nested>(node: &T) -> usize {
    let mut parts = 0;
    node.each_part(&mut |_| parts += 1);
    parts
}
