//! One interface for the process with and without a linear trend. Without features there is no
//! trend.
use super::Level;
use super::evidence::PlainEvidence;
use super::groups::Groups;
use super::posterior::{Normals, PlainPosterior, Slope};
use super::trend::{EvidenceSlope, Outcome, Query, TrendEvidence, TrendPosterior};
use crate::error::FitError;
use crate::linalg::{Matrix, Scratch};

/// The likelihood of θ, the level and the variances of the weights (none without a trend).
pub(crate) enum Evidence<'a> {
    Plain(PlainEvidence<'a>),
    Trend(TrendEvidence<'a>),
}

impl<'a> Evidence<'a> {
    /// `features` has one row per loss.
    pub(crate) fn new(groups: &'a Groups, losses: &[f64], features: &Matrix) -> Self {
        if features.cols() == 0 {
            Evidence::Plain(PlainEvidence::new(groups, losses))
        } else {
            Evidence::Trend(TrendEvidence::new(groups, losses, features))
        }
    }

    /// ln p(y); −∞ if it cannot be computed.
    pub(crate) fn at(&mut self, theta: &[f64], level: Level, variances: &[f64]) -> f64 {
        match self {
            Evidence::Plain(evidence) => evidence.at(theta, level),
            Evidence::Trend(evidence) => evidence.at(theta, level, variances),
        }
    }

    /// ln p(y) as a function of one hyper of the kernel, the others at θ.
    pub(crate) fn along<'s>(
        &'s mut self,
        theta: &[f64],
        level: Level,
        variances: Vec<f64>,
        hyper: usize,
    ) -> Box<dyn FnMut(f64) -> f64 + 's> {
        match self {
            Evidence::Plain(evidence) => Box::new(evidence.along(theta, level, hyper)),
            Evidence::Trend(evidence) => {
                let mut theta = theta.to_vec();
                Box::new(move |value| {
                    theta[hyper] = value;
                    evidence.at(&theta, level, &variances)
                })
            }
        }
    }

    /// ln p(y). Adds its derivatives with respect to θ to `gradient` and returns the others; `None`
    /// if the kernel has no gradient.
    pub(crate) fn with_gradient(
        &mut self,
        theta: &[f64],
        level: Level,
        variances: &[f64],
        gradient: &mut [f64],
    ) -> Option<(f64, EvidenceSlope)> {
        match self {
            Evidence::Plain(evidence) => {
                let (value, level) = evidence.with_gradient(theta, level, gradient)?;
                Some((value, EvidenceSlope { level, by_log_variance: Vec::new() }))
            }
            Evidence::Trend(evidence) => evidence.with_gradient(theta, level, variances, gradient),
        }
    }
}

/// The process at one θ, conditioned on rows and losses.
pub(crate) enum Posterior {
    Plain(PlainPosterior),
    Trend(Box<TrendPosterior>),
}

impl Posterior {
    pub(crate) fn new(groups: &Groups, given: &Outcome<'_>) -> Result<Self, FitError> {
        if given.features.cols() > 0 {
            return Ok(Posterior::Trend(Box::new(TrendPosterior::new(groups, given)?)));
        }
        let (theta, losses) = (given.theta, given.losses.col(0));
        let plain = PlainPosterior::new(groups, losses, theta, given.level, &mut Scratch::default())?;
        Ok(Posterior::Plain(plain))
    }

    /// Means and variances of the latent function at the points of one part.
    pub(crate) fn predict(&self, groups: &Groups, query: &Query<'_>, scenarios: usize) -> Normals {
        match self {
            Posterior::Plain(plain) => plain.predict(groups, query.part, scenarios),
            Posterior::Trend(trend) => trend.predict(groups, query),
        }
    }

    /// Mean and variance at the single point of a part, and their derivatives. `by_place` holds the
    /// derivatives of its features, one row per coordinate. `None` if the kernel has no gradient.
    pub(crate) fn slope(
        &self,
        groups: &Groups,
        query: &Query<'_>,
        columns: &[usize],
        by_place: &Matrix,
        scenarios: usize,
    ) -> Option<(Normals, Slope)> {
        match self {
            Posterior::Plain(plain) => plain.slope(groups, query.part, columns, scenarios),
            Posterior::Trend(trend) => trend.slope(groups, query, columns, by_place),
        }
    }

    /// Covariances of the latent function between the points of two parts. Without a trend,
    /// different groups are uncorrelated.
    pub(crate) fn covariance(&self, groups: &Groups, a: &Query<'_>, b: &Query<'_>, is_same: bool) -> Matrix {
        match self {
            Posterior::Trend(trend) => trend.covariance(groups, a, b, is_same),
            Posterior::Plain(plain) if is_same => {
                let lower = plain.covariance(groups, a.part);
                Matrix::from_fn(lower.rows(), lower.cols(), |i, j| lower.at(i.max(j), i.min(j)))
            }
            Posterior::Plain(_) => Matrix::zeros(a.part.rows.len(), b.part.rows.len()),
        }
    }
}
