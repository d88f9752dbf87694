//! Kriging as data.
use super::{Correction, Kriging};
use crate::global_search::GlobalSearch;
use crate::hierarchical::HierarchicalSpec;
use arbora_model::HyperSpec;
use arbora_model::SpecError;
use arbora_model::component::Component;
use arbora_model::infer::{Estimate, InferenceSpec};
use arbora_model::kernel::{Coupling, KernelContext, KernelSpec};
use arbora_model::prior::HyperPrior;
use arbora_model::{Surrogate, SurrogateContext};
use arbora_space::Layout;
use serde::{Deserialize, Serialize};

/// Kriging with a nugget: `{ kind = "kriging", kernel = "arc" }`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct KrigingSpec {
    /// The kernel, across branches.
    pub kernel: KernelSpec,
    /// How θ and the nugget are estimated.
    pub infer: InferenceSpec,
    /// Each length-scale of the kernel, on the unit cube.
    pub length: HyperSpec,
    /// The noise variance divided by that of the function.
    pub nugget: HyperSpec,
    /// How to correct a kernel that is not positive semi-definite.
    pub correction: Correction,
    /// Is the variance zero at observed points?
    pub reinterpolate: bool,
}

impl Default for KrigingSpec {
    /// Bounds as in the code of Zaefferer & Horn 2018: θ = ℓ⁻² ∈ [10⁻⁶, 10⁵], η ∈ [10⁻⁶, 1], both
    /// on a log scale, starting in the middle, without priors; maximum likelihood.
    fn default() -> Self {
        let spec = |low: f64, high: f64| HyperSpec {
            prior: HyperPrior::Flat,
            low,
            high,
            start: (low * high).sqrt(),
        };
        Self {
            kernel: KernelSpec::new(HierarchicalSpec::default()),
            infer: InferenceSpec::new(GlobalSearch {
                evaluations: 200,
                per_hyper: true,
                estimate: Estimate::Likelihood,
                polish: true,
            }),
            length: spec(3.162_277_660_168_379e-3, 1e3),
            nugget: spec(1e-6, 1.0),
            correction: Correction::default(),
            reinterpolate: true,
        }
    }
}

/// It has one mean and one variance for all branches.
const ACROSS_BRANCHES: &str = "surrogate `kriging` compares points across branches, but kernel `conditional` does not: use surrogate `gp`";

impl Component<dyn Surrogate> for KrigingSpec {
    const KIND: &'static str = "kriging";

    fn build(&self, context: SurrogateContext<'_>) -> Result<Box<dyn Surrogate>, SpecError> {
        Ok(Box::new(KrigingSpec::build(self, context.layout)?))
    }
}

impl KrigingSpec {
    /// The surrogate for points of this layout.
    pub fn build(&self, layout: &Layout) -> Result<Kriging, SpecError> {
        self.nugget.check("nugget")?;
        self.length.check("length")?;
        let kernel = self.kernel.build(KernelContext::new(layout, &self.length))?;
        if kernel.coupling() != Coupling::Everywhere {
            return Err(SpecError::Refused { problem: ACROSS_BRANCHES.to_owned() });
        }
        Ok(Kriging {
            kernel: kernel.into(),
            inference: self.infer.build(())?,
            nugget: self.nugget.clone(),
            correction: self.correction,
            reinterpolate: self.reinterpolate,
            width: layout.width(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbora_model::SurrogateSpec;

    #[test]
    fn what_is_left_out_takes_its_default() {
        crate::register().unwrap();
        let read = |text: &str| serde_json::from_str::<SurrogateSpec>(text).unwrap();
        assert_eq!(read(r#"{"kind":"kriging"}"#), SurrogateSpec::new(KrigingSpec::default()));
        let written = r#"{"kind":"kriging","kernel":"arc","infer":{"kind":"direct"},"correction":"linear"}"#;
        assert_eq!(read(written), SurrogateSpec::new(KrigingSpec::default()));
        let error = serde_json::from_str::<SurrogateSpec>(r#"{"kind":"kriging","noise":1}"#).unwrap_err();
        assert!(error.to_string().contains("noise"), "{error}");
    }

    #[test]
    fn a_kernel_that_isolates_branches_is_refused() {
        let spec = KrigingSpec { kernel: KernelSpec::default(), ..KrigingSpec::default() };
        let error = spec.build(&Layout { columns: vec![] }).err();
        assert_eq!(error, Some(SpecError::Refused { problem: ACROSS_BRANCHES.to_owned() }));
    }
}
