//! Add-Tree kernel: one term for every node of the tree of decisions, between points whose paths
//! share it.
//!
//! k(a, b) = Σ_v 1[v on both paths]·(w_v + w'_v·k_v(a_v, b_v)), root included  [Ma & Blaschko 2020]
//!
//! A node holds the columns that its decision activates. Its constant is what all points below it
//! have in common; where a decision activates nothing, there is only the constant. Categories of
//! deciders are compared through the path alone. The nodes of one decider share w_v, those of one
//! condition share w'_v. With constants only, this is the `marginal` kernel without its leaves. In
//! a space whose conditions do not form a tree, a group of columns is shared by the points that
//! have it. O(n²·d) per matrix. Not for losses in which parameters of different depths interact.
use super::hierarchical::groups;
use super::{Additive, DecisionNode, Inner, SharedPath, Term, kept};
use crate::component::Component;
use crate::error::SpecError;
use crate::kernel::{Kernel, KernelContext, KernelScope, KernelSpec, plain};
use arbora_space::{ColumnKind, Layout};
use serde::{Deserialize, Serialize};

/// A sum over the nodes of the tree of decisions, as data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AddTreeSpec {
    /// How the columns of one node are compared.
    pub inner: KernelSpec,
}

impl Default for AddTreeSpec {
    fn default() -> Self {
        Self { inner: plain() }
    }
}

impl Component<dyn Kernel> for AddTreeSpec {
    const KIND: &'static str = "add_tree";

    fn build(&self, context: KernelContext<'_>) -> Result<Box<dyn Kernel>, SpecError> {
        context.expect_alone()?;
        let inner =
            |layout: &Layout, scope: KernelScope| self.inner.build(context.inside(Self::KIND, layout, scope));
        Ok(Box::new(add_tree(context.layout, &inner)?))
    }
}

/// The kernel for a layout; `inner` compares the columns of every node.
fn add_tree<E>(layout: &Layout, inner: Inner<'_, E>) -> Result<Additive, E> {
    let decides = |column: usize| {
        let column = &layout.columns[column];
        column.is_decider && matches!(column.kind, ColumnKind::Categories(_))
    };
    let mut terms = groups(layout, inner, |column| !decides(column))?;
    let nothing = kept(layout, |_| false);
    for decision in DecisionNode::all(layout) {
        let name = &layout.columns[decision.decider()].name;
        let weight = Some(format!("decision:{name}"));
        let kernel = inner(&nothing, KernelScope::Everywhere)?;
        terms.push(Term { shared: SharedPath::Decision(decision), weight, kernel });
    }
    Ok(Additive::new(terms))
}
