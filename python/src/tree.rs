//! The tree of decisions as plain Python data.
use arbora_space::{Branching, Named, Outline, OutlineKind, ParamId, Role, Space, Tree};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// One dict per node: `decision` in words, `parent`, `children`, the parameters that belong there, whether a leaf.
pub(crate) fn nodes<'py>(py: Python<'py>, space: &Space, tree: &Tree) -> PyResult<Bound<'py, PyList>> {
    let all = tree.nodes().iter().map(|node| {
        let private = node.leaf().map_or(&[][..], |leaf| tree.leaves()[leaf].private());
        let dict = PyDict::new(py);
        dict.set_item("decision", node.decision().map(arbora_space::Decision::text))?;
        dict.set_item("parent", node.parent())?;
        dict.set_item("children", node.children())?;
        dict.set_item("parameters", shown(space, node.shared().iter().chain(private)))?;
        dict.set_item("is_leaf", node.leaf().is_some())?;
        Ok(dict)
    });
    PyList::new(py, all.collect::<PyResult<Vec<_>>>()?)
}

/// The names as users know them: "none or a number" is one parameter.
fn shown<'a>(space: &'a Space, ids: impl Iterator<Item = &'a ParamId>) -> Vec<&'a str> {
    let mut ids: Vec<ParamId> = ids.copied().collect();
    ids.sort_unstable();
    let mut names: Vec<&str> = Vec::new();
    for id in ids {
        let name = match space.parameter(id).role() {
            Role::Switch { number } => space.parameter(number).name(),
            _ => space.parameter(id).name(),
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The node of the leaf on which a configuration lies; `None` if it is none of this space.
pub(crate) fn leaf(space: &Space, tree: &Tree, given: Named) -> Option<usize> {
    let configuration = space.canonical(given).ok()?;
    let leaf = tree.leaf_of(space.branch(&configuration, Branching::Literal))?;
    Some(tree.leaves()[leaf].node())
}

/// One dict per line of the outline: `parent`, the decision it stands below by its position; `decision` in words, or
/// `None` for a parameter; `parameter`, the name of what is decided or declared; `domain` of a parameter; `when`, a
/// condition that the place does not say.
pub(crate) fn lines<'py>(py: Python<'py>, space: &Space, outline: &Outline) -> PyResult<Bound<'py, PyList>> {
    let all = outline.items().iter().map(|item| {
        let dict = PyDict::new(py);
        dict.set_item("parent", item.parent)?;
        match &item.kind {
            OutlineKind::Parameter { name, domain, when, .. } => {
                dict.set_item("decision", py.None())?;
                dict.set_item("parameter", name)?;
                dict.set_item("domain", domain)?;
                dict.set_item("when", when)?;
            }
            OutlineKind::Decision { decision, when } => {
                dict.set_item("decision", decision.text())?;
                dict.set_item("parameter", shown(space, [decision.parameter()].iter())[0])?;
                dict.set_item("domain", py.None())?;
                dict.set_item("when", when)?;
            }
        }
        Ok(dict)
    });
    PyList::new(py, all.collect::<PyResult<Vec<_>>>()?)
}

/// The decisions of the outline that a configuration takes; none if it is none of this space.
pub(crate) fn taken(space: &Space, outline: &Outline, given: Named) -> Vec<usize> {
    space.canonical(given).map(|configuration| outline.taken(space, &configuration)).unwrap_or_default()
}
