//! The log posterior of θ: log marginal likelihood plus log priors of the hypers.
//!
//! θ = (m, ln σ_f, ln σ_n, ln s of every class of weights, then the kernel's), on standardised
//! losses. After an interrupt it is −∞ everywhere, which soon ends every inference.
use super::features::Trend;
use crate::gram::{Evidence, Groups, Level};
use crate::hyper::{self, Hyper};
use crate::infer::LogDensity;
use crate::interrupt::Interrupt;
use crate::linalg::Matrix;

/// Number of coordinates of θ before the variances of the weights.
pub(super) const LEVEL: usize = 3;

/// Mean, amplitude and noise at θ.
pub(super) fn level(theta: &[f64]) -> Level {
    Level {
        mean: theta[0],
        variance: libm::exp(2.0 * theta[1]),
        ratio: libm::exp(2.0 * (theta[2] - theta[1])),
    }
}

pub(super) struct Target<'a> {
    hypers: &'a [Hyper],
    interrupt: &'a Interrupt,
    evidence: Evidence<'a>,
    trend: &'a Trend,
    /// Index of the kernel's first coordinate.
    kernel: usize,
    observations: usize,
    work: f64,
}

impl<'a> Target<'a> {
    /// `features` are those of the rows.
    pub(super) fn new(
        hypers: &'a [Hyper],
        groups: &'a Groups,
        losses: &[f64],
        (trend, features): (&'a Trend, &Matrix),
        interrupt: &'a Interrupt,
    ) -> Self {
        Self {
            hypers,
            interrupt,
            evidence: Evidence::new(groups, losses, features),
            trend,
            kernel: LEVEL + trend.classes(),
            observations: losses.len(),
            work: groups.likelihood_work(),
        }
    }

    fn variances(&self, theta: &[f64]) -> Vec<f64> {
        self.trend.variances(&theta[LEVEL..self.kernel])
    }
}

impl LogDensity for Target<'_> {
    fn hypers(&self) -> &[Hyper] {
        self.hypers
    }

    fn observations(&self) -> usize {
        self.observations
    }

    fn work(&self) -> f64 {
        self.work
    }

    fn at(&mut self, theta: &[f64]) -> f64 {
        if self.interrupt.is_raised() {
            return f64::NEG_INFINITY;
        }
        let prior = hyper::log_prior(self.hypers, theta);
        if prior.is_finite() {
            let variances = self.variances(theta);
            prior + self.evidence.at(&theta[self.kernel..], level(theta), &variances)
        } else {
            f64::NEG_INFINITY
        }
    }

    fn along<'a>(&'a mut self, theta: &[f64], coordinate: usize) -> Box<dyn FnMut(f64) -> f64 + 'a> {
        let mut theta = theta.to_vec();
        let Some(of_kernel) = coordinate.checked_sub(self.kernel) else {
            return Box::new(move |value| {
                theta[coordinate] = value;
                self.at(&theta)
            });
        };
        let (hypers, interrupt) = (self.hypers, self.interrupt);
        let moved = &hypers[coordinate];
        let others = hyper::log_prior(hypers, &theta) - moved.log_density(theta[coordinate]);
        let variances = self.variances(&theta);
        let mut evidence = self.evidence.along(&theta[self.kernel..], level(&theta), variances, of_kernel);
        Box::new(move |value| {
            if interrupt.is_raised() {
                return f64::NEG_INFINITY;
            }
            let prior = others + moved.log_density(value);
            if prior.is_finite() { prior + evidence(value) } else { f64::NEG_INFINITY }
        })
    }

    fn with_gradient(&mut self, theta: &[f64], gradient: &mut [f64]) -> Option<f64> {
        let prior = hyper::log_prior_with_gradient(self.hypers, theta, gradient);
        if self.interrupt.is_raised() || !prior.is_finite() {
            gradient.fill(0.0);
            return Some(f64::NEG_INFINITY);
        }
        let variances = self.variances(theta);
        let (before, by_kernel) = gradient.split_at_mut(self.kernel);
        let (value, slope) =
            self.evidence.with_gradient(&theta[self.kernel..], level(theta), &variances, by_kernel)?;
        let by_level = [slope.level.mean, slope.level.log_amplitude, slope.level.log_noise];
        before.iter_mut().zip(by_level).for_each(|(into, slope)| *into += slope);
        for (feature, by) in slope.by_log_variance.iter().enumerate() {
            before[LEVEL + self.trend.class(feature)] += by;
        }
        Some(prior + value)
    }
}
