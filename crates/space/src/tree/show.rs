//! A tree as indented text: a line per decision, below it the parameters that belong there, then what follows.
use super::Tree;
use crate::id::ParamId;
use std::fmt::{Display, Formatter, Result, Write};

impl Display for Tree {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let mut open = vec![0];
        while let Some(at) = open.pop() {
            let node = &self.nodes[at];
            if let Some(decision) = &node.decision {
                line(f, node.depth - 1, [decision.text()])?;
            }
            let private = node.leaf.map_or(&[][..], |leaf| &self.leaves[leaf].private);
            let mut here: Vec<ParamId> = node.shared.iter().chain(private).copied().collect();
            here.sort_unstable();
            if !here.is_empty() {
                line(f, node.depth, here.iter().map(|id| self.names[id.index()].as_str()))?;
            }
            open.extend(node.children.iter().rev());
        }
        Ok(())
    }
}

fn line<'a>(f: &mut Formatter<'_>, depth: usize, words: impl IntoIterator<Item = &'a str>) -> Result {
    write!(f, "{:1$}", "", 2 * depth)?;
    for (i, word) in words.into_iter().enumerate() {
        write!(f, "{}{word}", if i > 0 { ", " } else { "" })?;
    }
    f.write_char('\n')
}
