//! A space as a tree: each decision a branch, below it the parameters that belong there, with what they may be.
use super::{short, value};
use arbora_space::{Domain, ParamId, Role, Space, Tree, Value};
use std::fmt::Write;

/// The tree as text.
pub(crate) fn tree(space: &Space, tree: &Tree) -> String {
    let mut text = String::new();
    below(space, tree, 0, "", &mut text);
    text
}

fn below(space: &Space, tree: &Tree, at: usize, indent: &str, text: &mut String) {
    let node = &tree.nodes()[at];
    let private = node.leaf().map_or(&[][..], |leaf| tree.leaves()[leaf].private());
    let mut here: Vec<ParamId> = node.shared().iter().chain(private).copied().collect();
    here.sort_unstable();
    here.retain(|id| !matches!(space.parameter(*id).role(), Role::Switch { .. }));
    let bar = if node.children().is_empty() { "  " } else { "│ " };
    let longest = here.iter().map(|id| space.parameter(*id).name().chars().count()).max().unwrap_or(0);
    for id in here {
        let name = space.parameter(id).name();
        let when = if is_everywhere(tree, at, id) { String::new() } else { condition(space, name) };
        writeln!(text, "{indent}{bar}{name:longest$}  {}{when}", domain(space, id))
            .expect("a string can be written");
    }
    for (i, child) in node.children().iter().enumerate() {
        let last = i + 1 == node.children().len();
        let decision = tree.nodes()[*child].decision().map_or("", |decision| decision.text());
        writeln!(text, "{indent}{}{decision}", if last { "└─ " } else { "├─ " })
            .expect("a string can be written");
        let deeper = format!("{indent}{}", if last { "   " } else { "│  " });
        below(space, tree, *child, &deeper, text);
    }
}

/// Is a parameter active on every branch below a node?
fn is_everywhere(tree: &Tree, node: usize, id: ParamId) -> bool {
    let is_below =
        |at: usize| std::iter::successors(Some(at), |at| tree.nodes()[*at].parent()).any(|at| at == node);
    tree.leaves().iter().filter(|leaf| is_below(leaf.node())).all(|leaf| leaf.active().contains(&id))
}

/// When a parameter is active, in words.
fn condition(space: &Space, name: &str) -> String {
    let declared = space.spec().parameters.iter().find(|declared| declared.name == name);
    let conditions =
        declared.map(|declared| declared.when.iter().map(ToString::to_string).collect::<Vec<_>>());
    match conditions.unwrap_or_default().join(" and ") {
        always if always.is_empty() => always,
        condition => format!("  when {condition}"),
    }
}

/// What a parameter may be: `1e-5 … 1e5, log`, `linear | rbf`.
pub(crate) fn domain(space: &Space, id: ParamId) -> String {
    let parameter = space.parameter(id);
    let (range, is_log) = match parameter.domain() {
        Domain::Real(real) => (span(&real.low().into(), &real.high().into()), real.is_log()),
        Domain::Lattice(lattice) => {
            let step = lattice.step();
            let by = if step == 1.0 { String::new() } else { format!(" by {}", short(step)) };
            (span(&lattice.value(0), &lattice.value(lattice.count() - 1)) + &by, lattice.is_log())
        }
        Domain::Labels(labels) => {
            let shown: Vec<String> = labels.offered().map(|i| value(labels.value(i))).collect();
            (shown.join(if labels.is_ordered() { " < " } else { " | " }), false)
        }
    };
    let log = if is_log { ", log" } else { "" };
    let none = if matches!(parameter.role(), Role::Number { .. }) { ", or none" } else { "" };
    format!("{range}{log}{none}")
}

fn span(low: &Value, high: &Value) -> String {
    format!("{} … {}", value(low), value(high))
}
