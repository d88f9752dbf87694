//! Additive hierarchical kernel: one term per condition, between points in which its columns are
//! active.
//!
//! k(a, b) = Σ_g w_g·1[g active in a and in b]·k_g(a_g, b_g)
//!
//! A group g holds the columns that are active under one condition. Unconditional columns,
//! including top-level decisions, form the first group. So branches share information through their
//! common parameters and differ by the terms of their own. A path's terms are added, not
//! multiplied, so each can be learnt from few points; with dimension-scaled length-scales this
//! works well in high dimensions. If a common and a conditional parameter interact strongly, the
//! loss is not a sum: use `conditional`. O(n²·d) per matrix.
use super::{Additive, Inner, SharedPath, Term, kept};
use crate::component::Component;
use crate::error::SpecError;
use crate::kernel::{Kernel, KernelContext, KernelScope, KernelSpec, plain};
use arbora_space::Layout;
use serde::{Deserialize, Serialize};

/// A sum over the conditions under which columns are active, as data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AdditiveSpec {
    /// How the columns of one condition are compared.
    pub inner: KernelSpec,
}

impl Default for AdditiveSpec {
    fn default() -> Self {
        Self { inner: plain() }
    }
}

impl Component<dyn Kernel> for AdditiveSpec {
    const KIND: &'static str = "additive";

    fn build(&self, context: KernelContext<'_>) -> Result<Box<dyn Kernel>, SpecError> {
        context.expect_alone()?;
        let inner =
            |layout: &Layout, scope: KernelScope| self.inner.build(context.inside(Self::KIND, layout, scope));
        Ok(Box::new(hierarchical(context.layout, &inner)?))
    }
}

/// The kernel for a layout; `inner` compares every group.
fn hierarchical<E>(layout: &Layout, inner: Inner<'_, E>) -> Result<Additive, E> {
    Ok(Additive::new(groups(layout, inner, |_| true)?))
}

/// One term per group that has columns to compare. The first group always has one, even if only a
/// constant.
pub(super) fn groups<E>(
    layout: &Layout,
    inner: Inner<'_, E>,
    is_compared: impl Fn(usize) -> bool,
) -> Result<Vec<Term>, E> {
    let group = |column: usize| layout.columns[column].place.group;
    let last = (0..layout.width()).map(group).max().unwrap_or(0);
    let mut terms = Vec::new();
    for g in 0..=last {
        let only = kept(layout, |column| group(column) == g && is_compared(column));
        let lead = only.varying().next();
        let (shared, name) = match (g, lead) {
            (0, _) => (SharedPath::Everywhere, "root"),
            (_, Some(lead)) => (SharedPath::Column(lead), layout.columns[lead].name.as_str()),
            (_, None) => continue,
        };
        let kernel = inner(&only, KernelScope::Everywhere)?;
        terms.push(Term { shared, weight: Some(format!("share:{name}")), kernel });
    }
    Ok(terms)
}
