//! Gaussian process: a normal distribution of the loss at every point, given the observations.
//!
//! y = f(x) + ε,  f ~ GP(m, σ_f²·k_θ),  ε ~ N(0, σ_n²)  [Rasmussen & Williams 2006, ch. 2]
//!
//! With a linear trend, y = f(x) + zᵀc + ε, c ~ N(0, diag s), where z are features of a point, such
//! as the decisions that lead to its branch; their weights are integrated out. [`GpSpec`] has no
//! trend, [`TreeGpSpec`] uses the features of the tree.
//!
//! Losses are standardised at every fit. θ = (m, ln σ_f, ln σ_n, ln s, kernel) is sampled or
//! estimated, and a prediction is one normal per draw, in original units. A fit costs Σ n_g³ per
//! evaluation of the likelihood, where n_g is the number of rows that can be correlated, a
//! prediction n_g² per point and draw. Not for more than a few thousand rows in one group.
mod branches;
mod features;
mod joint;
mod model;
mod spec;
mod target;
#[cfg(test)]
mod tests;
mod tree_spec;
#[cfg(test)]
mod tree_tests;

use super::{Memory, Model, Observations, Scale, Surrogate};
use crate::dataset::Dataset;
use crate::error::FitError;
use crate::gram::{Groups, Outcome, Posterior};
use crate::hyper::{self, Hyper, Transform, Update};
use crate::hyper_spec::HyperSpec;
use crate::infer::Inference;
use crate::interrupt::Interrupt;
use crate::kernel::Kernel;
use crate::linalg::Matrix;
use crate::prior::HyperPrior;
use crate::subsample;
use crate::workers::Workers;
use arbora_space::Rng;
use features::{Features, Trend};
use model::{Draw, GpModel};
use std::sync::Arc;
use target::{LEVEL, Target, level};

pub use features::Nodes;
pub use spec::{GpSpec, LengthPrior};
pub use tree_spec::TreeGpSpec;

/// A Gaussian process, not yet fitted; built by [`GpSpec`] or [`TreeGpSpec`].
pub struct Gp {
    pub(crate) kernel: Arc<dyn Kernel>,
    /// The features of the trend.
    pub(crate) features: Arc<Features>,
    pub(crate) inference: Box<dyn Inference>,
    pub(crate) mean: HyperPrior,
    pub(crate) amplitude: HyperSpec,
    pub(crate) noise: HyperSpec,
    /// Maximum rows of a group; beyond that, a subset is used.
    pub(crate) rows: Option<usize>,
    /// Number of columns of the space it was built for.
    pub(crate) width: usize,
    pub(crate) workers: Workers,
}

/// The rows of a fit: in groups, and as features of the trend.
struct Rows<'a> {
    groups: Groups,
    trend: Trend,
    features: Matrix,
    losses: &'a Matrix,
}

impl Gp {
    /// Replaces the inference by one that has no spec.
    #[must_use]
    pub fn with_inference(self, inference: Box<dyn Inference>) -> Self {
        Self { inference, ..self }
    }

    /// Replaces the kernel by one that has no spec, over points of the same layout.
    #[must_use]
    pub fn with_kernel(self, kernel: Arc<dyn Kernel>) -> Self {
        Self { kernel, ..self }
    }

    /// The hypers in the order of θ, for these standardised losses: level, variances of the
    /// weights, kernel.
    fn hypers(&self, losses: &[f64]) -> Vec<Hyper> {
        let low = losses.iter().copied().fold(0.0, f64::min);
        let high = losses.iter().copied().fold(0.0, f64::max);
        let mut hypers = vec![Hyper {
            name: "mean".into(),
            transform: Transform::Natural,
            range: (low, high),
            prior: self.mean,
            update: Update::Joint,
            start: 0.0,
        }];
        hypers.push(self.amplitude.hyper("amplitude".into(), Update::Joint));
        hypers.push(self.noise.hyper("noise".into(), Update::Joint));
        hypers.extend_from_slice(self.features.hypers());
        hypers.extend_from_slice(self.kernel.hypers());
        hypers
    }

