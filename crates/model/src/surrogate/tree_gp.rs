//! Tree-structured Gaussian process: a process in every branch, tied by weights of the decisions they share.
//!
//! y = g_p(x) + zᵀc + ε,  c ~ N(0, diag s),  g_p ~ GP(m + b_p, σ_f²·k_θ),  ε ~ N(0, σ_n²)
//! [Jenatton et al. 2017, eq. 1]
//!
//! z holds a one for the root and for every decision on the path but the last. Parameters of several
//! branches may enter it as they are or as random waves, and then leave the processes inside. A branch
//! without observations is believed to be as good as its relatives, and whole branches can be compared
//! before looking inside one.
//!
//! The offset b_p of a leaf tells siblings apart. The paper fits it; here b_p ~ N(0, s_b) is integrated
//! out like c, so that a leaf nobody tried is uncertain and not just average. Losses are standardised;
//! the mean m ~ N(0, ½²) is common to all branches, and leaves share amplitude, noise and the
//! length-scales of common parameters; the nodes of one decider share s, all leaves s_b, each
//! ln s ~ N(ln 0.3, 1). A likelihood costs O(Σ n_p³ + n·d²), a prediction O(n_p² + d²), d counting
//! nodes and leaves. Where branches have nothing in common the conditional kernel is simpler and as good.
mod features;
mod model;
mod spec;
mod target;
#[cfg(test)]
mod tests;

use super::{Memory, Model, Scale, Surrogate, saturate};
use crate::belief::Belief;
use crate::dataset::Dataset;
use crate::error::FitError;
use crate::gram::{Groups, Outcome, TrendPosterior};
use crate::hyper::{Hyper, Transform, Update};
use crate::infer::{Inference, Start};
use crate::interrupt::Interrupt;
use crate::kernel::{Coupling, Kernel};
use crate::linalg::Matrix;
use crate::matter;
use crate::prior::Prior;
use crate::workers::Workers;
use arbora_space::Rng;
use features::Features;
pub use features::Nodes;
use features::Register;
use model::{Draw, TreeModel};
pub use spec::TreeGpSpec;
use std::sync::Arc;
use target::{LEVEL, Target, level};

/// The recipe; made by [`TreeGpSpec`].
pub struct TreeGp {
    /// Inside one branch, zero across.
    pub(crate) kernel: Arc<dyn Kernel>,
    pub(crate) features: Arc<Features>,
    pub(crate) inference: Box<dyn Inference>,
    pub(crate) amplitude: Belief,
    pub(crate) noise: Belief,
    pub(crate) width: usize,
    pub(crate) workers: Workers,
}

/// Standard deviation of the common mean, on losses of standard deviation one.
const MEAN_SPREAD: f64 = 0.5;

impl TreeGp {
    /// The same recipe with an inference that no spec names.
    #[must_use]
    pub fn with_inference(self, inference: Box<dyn Inference>) -> Self {
        Self { inference, ..self }
    }

    /// The order of θ: level, variances of the weights, kernel.
    fn hypers(&self, losses: &[f64]) -> Vec<Hyper> {
        let low = losses.iter().copied().fold(0.0, f64::min);
        let high = losses.iter().copied().fold(0.0, f64::max);
        let mut hypers = vec![Hyper {
            name: "mean".into(),
            transform: Transform::Natural,
            range: (low, high),
            prior: Prior::Normal { mean: 0.0, sd: MEAN_SPREAD },
            update: Update::Joint,
            start: 0.0,
        }];
        hypers.push(self.amplitude.hyper("amplitude".into(), Update::Joint));
        hypers.push(self.noise.hyper("noise".into(), Update::Joint));
        hypers.extend_from_slice(self.features.hypers());
        hypers.extend_from_slice(self.kernel.hypers());
        hypers
    }

    /// Draws of θ and whether the data had a say.
    fn draw(&self, target: &mut Target<'_>, memory: Option<&Memory>, rng: &mut Rng) -> (Vec<Vec<f64>>, bool) {
        let hypers = target.hypers.to_vec();
        let start: Vec<f64> = hypers.iter().map(|hyper| hyper.coordinate(hyper.start)).collect();
        let (low, high) = hypers[0].range;
        if low < high {
            let known = Memory::start(memory, &hypers);
            let mut draws = self.inference.draw(target, &known, rng);
            if draws.is_empty() && matches!(known, Start::Continue(_)) {
                draws = self.inference.draw(target, &Start::Fresh(start.clone()), rng);
            }
            if !draws.is_empty() {
                return (draws, true);
            }
        }
        (vec![start], false)
    }

    fn posterior(
        &self,
        theta: &[f64],
        groups: &Groups,
        losses: &Matrix,
        (register, rows): (&Register, &Matrix),
    ) -> Result<Draw, FitError> {
        let (by_class, kernel) = theta[LEVEL..].split_at(self.features.hypers().len());
        let variances = register.variances(by_class);
        let given =
            Outcome { theta: kernel, level: level(theta), variances: &variances, losses, features: rows };
        let posterior = TrendPosterior::new(groups, &given)?;
        Ok(Draw { posterior, by_class: by_class.to_vec(), losses: losses.clone() })
    }
}

impl Surrogate for TreeGp {
    fn rows_that_matter(&self, data: &Dataset) -> Option<Vec<usize>> {
        matter::rows(data, Coupling::SameBranch)
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
        matter::check_memory(data, Coupling::SameBranch)?;
        let raw: Vec<f64> = data.losses().iter().map(|&loss| saturate(loss)).collect();
        let scale = Scale::of(&raw);
        let losses: Vec<f64> = raw.iter().map(|&loss| scale.standardise(loss)).collect();
        let groups = Groups::new(self.kernel.clone(), data.points());
        let register = self.features.register(data.points());
        let rows = self.features.rows(data.points(), &register);
        let hypers = self.hypers(&losses);
        let mut target = Target::new(&hypers, &groups, &losses, (&register, &rows), interrupt);
        let (draws, is_learnt) = self.draw(&mut target, memory, rng);
        if interrupt.is_raised() {
            return Err(FitError::Interrupted);
        }
        let losses = Matrix::from_fn(losses.len(), 1, |i, _| losses[i]);
        let made = self
            .workers
            .map(draws.len(), |i| self.posterior(&draws[i], &groups, &losses, (&register, &rows)));
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
            // Every draw was numerically singular: fall back on what was believed before any data.
            let start: Vec<f64> = hypers.iter().map(|hyper| hyper.coordinate(hyper.start)).collect();
            posteriors.push(self.posterior(&start, &groups, &losses, (&register, &rows))?);
        }
        Ok(Box::new(TreeModel {
            points: data.points().clone(),
            groups,
            register,
            features: self.features.clone(),
            draws: posteriors,
            scale,
            memory: remembered,
            workers: self.workers.clone(),
            interrupt: interrupt.clone(),
            imagined_best: Vec::new(),
        }))
    }
}
