//! The estimates besides θ, and the result of a prediction.
use super::target::Estimates;
use arbora_model::linalg::{Matrix, dot};

/// Lower bound of a variance relative to the prior's: about the rounding error at an observed
/// point.
pub(super) const LEAST_VARIANCE: f64 = 1e-12;

/// μ̂, η, σ̂² and σ̂²_ri.
#[derive(Clone, Copy)]
pub(super) struct Level {
    pub(super) mean: f64,
    pub(super) nugget: f64,
    pub(super) variance: f64,
    pub(super) reinterpolated: f64,
}

/// Means and variances of the latent function at some points.
pub(super) struct Predicted {
    /// Points × scenarios.
    pub(super) mean: Matrix,
    /// As fractions of σ̂² or σ̂²_ri.
    pub(super) share: Vec<f64>,
}

impl Level {
    /// Equal losses have no estimates: their value is the mean, and the variance is one.
    pub(super) fn new(nugget: f64, losses: &[f64], estimates: Option<&Estimates>) -> Self {
        let Some(estimates) = estimates else {
            let mean = losses.first().copied().unwrap_or(0.0);
            return Self { mean, nugget, variance: 1.0, reinterpolated: 1.0 };
        };
        // aᵀRa = eᵀa − η·aᵀa.
        let explained =
            dot(&estimates.residual, &estimates.solved) - nugget * dot(&estimates.solved, &estimates.solved);
        let reinterpolated = (explained / losses.len() as f64).abs().max(LEAST_VARIANCE * estimates.variance);
        Self { mean: estimates.mean, nugget, variance: estimates.variance, reinterpolated }
    }
}
