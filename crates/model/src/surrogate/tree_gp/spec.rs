//! A tree-structured Gaussian process as data.
use super::{Features, Nodes, TreeGp};
use crate::belief::Belief;
use crate::component::Component;
use crate::error::SpecError;
use crate::infer::InferenceSpec;
use crate::kernel::{Conditional, KernelContext, KernelSpec, Scope, kept, plain};
use crate::surrogate::{Surrogate, SurrogateContext};
use crate::workers::Workers;
use arbora_space::Layout;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A tree-structured Gaussian process: `{ kind = "tree_gp", nodes = "linear" }`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TreeGpSpec {
    /// How points of one branch are compared.
    pub inner: KernelSpec,
    /// How parameters of several branches act.
    pub nodes: Nodes,
    /// Has every leaf an offset b_p of its own? Without, siblings cannot be told apart before looking inside.
    pub offsets: bool,
    /// How θ is chosen.
    pub infer: InferenceSpec,
    /// Each length-scale of the kernel, on the unit cube.
    pub length: Belief,
    /// Standard deviation inside a branch, on losses of standard deviation one.
    pub amplitude: Belief,
    /// Standard deviation of the noise, on losses of standard deviation one.
    pub noise: Belief,
}

impl Default for TreeGpSpec {
    fn default() -> Self {
        Self {
            inner: plain(),
            nodes: Nodes::default(),
            offsets: true,
            infer: InferenceSpec::default(),
            length: Belief::length(),
            amplitude: Belief::amplitude(),
            noise: Belief::noise(),
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
    /// The working recipe for points of this layout.
    pub fn build(&self, layout: &Layout, workers: &Workers) -> Result<TreeGp, SpecError> {
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
        let inner = self.inner.build(whole.inside(Self::KIND, &own, Scope::InsideBranch))?;
        Ok(TreeGp {
            kernel: Arc::new(Conditional::new(inner)),
            features: Arc::new(Features::new(layout, self.nodes, self.offsets)),
            inference: self.infer.build(())?,
            amplitude: self.amplitude.clone(),
            noise: self.noise.clone(),
            width: layout.width(),
            workers: workers.clone(),
        })
    }
}
