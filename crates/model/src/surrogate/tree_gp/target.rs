//! The log posterior of θ of the tree model: θ = (m, ln σ_f, ln σ_n, ln s of every class, then the kernel's).
use super::features::Register;
use crate::gram::{Groups, Level, TrendEvidence};
use crate::hyper::Hyper;
use crate::infer::LogDensity;
use crate::interrupt::Interrupt;
use crate::linalg::Matrix;

/// How many coordinates of θ come before the variances of the weights.
pub(super) const LEVEL: usize = 3;

/// Mean, amplitude and noise that θ stands for.
pub(super) fn level(theta: &[f64]) -> Level {
    Level {
        mean: theta[0],
        variance: libm::exp(2.0 * theta[1]),
        ratio: libm::exp(2.0 * (theta[2] - theta[1])),
    }
}

pub(super) struct Target<'a> {
    pub(super) hypers: &'a [Hyper],
    interrupt: &'a Interrupt,
    evidence: TrendEvidence<'a>,
    register: &'a Register,
    /// Where the kernel's coordinates begin.
    kernel: usize,
    observations: usize,
}

impl<'a> Target<'a> {
    pub(super) fn new(
        hypers: &'a [Hyper],
        groups: &'a Groups,
        losses: &[f64],
        (register, rows): (&'a Register, &Matrix),
        interrupt: &'a Interrupt,
    ) -> Self {
        let kernel = LEVEL + register.classes();
        let evidence = TrendEvidence::new(groups, losses, rows);
        Self { hypers, interrupt, evidence, register, kernel, observations: losses.len() }
    }

    fn log_prior(&self, theta: &[f64]) -> f64 {
        self.hypers.iter().zip(theta).map(|(hyper, &at)| hyper.log_density(at)).sum()
    }

    fn variances(&self, theta: &[f64]) -> Vec<f64> {
        self.register.variances(&theta[LEVEL..self.kernel])
    }
}

impl LogDensity for Target<'_> {
    fn hypers(&self) -> &[Hyper] {
        self.hypers
    }

    fn observations(&self) -> usize {
        self.observations
    }

    fn at(&mut self, theta: &[f64]) -> f64 {
        if self.interrupt.is_raised() {
            return f64::NEG_INFINITY;
        }
        let prior = self.log_prior(theta);
        if !prior.is_finite() {
            return f64::NEG_INFINITY;
        }
        let variances = self.variances(theta);
        prior + self.evidence.at(&theta[self.kernel..], level(theta), &variances)
    }

    fn along<'a>(&'a mut self, theta: &[f64], coordinate: usize) -> Box<dyn FnMut(f64) -> f64 + 'a> {
        let mut theta = theta.to_vec();
        Box::new(move |value| {
            theta[coordinate] = value;
            self.at(&theta)
        })
    }

    fn with_gradient(&mut self, theta: &[f64], gradient: &mut [f64]) -> Option<f64> {
        if self.interrupt.is_raised() {
            gradient.fill(0.0);
            return Some(f64::NEG_INFINITY);
        }
        let prior = self.log_prior(theta);
        if !prior.is_finite() {
            gradient.fill(0.0);
            return Some(f64::NEG_INFINITY);
        }
        for ((slope, hyper), &at) in gradient.iter_mut().zip(self.hypers).zip(theta) {
            *slope = hyper.log_density_slope(at);
        }
        let variances = self.variances(theta);
        let (before, by_kernel) = gradient.split_at_mut(self.kernel);
        let (value, slope) =
            self.evidence.with_gradient(&theta[self.kernel..], level(theta), &variances, by_kernel)?;
        let by_level = [slope.level.mean, slope.level.log_amplitude, slope.level.log_noise];
        before.iter_mut().zip(by_level).for_each(|(into, slope)| *into += slope);
        for (feature, by) in slope.by_log_variance.iter().enumerate() {
            before[LEVEL + self.register.class(feature)] += by;
        }
        Some(prior + value)
    }
}