    /// The process at one θ.
    fn posterior(&self, theta: &[f64], rows: &Rows<'_>) -> Result<Draw, FitError> {
        let (by_class, kernel) = theta[LEVEL..].split_at(self.features.hypers().len());
        let given = Outcome {
            theta: kernel,
            level: level(theta),
            variances: &rows.trend.variances(by_class),
            losses: rows.losses,
            features: &rows.features,
        };
        Ok(Draw { posterior: Posterior::new(&rows.groups, &given)?, by_class: by_class.to_vec() })
    }
}

impl Surrogate for Gp {
    fn training_rows(&self, data: &Dataset) -> Option<Vec<usize>> {
        match self.rows {
            Some(most) => subsample::rows_of(most, data, self.kernel.coupling()),
            None => subsample::rows(data, self.kernel.coupling()),
        }
    }

    fn fit_until(
        &self,
        data: &Dataset,
        memory: Option<&Memory>,
        rng: &mut Rng,
        interrupt: &Interrupt,
    ) -> Result<Box<dyn Model>, FitError> {
        let observed = Observations::new(data, self.training_rows(data), self.width)?;
        subsample::check_memory(&observed.data, self.kernel.coupling())?;
        self.fit_to(&observed, memory, rng, interrupt)
    }
}

impl Gp {
    /// Fits a model to observations that are scaled like a larger set.
    pub(crate) fn fit_scaled(
        &self,
        data: &Dataset,
        scale: Scale,
        memory: Option<&Memory>,
        rng: &mut Rng,
        interrupt: &Interrupt,
    ) -> Result<Box<dyn Model>, FitError> {
        self.fit_to(&Observations::scaled(data, scale), memory, rng, interrupt)
    }

    fn fit_to(
        &self,
        observed: &Observations<'_>,
        memory: Option<&Memory>,
        rng: &mut Rng,
        interrupt: &Interrupt,
    ) -> Result<Box<dyn Model>, FitError> {
        let (points, losses) = (observed.data.points(), &observed.losses);
        let trend = Trend::new(self.features.clone(), points);
        let rows = Rows {
            groups: Groups::new(self.kernel.clone(), points),
            features: trend.rows(points),
            trend,
            losses: &Matrix::from_fn(losses.len(), 1, |i, _| losses[i]),
        };
        let hypers = self.hypers(losses);
        let (draws, is_learnt) = self.draw(&hypers, losses, &rows, memory, rng, interrupt);
        if interrupt.is_raised() {
            return Err(FitError::Interrupted);
        }
        let made = self.workers.map(draws.len(), |i| self.posterior(&draws[i], &rows));
        let (mut sound, mut posteriors) = (Vec::new(), Vec::new());
        for (theta, made) in draws.iter().zip(made) {
            if let Ok(made) = made {
                posteriors.push(made);
                sound.push(theta);
            }
        }
        let remembered = match (is_learnt, sound.is_empty()) {
            (true, false) => Some(Memory::of(&hypers, sound)),
            (true, true) => None,
            (false, _) => memory.cloned(),
        };
        if posteriors.is_empty() {
            // Every draw was numerically singular: fall back to the starts of the hypers.
            posteriors.push(self.posterior(&hyper::starts(&hypers), &rows)?);
        }
        let Rows { groups, trend, .. } = rows;
        Ok(Box::new(GpModel {
            groups,
            trend,
            draws: posteriors,
            scale: observed.scale,
            memory: remembered,
            workers: self.workers.clone(),
            interrupt: interrupt.clone(),
            scenarios: 1,
            best_fantasy: Vec::new(),
        }))
    }

    /// Draws of θ, and whether the data informed them: equal losses carry no information about θ.
    fn draw(
        &self,
        hypers: &[Hyper],
        losses: &[f64],
        rows: &Rows<'_>,
        memory: Option<&Memory>,
        rng: &mut Rng,
        interrupt: &Interrupt,
    ) -> (Vec<Vec<f64>>, bool) {
        let (low, high) = hypers[0].range;
        if low < high {
            let seen = (&rows.trend, &rows.features);
            let mut target = Target::new(hypers, &rows.groups, losses, seen, interrupt);
            let draws = Memory::draw_on(memory, &*self.inference, &mut target, rng);
            if !draws.is_empty() {
                return (draws, true);
            }
        }
        (vec![hyper::starts(hypers)], false)
    }
}
