//! Marginal kernel: the prior of the tree model with its weights integrated out.
//!
//! k(a, b) = zₐᵀ Σ_c z_b + 1[same branch]·k_leaf(a, b)  [Jenatton et al. 2017, eq. 4]
//!
//! z marks the inner nodes on the path: the root and every decision but the last. With Σ_c
//! diagonal, the first term is a sum over the nodes that two paths share; the nodes of one decider
//! share their variance. Offsets add a constant inside every branch. Parameters of several branches
//! are compared inside a branch, or become part of z and act linearly wherever they are active. A
//! process with this kernel has the same posterior as the tree model at the same θ, but costs O(n³)
//! instead of O(Σ n_p³). Use it for the joint search over all branches, or to check the tree model.
use super::linear::Linear;
use super::{Additive, DecisionNode, Inner, SharedPath, Term, kept};
use crate::component::Component;
use crate::error::SpecError;
use crate::kernel::{Kernel, KernelContext, KernelScope, KernelSpec, plain};
use arbora_space::{ColumnKind, Layout};
use serde::{Deserialize, Serialize};

/// Name of the variance of the leaves' offsets, the same as in the tree model.
pub(crate) const OFFSET: &str = "offset";

/// How parameters that exist in several branches enter the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shared {
    /// Within each branch separately, like its own parameters.
    #[default]
    Inside,
    /// Linearly, with the same slope in all branches.
    Linear,
}

/// The prior of the tree model, as data: weights of inner nodes, and a separate process in every
/// branch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MarginalSpec {
    /// How points of one branch are compared.
    pub inner: KernelSpec,
    /// How parameters that exist in several branches enter the model.
    pub shared: Shared,
    /// Does every branch also have its own offset?
    pub offsets: bool,
}

impl Default for MarginalSpec {
    fn default() -> Self {
        Self { inner: plain(), shared: Shared::default(), offsets: false }
    }
}

impl Component<dyn Kernel> for MarginalSpec {
    const KIND: &'static str = "marginal";

    fn build(&self, context: KernelContext<'_>) -> Result<Box<dyn Kernel>, SpecError> {
        context.expect_alone()?;
        let inner =
            |layout: &Layout, scope: KernelScope| self.inner.build(context.inside(Self::KIND, layout, scope));
        Ok(Box::new(marginal(context.layout, self.shared, self.offsets, &inner)?))
    }
}

/// The kernel for a layout; `inner` compares points of one branch.
fn marginal<E>(
    layout: &Layout,
    shared: Shared,
    has_offsets: bool,
    inner: Inner<'_, E>,
) -> Result<Additive, E> {
    let mut terms = nodes(layout, has_offsets, &|layout| inner(layout, KernelScope::Everywhere))?;
    let is_linear = |column: usize| shared == Shared::Linear && is_shared(layout, column);
    for column in layout.varying().filter(|&column| is_linear(column)) {
        let weight = Some(format!("slope:{}", layout.columns[column].name));
        let kernel = Box::new(Linear::new(layout, column));
        terms.push(Term { shared: SharedPath::Column(column), weight, kernel });
    }
    let own = kept(layout, |column| !is_linear(column));
    let kernel = inner(&own, KernelScope::InsideBranch)?;
    terms.push(Term { shared: SharedPath::Branch, weight: None, kernel });
    Ok(Additive::new(terms))
}

/// Builds the kernel of a node over the given columns.
type Constant<'a, E> = &'a dyn Fn(&Layout) -> Result<Box<dyn Kernel>, E>;

/// A constant at the root and at every decision but the last; with offsets, also at the leaves.
fn nodes<E>(layout: &Layout, has_offsets: bool, constant: Constant<'_, E>) -> Result<Vec<Term>, E> {
    let nothing = kept(layout, |_| false);
    let root = Term {
        shared: SharedPath::Everywhere,
        weight: Some("node:root".into()),
        kernel: constant(&nothing)?,
    };
    let mut terms = vec![root];
    for decision in DecisionNode::all(layout) {
        let weight = Some(format!("node:{}", layout.columns[decision.decider()].name));
        let kernel = constant(&nothing)?;
        terms.push(Term { shared: SharedPath::InnerDecision(decision), weight, kernel });
    }
    if has_offsets && terms.len() > 1 {
        let kernel = constant(&nothing)?;
        terms.push(Term { shared: SharedPath::Branch, weight: Some(OFFSET.into()), kernel });
    }
    Ok(terms)
}

/// Does this column exist in several branches? Deciders do not count: they are the path itself.
pub(crate) fn is_shared(layout: &Layout, column: usize) -> bool {
    let column = &layout.columns[column];
    let is_path = column.is_decider && matches!(column.kind, ColumnKind::Categories(_));
    column.place.is_shared && !is_path
}
