//! The log posterior of θ: log marginal likelihood plus log densities of the hypers.
//!
//! θ = (m, ln σ_f, ln σ_n, then the kernel's), on standardised losses. Once it is no longer wanted it is −∞ everywhere,
//! which ends every search for θ soon.
use crate::gram::{Evidence, Groups, Level};
use crate::hyper::Hyper;
use crate::infer::LogDensity;
use crate::interrupt::Interrupt;

/// How many coordinates of θ come before the kernel's.
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
    evidence: Evidence<'a>,
    observations: usize,
    work: f64,
}

impl<'a> Target<'a> {
    pub(super) fn new(
        hypers: &'a [Hyper],
        groups: &'a Groups,
        losses: &[f64],
        interrupt: &'a Interrupt,
    ) -> Self {
        Self {
            hypers,
            interrupt,
            evidence: Evidence::new(groups, losses),
            observations: losses.len(),
            work: groups.likelihood_work(),
        }
    }

    fn log_prior(&self, theta: &[f64]) -> f64 {
        self.hypers.iter().zip(theta).map(|(hyper, &at)| hyper.log_density(at)).sum()
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
        let prior = self.log_prior(theta);
        if prior.is_finite() {
            prior + self.evidence.at(&theta[LEVEL..], level(theta))
        } else {
            f64::NEG_INFINITY
        }
    }

    fn along<'a>(&'a mut self, theta: &[f64], coordinate: usize) -> Box<dyn FnMut(f64) -> f64 + 'a> {
        let mut theta = theta.to_vec();
        if coordinate < LEVEL {
            return Box::new(move |value| {
                theta[coordinate] = value;
                self.at(&theta)
            });
        }
        let (hypers, interrupt) = (self.hypers, self.interrupt);
        let hyper = &hypers[coordinate];
        let others = self.log_prior(&theta) - hyper.log_density(theta[coordinate]);
        let mut evidence = self.evidence.along(&theta[LEVEL..], level(&theta), coordinate - LEVEL);
        Box::new(move |value| {
            if interrupt.is_raised() {
                return f64::NEG_INFINITY;
            }
            let prior = others + hyper.log_density(value);
            if prior.is_finite() { prior + evidence(value) } else { f64::NEG_INFINITY }
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
        let (by_level, by_kernel) = gradient.split_at_mut(LEVEL);
        let (value, slope) = self.evidence.with_gradient(&theta[LEVEL..], level(theta), by_kernel)?;
        for (into, slope) in by_level.iter_mut().zip([slope.mean, slope.log_amplitude, slope.log_noise]) {
            *into += slope;
        }
        Some(prior + value)
    }
}
