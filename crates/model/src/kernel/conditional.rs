//! Conditional kernel: points are correlated only if they took the same decisions.
//!
//! k(a, b) = inner(a, b)·1[branch(a) = branch(b)]  [Lévesque et al. 2017, eq. 8]
//!
//! Positive semi-definite as the product of a kernel and the indicator of an equivalence. Its
//! matrices are block diagonal with one block per branch, so a likelihood costs Σ m³ instead of
//! (Σ m)³: independent processes that share amplitude, noise, mean and the length-scales of common
//! parameters. A branch learns nothing from other branches; if branches behave alike, use a kernel
//! that compares points across the whole space.
use super::{Component, Coupling, Kernel, KernelBatch, KernelContext, KernelScope, KernelSpec};
use crate::error::SpecError;
use crate::hyper::Hyper;
use arbora_space::{Point, Points};
use serde::{Deserialize, Serialize};

/// Zero covariance across branches, as data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConditionalSpec {
    /// The kernel inside a branch.
    pub inner: KernelSpec,
}

impl Component<dyn Kernel> for ConditionalSpec {
    const KIND: &'static str = "conditional";

    fn build(&self, context: KernelContext<'_>) -> Result<Box<dyn Kernel>, SpecError> {
        if context.outer == Some(Self::KIND) {
            return Err(SpecError::NestedConditional);
        }
        context.expect_alone()?;
        let inside = context.inside(Self::KIND, context.layout, KernelScope::InsideBranch);
        Ok(Box::new(Conditional::new(self.inner.build(inside)?)))
    }
}

pub(crate) struct Conditional {
    inner: Box<dyn Kernel>,
}

impl Conditional {
    /// Wraps a kernel whose scope is inside one branch.
    pub(crate) fn new(inner: Box<dyn Kernel>) -> Self {
        Self { inner }
    }
}

impl Kernel for Conditional {
    fn hypers(&self) -> &[Hyper] {
        self.inner.hypers()
    }

    fn cov(&self, theta: &[f64], a: Point<'_>, b: Point<'_>) -> f64 {
        if a.branch() == b.branch() { self.inner.cov(theta, a, b) } else { 0.0 }
    }

    fn is_definite(&self) -> bool {
        self.inner.is_definite()
    }

    fn coupling(&self) -> Coupling {
        Coupling::SameBranch
    }

    fn diagonal(&self, theta: &[f64], at: &Points, out: &mut [f64]) {
        self.inner.diagonal(theta, at, out);
    }

    fn batch(&self, rows: &Points) -> Box<dyn KernelBatch> {
        self.inner.batch(rows)
    }
}
