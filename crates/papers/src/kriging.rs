//! Kriging with a nugget and re-interpolation, for kernels that may be indefinite.
//!
//! With R the kernel matrix, R_η = R + ηI, e = y − μ̂1, a = R_η⁻¹e  [Zaefferer & Horn 2018, §3]:
//! μ̂ = 1ᵀR_η⁻¹y / 1ᵀR_η⁻¹1,  σ̂² = eᵀa/n,  −2·ln likelihood = n·ln σ̂² + ln|R_η|,
//! minimised over θ and η;
//! mean(x) = μ̂ + rᵀa,  variance(x) = σ̂²·(1 − rᵀR_η⁻¹r) of the latent function (the paper adds
//! σ̂²η), or with re-interpolation σ̂²_ri·(1 − rᵀR⁻¹r), σ̂²_ri = aᵀRa/n. This is zero at observed
//! points, so that expected improvement never proposes them again  [Forrester et al. 2006]. The
//! uncertainty of μ̂ is ignored, as in the paper.
//!
//! A likelihood costs n³/3, or 9n³ for the spectrum of a kernel that may be indefinite; the default
//! search evaluates 200 per hyper. A single estimate of θ ignores its uncertainty when there are
//! few data, unlike `gp` with slice sampling.
mod augmented;
mod cholesky;
mod correction;
mod eigen;
mod fitted;
mod level;
mod model;
mod spec;
mod target;
#[cfg(test)]
mod tests;

pub use correction::Correction;
pub use spec::KrigingSpec;

use arbora_model::Dataset;
use arbora_model::FitError;
use arbora_model::HyperSpec;
use arbora_model::Interrupt;
use arbora_model::hyper::{self, Hyper, Update};
use arbora_model::infer::Inference;
use arbora_model::kernel::{Coupling, Kernel};
use arbora_model::subsample;
use arbora_model::{Memory, Model, Observations, Surrogate};
use arbora_space::Rng;
use fitted::Fitted;
use model::KrigingModel;
use std::sync::Arc;
use target::Target;

/// Matrices held at the same time: those of a spectrum and its search, and of predictions of
/// thousands of candidates at once. Measured: 23 at 1000 rows.
const MATRICES: usize = 26;

/// The surrogate; built by [`KrigingSpec`].
pub struct Kriging {
    pub(crate) kernel: Arc<dyn Kernel>,
    pub(crate) inference: Box<dyn Inference>,
    /// η.
    pub(crate) nugget: HyperSpec,
    pub(crate) correction: Correction,
    pub(crate) reinterpolate: bool,
    /// Number of columns of the space it was built for.
    pub(crate) width: usize,
}

/// Settings that a fit and its predictions share.
#[derive(Clone)]
struct Recipe {
    kernel: Arc<dyn Kernel>,
    correction: Correction,
    reinterpolate: bool,
}

impl Kriging {
    /// The hypers in the order of θ: the kernel's, then η.
    fn hypers(&self) -> Vec<Hyper> {
        let mut hypers = self.kernel.hypers().to_vec();
        hypers.push(self.nugget.hyper("nugget".into(), Update::Joint));
        hypers
    }

    /// θ, if the data are informative about it.
    fn choose(
        &self,
        recipe: &Recipe,
        hypers: &[Hyper],
        observed: &Observations<'_>,
        memory: Option<&Memory>,
        rng: &mut Rng,
        interrupt: &Interrupt,
    ) -> Option<Vec<f64>> {
        let losses = &observed.losses;
        if losses.iter().all(|loss| *loss == losses[0]) {
            return None;
        }
        let mut target = Target::new(recipe, hypers, observed.data.points(), losses, interrupt);
        // The last state of the chain; a point estimate has only one.
        Memory::draw_on(memory, &*self.inference, &mut target, rng).pop()
    }
}

impl Surrogate for Kriging {
    fn training_rows(&self, data: &Dataset) -> Option<Vec<usize>> {
        subsample::rows(data, Coupling::Everywhere)
    }

    fn fit_until(
        &self,
        data: &Dataset,
        memory: Option<&Memory>,
        rng: &mut Rng,
        interrupt: &Interrupt,
    ) -> Result<Box<dyn Model>, FitError> {
        let observed = Observations::new(data, self.training_rows(data), self.width)?;
        subsample::check_memory_of(MATRICES, &observed.data, Coupling::Everywhere)?;
        let recipe = Recipe {
            kernel: self.kernel.clone(),
            correction: self.correction,
            reinterpolate: self.reinterpolate,
        };
        let hypers = self.hypers();
        let learnt = self.choose(&recipe, &hypers, &observed, memory, rng, interrupt);
        if interrupt.is_raised() {
            return Err(FitError::Interrupted);
        }
        let memory = learnt.as_ref().map(|theta| Memory::of(&hypers, [theta])).or_else(|| memory.cloned());
        let theta = learnt.unwrap_or_else(|| hyper::starts(&hypers));
        let fitted = Fitted::new(recipe, observed.data.points(), &observed.losses, &theta)?;
        let scale = observed.scale;
        Ok(Box::new(KrigingModel { fitted, scale, memory, best_fantasy: Vec::new() }))
    }
}
