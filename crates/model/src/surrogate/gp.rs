//! Gaussian process: a normal belief about the loss at every point, given those seen.
//!
//! y = f(x) + ε,  f ~ GP(m, σ_f²·k_θ),  ε ~ N(0, σ_n²)  [Rasmussen & Williams 2006, ch. 2]
//!
//! Losses are standardised at every fit; θ = (m, ln σ_f, ln σ_n, kernel) is drawn or estimated, and predictions are
//! one normal per draw, in raw units. A fit costs Σ n_g³ per evaluation of the likelihood, n_g the rows that can be
//! alike, a prediction n_g² per point and draw. Beyond a few thousand rows in one group take something else.
mod model;
mod spec;
mod target;
#[cfg(test)]
mod tests;

use super::{Memory, Model, Scale, Surrogate, saturate};
use crate::belief::Belief;
use crate::dataset::Dataset;
use crate::error::FitError;
use crate::gram::{Groups, Posterior};
use crate::hyper::{Hyper, Transform, Update};
use crate::infer::{Inference, Start};
use crate::interrupt::Interrupt;
use crate::kernel::Kernel;
use crate::linalg::Scratch;
use crate::matter;
use crate::prior::Prior;
use crate::workers::Workers;
use arbora_space::Rng;
use model::GpModel;
pub use spec::{GpSpec, LengthPrior};
use std::sync::Arc;
use target::{LEVEL, Target, level};

/// The recipe of a Gaussian process; made by [`GpSpec`].
pub struct Gp {
    pub(crate) kernel: Arc<dyn Kernel>,
    pub(crate) inference: Box<dyn Inference>,
    pub(crate) amplitude: Belief,
    pub(crate) noise: Belief,
    /// Rows a group may have; beyond, those that matter.
    pub(crate) rows: Option<usize>,
    /// Columns of the space it was built for.
    pub(crate) width: usize,
    pub(crate) workers: Workers,
}

impl Gp {
    /// The same recipe with an inference that no spec names.
    #[must_use]
    pub fn with_inference(self, inference: Box<dyn Inference>) -> Self {
        Self { inference, ..self }
    }

    /// The same recipe with a kernel that no spec names, over points of the same layout.
    #[must_use]
    pub fn with_kernel(self, kernel: Arc<dyn Kernel>) -> Self {
        Self { kernel, ..self }
    }

    /// The order of θ, for these standardised losses.
    fn hypers(&self, losses: &[f64]) -> Vec<Hyper> {
        let low = losses.iter().copied().fold(0.0, f64::min);
        let high = losses.iter().copied().fold(0.0, f64::max);
        let mean = Hyper {
            name: "mean".into(),
            transform: Transform::Natural,
            range: (low, high),
            prior: Prior::Flat,
            update: Update::Joint,
            start: 0.0,
        };
        let mut hypers = vec![mean];
        hypers.push(self.amplitude.hyper("amplitude".into(), Update::Joint));
        hypers.push(self.noise.hyper("noise".into(), Update::Joint));
        hypers.extend_from_slice(self.kernel.hypers());
        hypers
    }

    /// Posteriors of the draws that have one.
    fn posteriors(
        &self,
        groups: &Groups,
        losses: &[f64],
        draws: &[Vec<f64>],
    ) -> Vec<Result<Posterior, FitError>> {
        self.workers.map(draws.len(), |i| {
            let theta = &draws[i];
            Posterior::new(groups, losses, &theta[LEVEL..], level(theta), &mut Scratch::default())
        })
    }
}

impl Surrogate for Gp {
    fn rows_that_matter(&self, data: &Dataset) -> Option<Vec<usize>> {
        match self.rows {
            Some(most) => matter::rows_of(most, data, self.kernel.coupling()),
            None => matter::rows(data, self.kernel.coupling()),
        }
    }

    fn fit_until(
        &self,
        data: &Dataset,
        memory: Option<&Memory>,
        rng: &mut Rng,
        interrupt: &Interrupt,
    ) -> Result<Box<dyn Model>, FitError> {
        if data.points().width() != self.width {
            return Err(FitError::WrongWidth { expected: self.width, found: data.points().width() });
        }
        let few = self.rows_that_matter(data).map(|rows| data.select(&rows)).transpose()?;
        let data = few.as_ref().unwrap_or(data);
        matter::check_memory(data, self.kernel.coupling())?;
        let raw: Vec<f64> = data.losses().iter().map(|&loss| saturate(loss)).collect();
        self.fit_scaled(data, Scale::of(&raw), memory, rng, interrupt)
    }
}

impl Gp {
    /// A model of observations whose scale is that of a larger set.
    pub(crate) fn fit_scaled(
        &self,
        data: &Dataset,
        scale: Scale,
        memory: Option<&Memory>,
        rng: &mut Rng,
        interrupt: &Interrupt,
    ) -> Result<Box<dyn Model>, FitError> {
        let losses: Vec<f64> = data.losses().iter().map(|&loss| scale.standardise(saturate(loss))).collect();
        let groups = Groups::new(self.kernel.clone(), data.points());
        let hypers = self.hypers(&losses);
        let mut target = Target::new(&hypers, &groups, &losses, interrupt);
        let (draws, is_learnt) = self.draw(&mut target, memory, rng);
        drop(target);
        if interrupt.is_raised() {
            return Err(FitError::Interrupted);
        }
        let mut sound: Vec<&Vec<f64>> = Vec::new();
        let mut posteriors: Vec<Posterior> = Vec::new();
        for (theta, posterior) in draws.iter().zip(self.posteriors(&groups, &losses, &draws)) {
            if let Ok(posterior) = posterior {
                posteriors.push(posterior);
                sound.push(theta);
            }
        }
        let remembered = match (is_learnt, sound.is_empty()) {
            (true, false) => Some(Memory::of(&hypers, sound)),
            (true, true) => None,
            (false, _) => memory.cloned(),
        };
        if posteriors.is_empty() {
            // Every draw was numerically singular: fall back on what was believed before any data.
            let start = starts(&hypers);
            posteriors.push(Posterior::new(
                &groups,
                &losses,
                &start[LEVEL..],
                level(&start),
                &mut Scratch::default(),
            )?);
        }
        Ok(Box::new(GpModel {
            groups,
            draws: posteriors,
            scale,
            memory: remembered,
            workers: self.workers.clone(),
            interrupt: interrupt.clone(),
            scenarios: 1,
            imagined_best: Vec::new(),
        }))
    }
}

impl Gp {
    /// Draws of θ and whether the data had a say: losses that do not differ say nothing about θ.
    fn draw(&self, target: &mut Target<'_>, memory: Option<&Memory>, rng: &mut Rng) -> (Vec<Vec<f64>>, bool) {
        let hypers = target.hypers;
        let (low, high) = hypers[0].range;
        if low < high {
            let start = Memory::start(memory, hypers);
            let mut draws = self.inference.draw(target, &start, rng);
            if draws.is_empty() && matches!(start, Start::Continue(_)) {
                draws = self.inference.draw(target, &Start::Fresh(starts(hypers)), rng);
            }
            if !draws.is_empty() {
                return (draws, true);
            }
        }
        (vec![starts(hypers)], false)
    }
}

/// θ at the start of every hyper.
fn starts(hypers: &[Hyper]) -> Vec<f64> {
    hypers.iter().map(|hyper| hyper.coordinate(hyper.start)).collect()
}
