//! A Gaussian process as data.
use super::Gp;
use crate::belief::Belief;
use crate::component::Component;
use crate::error::SpecError;
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
    /// How points are compared.
    pub kernel: KernelSpec,
    /// How θ is chosen.
    pub infer: InferenceSpec,
    /// What is believed of length-scales and noise.
    pub prior: LengthPrior,
    /// Each length-scale of the kernel, on the unit cube.
    pub length: Belief,
    /// Standard deviation of the function, on losses of standard deviation one.
    pub amplitude: Belief,
    /// Standard deviation of the noise, on losses of standard deviation one.
    pub noise: Belief,
    /// Rows that one factor may have: beyond, the model is made of the rows that matter. By default a thousand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<usize>,
}

impl Default for GpSpec {
    fn default() -> Self {
        Self {
            kernel: KernelSpec::default(),
            infer: InferenceSpec::default(),
            prior: LengthPrior::default(),
            length: Belief::length(),
            amplitude: Belief::amplitude(),
            noise: Belief::noise(),
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
    /// The recipe inside one branch: a kernel that knows branches does, a plain one is confined to one.
    pub(crate) fn build_inside(&self, layout: &Layout, workers: &Workers) -> Result<Gp, SpecError> {
        let context = KernelContext::new(layout, &self.length);
        let isolates = self.kernel.build(context)?.coupling() == Coupling::SameBranch;
        let confined = || KernelSpec::new(ConditionalSpec { inner: self.kernel.clone() });
        let kernel = if isolates { self.kernel.clone() } else { confined() };
        Self { kernel, ..self.clone() }.build(layout, workers)
    }

    /// The working recipe for points of this layout.
    pub fn build(&self, layout: &Layout, workers: &Workers) -> Result<Gp, SpecError> {
        self.amplitude.check("amplitude")?;
        let (length, noise) = self.beliefs();
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

    /// The length-scales and the noise that `prior` makes of what is given.
    fn beliefs(&self) -> (Belief, Belief) {
        match self.prior {
            LengthPrior::LogNormal => (self.length.clone(), self.noise.clone()),
            LengthPrior::DimensionScaled => {
                (Belief { prior: HyperPrior::DimensionScaled, ..self.length.clone() }, Belief::scaled_noise())
            }
        }
    }
}

/// What is believed of length-scales and noise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LengthPrior {
    /// What `length` and `noise` say.
    #[default]
    LogNormal,
    /// Length-scales that grow with the number of columns compared at once, the noise that goes with them
    /// [Hvarfner et al. 2024]; of `length` the range is kept and `noise` is not looked at.
    DimensionScaled,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prior_by_dimension_keeps_the_range_and_brings_its_noise() {
        let plain = GpSpec::default();
        let scaled = GpSpec { prior: LengthPrior::DimensionScaled, ..plain.clone() };
        assert_eq!(plain.beliefs(), (plain.length.clone(), plain.noise.clone()));
        let (length, noise) = scaled.beliefs();
        assert_eq!(
            (length.prior, length.low, length.high),
            (HyperPrior::DimensionScaled, plain.length.low, plain.length.high)
        );
        assert_eq!(noise, Belief::scaled_noise());
    }
}
