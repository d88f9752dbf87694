//! The profile likelihood of θ and η.
//!
//! ln L = −½(n·ln σ̂² + ln|R_η|). With W = R_η⁻¹ − a·aᵀ/σ̂²: ∂/∂θ = −½ Σ W∘∂R,
//! ∂/∂ln η = −½η·(tr R_η⁻¹ − aᵀa/σ̂²); μ̂ and σ̂² are at their optimum, so their derivatives drop
//! out.
//!
//! Where R_η is not definite or nearly singular, or σ̂² is negative, −2·ln L is replaced by
//! n·ln Var(y) + 10⁴ − λ_min(R_η), which leads a search back  [CEGO, the authors' code].
use super::correction::Corrected;
use super::{Correction, Recipe};
use arbora_model::Interrupt;
use arbora_model::hyper::{self, Hyper};
use arbora_model::infer::LogDensity;
use arbora_model::kernel::KernelBatch;
use arbora_model::linalg::{Factor, Matrix, Scratch, Spectrum, dot};
use arbora_space::Points;

/// Added to −2·ln L where it cannot be computed.
const PENALTY: f64 = 1e4;
/// A reciprocal condition number below this counts as singular.
const SINGULAR: f64 = 1e-10;

/// Estimates at one θ: R_η = L·Lᵀ, μ̂, e, a, σ̂².
pub(super) struct Estimates {
    pub(super) factor: Factor,
    pub(super) mean: f64,
    pub(super) residual: Vec<f64>,
    pub(super) solved: Vec<f64>,
    pub(super) variance: f64,
}

impl Estimates {
    /// From a full matrix and losses; `None` if the matrix with the nugget is not safely definite.
    pub(super) fn new(matrix: &Matrix, nugget: f64, losses: &[f64], scratch: &mut Scratch) -> Option<Self> {
        let mut factor = Factor::default();
        factor.form(losses.len(), nugget, scratch, &mut |out| out.copy_lower(matrix)).ok()?;
        let pivots = || (0..losses.len()).map(|i| factor.lower().at(i, i));
        let ratio = pivots().fold(f64::INFINITY, f64::min) / pivots().fold(0.0, f64::max);
        if factor.jitter() > 0.0 || ratio * ratio < SINGULAR {
            return None;
        }
        let mut ones = vec![1.0; losses.len()];
        factor.solve_lower(&mut ones);
        let mut whitened = losses.to_vec();
        factor.solve_lower(&mut whitened);
        let mean = dot(&ones, &whitened) / dot(&ones, &ones);
        let residual: Vec<f64> = losses.iter().map(|loss| loss - mean).collect();
        let mut solved = residual.clone();
        factor.solve_lower(&mut solved);
        factor.solve_upper(&mut solved);
        let variance = dot(&residual, &solved) / losses.len() as f64;
        (variance > 0.0 && mean.is_finite()).then_some(Self { factor, mean, residual, solved, variance })
    }
}

pub(super) struct Target<'a> {
    hypers: &'a [Hyper],
    interrupt: &'a Interrupt,
    batch: Box<dyn KernelBatch>,
    losses: &'a [f64],
    correction: Correction,
    gram: Matrix,
    scratch: Scratch,
}

impl<'a> Target<'a> {
    pub(super) fn new(
        recipe: &Recipe,
        hypers: &'a [Hyper],
        rows: &Points,
        losses: &'a [f64],
        interrupt: &'a Interrupt,
    ) -> Self {
        let correction = if recipe.kernel.is_definite() { Correction::None } else { recipe.correction };
        let gram = Matrix::zeros(rows.len(), rows.len());
        let (batch, scratch) = (recipe.kernel.batch(rows), Scratch::default());
        Self { hypers, interrupt, batch, losses, correction, gram, scratch }
    }

    /// The corrected matrix, η, and the estimates.
    fn estimates(&mut self, theta: &[f64]) -> (Option<Corrected>, f64, Option<Estimates>) {
        let (kernel, nugget) = split(theta);
        self.batch.gram(kernel, &mut self.gram);
        let corrected = Corrected::of(&self.gram, self.correction);
        let estimates = corrected
            .as_ref()
            .and_then(|corrected| Estimates::new(&corrected.matrix, nugget, self.losses, &mut self.scratch));
        (corrected, nugget, estimates)
    }

    fn likelihood(&self, estimates: &Estimates) -> f64 {
        let volume = self.losses.len() as f64 * libm::log(estimates.variance);
        -0.5 * (volume + estimates.factor.log_det())
    }

    /// Losses are standardised: their variance is one, and its logarithm zero.
    fn penalty(corrected: Option<&Corrected>, nugget: f64) -> f64 {
        let spectrum = corrected.and_then(|corrected| Spectrum::of(&corrected.matrix));
        spectrum.map_or(f64::NEG_INFINITY, |spectrum| -0.5 * (PENALTY - spectrum.least() - nugget))
    }
}

/// θ of the kernel, and η.
pub(super) fn split(theta: &[f64]) -> (&[f64], f64) {
    let (nugget, kernel) = theta.split_last().expect("θ always has a nugget");
    (kernel, libm::exp(*nugget))
}

impl LogDensity for Target<'_> {
    fn hypers(&self) -> &[Hyper] {
        self.hypers
    }

    fn observations(&self) -> usize {
        self.losses.len()
    }

    fn at(&mut self, theta: &[f64]) -> f64 {
        if self.interrupt.is_raised() {
            return f64::NEG_INFINITY;
        }
        let prior = hyper::log_prior(self.hypers, theta);
        let (corrected, nugget, estimates) = self.estimates(theta);
        let likelihood = match &estimates {
            Some(estimates) => self.likelihood(estimates),
            None => Self::penalty(corrected.as_ref(), nugget),
        };
        let density = prior + likelihood;
        if density.is_finite() { density } else { f64::NEG_INFINITY }
    }

    fn along<'a>(&'a mut self, theta: &[f64], coordinate: usize) -> Box<dyn FnMut(f64) -> f64 + 'a> {
        let mut theta = theta.to_vec();
        Box::new(move |value| {
            theta[coordinate] = value;
            self.at(&theta)
        })
    }

    /// A penalised θ is −∞ here: a descent that starts at a valid point must not leave the valid
    /// region.
    fn with_gradient(&mut self, theta: &[f64], gradient: &mut [f64]) -> Option<f64> {
        if self.interrupt.is_raised() {
            gradient.fill(0.0);
            return Some(f64::NEG_INFINITY);
        }
        let prior = hyper::log_prior_with_gradient(self.hypers, theta, gradient);
        let (Some(corrected), nugget, Some(estimates)) = self.estimates(theta) else {
            gradient.fill(0.0);
            return Some(f64::NEG_INFINITY);
        };
        let size = self.losses.len();
        let mut inverse = Matrix::default();
        estimates.factor.inverse(&mut inverse, &mut self.scratch);
        let a = &estimates.solved;
        let trace: f64 = (0..size).map(|i| inverse.at(i, i)).sum();
        let weights = Matrix::from_fn(size, size, |i, j| {
            -0.5 * (inverse.at(i.max(j), i.min(j)) - a[i] * a[j] / estimates.variance)
        });
        let (by_nugget, by_kernel) = gradient.split_last_mut().expect("θ always has a nugget");
        *by_nugget += -0.5 * nugget * (trace - dot(a, a) / estimates.variance);
        self.batch.slopes()?.by_theta(split(theta).0, &corrected.pull_back(weights), by_kernel);
        Some(prior + self.likelihood(&estimates))
    }
}
