//! Tree-structured Gaussian process: a process in every branch, coupled by weights of the decisions
//! they share.
//!
//! y = g_p(x) + zᵀc + ε,  c ~ N(0, diag s),  g_p ~ GP(m + b_p, σ_f²·k_θ),  ε ~ N(0, σ_n²)
//! [Jenatton et al. 2017, eq. 1]
//!
//! z has a one for the root and for every decision on the path but the last. Parameters of several
//! branches may become part of z, directly or as random Fourier features; they are then removed
//! from the processes inside branches. A branch without observations is predicted from related
//! branches, and whole branches can be compared before looking inside one.
//!
//! The offset b_p of a leaf distinguishes siblings. The paper fits it; here b_p ~ N(0, s_b) is
//! integrated out like c, so that an untried leaf is uncertain and not just average. Losses are
//! standardised; the mean m ~ N(0, ½²) is common to all branches, and leaves share amplitude, noise
//! and the length-scales of common parameters; the nodes of one decider share s, all leaves share
//! s_b, each ln s ~ N(ln 0.3, 1). A likelihood costs O(Σ n_p³ + n·d²), a prediction O(n_p² + d²),
//! where d counts nodes and leaves. If branches have nothing in common, the conditional kernel is
//! simpler and as good.
use super::Gp;
use super::features::{Features, Nodes};
use crate::component::Component;
use crate::error::SpecError;
use crate::hyper_spec::HyperSpec;
use crate::infer::InferenceSpec;
use crate::kernel::{Conditional, KernelContext, KernelScope, KernelSpec, kept, plain};
use crate::prior::HyperPrior;
use crate::surrogate::{Surrogate, SurrogateContext};
use crate::workers::Workers;
use arbora_space::Layout;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Standard deviation of the common mean, on losses of standard deviation one.
const MEAN_SPREAD: f64 = 0.5;

/// A tree-structured Gaussian process: `{ kind = "tree_gp", nodes = "linear" }`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TreeGpSpec {
    /// The kernel inside a branch.
    pub inner: KernelSpec,
    /// How parameters that exist in several branches enter the model.
    pub nodes: Nodes,
    /// Does every leaf have its own offset b_p? Without offsets, siblings look the same until their
    /// points are compared.
    pub offsets: bool,
    /// How θ is sampled or estimated.
    pub infer: InferenceSpec,
    /// Each length-scale of the kernel, on the unit cube.
    pub length: HyperSpec,
    /// Standard deviation inside a branch, on losses of standard deviation one.
    pub amplitude: HyperSpec,
    /// Standard deviation of the noise, on losses of standard deviation one.
    pub noise: HyperSpec,
}

impl Default for TreeGpSpec {
    fn default() -> Self {
        Self {
            inner: plain(),
            nodes: Nodes::default(),
            offsets: true,
            infer: InferenceSpec::default(),
            length: HyperSpec::length(),
            amplitude: HyperSpec::amplitude(),
            noise: HyperSpec::noise(),
        }
    }
}

impl Component<dyn Surrogate> for TreeGpSpec {
    const KIND: &'static str = "tree_gp";

    fn build(&self, context: SurrogateContext<'_>) -> Result<Box<dyn Surrogate>, SpecError> {
        Ok(Box::new(TreeGpSpec::build(self, context.layout, context.workers)?))
    }
}

impl TreeGpSpec {
    /// The surrogate for points of this layout.
    pub fn build(&self, layout: &Layout, workers: &Workers) -> Result<Gp, SpecError> {
        self.length.check("length")?;
        self.amplitude.check("amplitude")?;
        self.noise.check("noise")?;
        if let Nodes::Fourier { waves, length } = self.nodes
            && (waves == 0 || !(length > 0.0 && length.is_finite()))
        {
            return Err(SpecError::NoWaves { waves, length });
        }
        let own = kept(layout, |column| !Features::takes(layout, self.nodes, column));
        let whole = KernelContext::new(layout, &self.length);
        let inner = self.inner.build(whole.inside(Self::KIND, &own, KernelScope::InsideBranch))?;
        Ok(Gp {
            kernel: Arc::new(Conditional::new(inner)),
            features: Arc::new(Features::new(layout, self.nodes, self.offsets)),
            inference: self.infer.build(())?,
            mean: HyperPrior::Normal { mean: 0.0, sd: MEAN_SPREAD },
            amplitude: self.amplitude.clone(),
            noise: self.noise.clone(),
            rows: None,
            width: layout.width(),
            workers: workers.clone(),
        })
    }
}
