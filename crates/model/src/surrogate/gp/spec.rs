//! A Gaussian process as data.
use super::Gp;
use crate::component::Component;
use crate::error::SpecError;
use crate::hyper_spec::HyperSpec;
use crate::infer::InferenceSpec;
use crate::kernel::{ConditionalSpec, Coupling, KernelContext, KernelSpec};
use crate::prior::HyperPrior;
use crate::surrogate::{Surrogate, SurrogateContext};
use crate::workers::Workers;
use arbora_space::Layout;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A Gaussian process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GpSpec {
    /// The kernel.
    pub kernel: KernelSpec,
    /// How θ is sampled or estimated.
    pub infer: InferenceSpec,
    /// The priors of length-scales and noise.
    pub prior: LengthPrior,
    /// Each length-scale of the kernel, on the unit cube.
    pub length: HyperSpec,
    /// Standard deviation of the function, on losses of standard deviation one.
    pub amplitude: HyperSpec,
    /// Standard deviation of the noise, on losses of standard deviation one.
    pub noise: HyperSpec,
    /// Maximum rows of one factor; beyond that, a subset of the rows is used. A thousand by
    /// default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<usize>,
}

impl Default for GpSpec {
    fn default() -> Self {
        Self {
            kernel: KernelSpec::default(),
            infer: InferenceSpec::default(),
            prior: LengthPrior::default(),
            length: HyperSpec::length(),
            amplitude: HyperSpec::amplitude(),
            noise: HyperSpec::noise(),
            rows: None,
        }
    }
}

impl Component<dyn Surrogate> for GpSpec {
    const KIND: &'static str = "gp";

    fn build(&self, context: SurrogateContext<'_>) -> Result<Box<dyn Surrogate>, SpecError> {
        Ok(Box::new(GpSpec::build(self, context.layout, context.workers)?))
    }
}

impl GpSpec {
    /// The surrogate inside one branch. A kernel that handles branches stays as it is, a plain one
    /// is restricted to the branch.
    pub(crate) fn build_inside(&self, layout: &Layout, workers: &Workers) -> Result<Gp, SpecError> {
        let context = KernelContext::new(layout, &self.length);
        let isolates = self.kernel.build(context)?.coupling() == Coupling::SameBranch;
        let confined = || KernelSpec::new(ConditionalSpec { inner: self.kernel.clone() });
        let kernel = if isolates { self.kernel.clone() } else { confined() };
        Self { kernel, ..self.clone() }.build(layout, workers)
    }

    /// The surrogate for points of this layout.
    pub fn build(&self, layout: &Layout, workers: &Workers) -> Result<Gp, SpecError> {
        self.amplitude.check("amplitude")?;
        let (length, noise) = self.length_and_noise();
        noise.check("noise")?;
        length.check("length")?;
        let kernel = self.kernel.build(KernelContext::new(layout, &length))?;
        if !kernel.is_definite() {
            return Err(SpecError::IndefiniteKernel { surrogate: Self::KIND });
        }
        Ok(Gp {
            kernel: kernel.into(),
            features: Arc::default(),
            inference: self.infer.build(())?,
            mean: HyperPrior::Flat,
            amplitude: self.amplitude.clone(),
            noise,
            rows: self.rows,
            width: layout.width(),
            workers: workers.clone(),
        })
    }

    /// The settings of length-scales and noise, adjusted by `prior`.
    fn length_and_noise(&self) -> (HyperSpec, HyperSpec) {
        match self.prior {
            LengthPrior::LogNormal => (self.length.clone(), self.noise.clone()),
            LengthPrior::DimensionScaled => (
                HyperSpec { prior: HyperPrior::DimensionScaled, ..self.length.clone() },
                HyperSpec::scaled_noise(),
            ),
        }
    }
}

/// The priors of length-scales and noise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LengthPrior {
    /// Those of `length` and `noise`.
    #[default]
    LogNormal,
    /// Length-scales that grow with the number of columns compared at once, and the noise that goes
    /// with them [Hvarfner et al. 2024]. Only the range of `length` is used; `noise` is ignored.
    DimensionScaled,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prior_by_dimension_keeps_the_range_and_brings_its_noise() {
        let plain = GpSpec::default();
        let scaled = GpSpec { prior: LengthPrior::DimensionScaled, ..plain.clone() };
        assert_eq!(plain.length_and_noise(), (plain.length.clone(), plain.noise.clone()));
        let (length, noise) = scaled.length_and_noise();
        assert_eq!(
            (length.prior, length.low, length.high),
            (HyperPrior::DimensionScaled, plain.length.low, plain.length.high)
        );
        assert_eq!(noise, HyperSpec::scaled_noise());
    }
}
