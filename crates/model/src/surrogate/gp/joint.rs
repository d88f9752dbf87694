//! Joint distributions of several points: covariances, samples, and fantasies at pending points.
use super::features::Trend;
use super::model::{Draw, GpModel};
use crate::error::FitError;
use crate::gram::{Groups, Outcomes, Part, Posterior, TrendPosterior};
use crate::linalg::{Factor, Matrix, Scratch};
use crate::surrogate::{JointModel, Model, PendingOutcomes};
use arbora_space::{Points, Rng, normal};
use std::borrow::Cow;

impl GpModel {
    /// Covariances among all points in standardised units.
    pub(super) fn covariance_of(&self, draw: &Draw, at: &Points) -> Matrix {
        let (parts, trend) = (self.groups.whole_parts(at), self.trend.grown(at));
        let mut covariance = Matrix::zeros(at.len(), at.len());
        for (a, first) in parts.iter().enumerate() {
            for (b, second) in parts.iter().enumerate() {
                if a != b && trend.is_empty() {
                    continue;
                }
                let block = self.ask(first, &trend, draw, |x| {
                    self.ask(second, &trend, draw, |y| draw.posterior.covariance(&self.groups, x, y, a == b))
                });
                for (j, &col) in second.rows.iter().enumerate() {
                    let rows = first.rows.iter().enumerate();
                    rows.for_each(|(i, &row)| covariance.set(row, col, block.at(i, j)));
                }
            }
        }
        covariance
    }

    /// Standardised means, points × scenarios.
    pub(super) fn means_of(&self, draw: &Draw, at: &Points, parts: &[Part]) -> Matrix {
        let trend = self.trend.grown(at);
        let mut means = Matrix::zeros(at.len(), self.scenarios);
        for part in parts {
            let said = self.ask(part, &trend, draw, |query| self.say(draw, query));
            for s in 0..self.scenarios {
                part.rows.iter().enumerate().for_each(|(i, &row)| means.set(row, s, said.mean.at(i, s)));
            }
        }
        means
    }

    /// Points that are correlated: those of one group, or all of them if a trend couples the
    /// groups.
    fn together(&self, at: &Points) -> Vec<Vec<usize>> {
        if self.trend.is_empty() {
            self.groups.whole_parts(at).into_iter().map(|part| part.rows).collect()
        } else {
            vec![(0..at.len()).collect()]
        }
    }

    /// mean + L·normals with L·Lᵀ = covariance + ridge·I; one column per column of normals.
    fn shifted(&self, draw: &Draw, at: &Points, ridge: f64, normals: &Matrix) -> Result<Matrix, FitError> {
        let (means, covariance) =
            (self.means_of(draw, at, &self.groups.parts(at)), self.covariance_of(draw, at));
        let (mut factor, mut scratch) = (Factor::default(), Scratch::default());
        factor.form(at.len(), ridge, &mut scratch, &mut |out| out.copy_lower(&covariance))?;
        let shift = factor.lower_product(normals);
        let scenario = |s: usize| if means.cols() == 1 { 0 } else { s };
        Ok(Matrix::from_fn(at.len(), normals.cols(), |i, s| means.at(i, scenario(s)) + shift.at(i, s)))
    }

    /// The fantasies at pending points for one draw.
    fn outcomes(
        &self,
        (draw, posterior): (&Draw, &TrendPosterior),
        pending: &Points,
        how: &PendingOutcomes,
        normals: &Matrix,
    ) -> Result<Matrix, FitError> {
        match *how {
            PendingOutcomes::Believer => Ok(self.means_of(draw, pending, &self.groups.parts(pending))),
            PendingOutcomes::Liar(loss) => {
                let told = self.scale.standardise(loss);
                Ok(Matrix::from_fn(pending.len(), self.scenarios, |_, _| told))
            }
            PendingOutcomes::Fantasies { .. } | PendingOutcomes::OnePerDraw => {
                self.shifted(draw, pending, posterior.noise(), normals)
            }
        }
    }
}

impl JointModel for GpModel {
    fn covariance(&self, draw: usize, at: &Points) -> Matrix {
        let (covariance, square) = (self.covariance_of(&self.draws[draw], at), self.scale.spread.powi(2));
        Matrix::from_fn(at.len(), at.len(), |i, j| square * covariance.at(i, j))
    }

    fn sample(&self, at: &Points, rng: &mut Rng) -> Result<Vec<f64>, FitError> {
        let draw = &self.draws[rng.below(self.draws.len())];
        let scenario = rng.below(self.scenarios);
        let normals: Vec<f64> = (0..at.len()).map(|_| rng.normal()).collect();
        let mut sampled = vec![0.0; at.len()];
        for rows in self.together(at) {
            let some = at.select(&rows);
            let normals = Matrix::from_fn(rows.len(), self.scenarios, |i, _| normals[rows[i]]);
            let drawn = self.shifted(draw, &some, 0.0, &normals)?;
            rows.iter()
                .zip(drawn.col(scenario))
                .for_each(|(&row, &loss)| sampled[row] = self.scale.raw(loss));
        }
        Ok(sampled)
    }

    fn fantasize(
        &self,
        pending: &Points,
        how: &PendingOutcomes,
        rng: &mut Rng,
    ) -> Result<Box<dyn Model>, FitError> {
        let scenarios = match *how {
            PendingOutcomes::Fantasies { count } if self.scenarios == 1 => count.max(1),
            _ => self.scenarios,
        };
        // The same random numbers for every draw of θ, so that only θ differs; or one per draw.
        let shared = match how {
            PendingOutcomes::Fantasies { .. } => {
                Matrix::from_fn(pending.len(), scenarios, |_, _| rng.normal())
            }
            PendingOutcomes::OnePerDraw => spread_normals(pending.len(), self.draws.len(), rng),
            _ => Matrix::default(),
        };
        let normals = |d: usize| match how {
            PendingOutcomes::OnePerDraw => {
                Cow::Owned(Matrix::from_fn(pending.len(), scenarios, |i, _| shared.at(i, d)))
            }
            _ => Cow::Borrowed(&shared),
        };
        let (groups, trend) = (self.groups.grown(pending), self.trend.grown(pending));
        let features = if trend.is_empty() { Matrix::default() } else { trend.rows(&groups.points()) };
        let grown = self.workers.map(self.draws.len(), |d| match &self.draws[d].posterior {
            Posterior::Plain(plain) => {
                let normals = normals(d);
                let outcomes = match *how {
                    PendingOutcomes::Believer => Outcomes::Means,
                    PendingOutcomes::Liar(loss) => Outcomes::Value(self.scale.standardise(loss)),
                    PendingOutcomes::Fantasies { .. } | PendingOutcomes::OnePerDraw => {
                        Outcomes::Normals(&normals)
                    }
                };
                let (plain, best) = plain.fantasize(&self.groups, &groups, &outcomes, scenarios)?;
                Ok((Draw { posterior: Posterior::Plain(plain), by_class: Vec::new() }, best))
            }
            Posterior::Trend(known) => {
                let draw = &self.draws[d];
                let outcomes = self.outcomes((draw, known), pending, how, &normals(d))?;
                let variances = trend.variances(&draw.by_class);
                let grown = Box::new(known.grown(&groups, &variances, &outcomes, &features)?);
                let least = |s: usize| outcomes.col(s).iter().copied().fold(f64::INFINITY, f64::min);
                let best = (0..outcomes.cols()).map(least).collect();
                Ok((Draw { posterior: Posterior::Trend(grown), by_class: draw.by_class.clone() }, best))
            }
        });
        self.fantasized(groups, trend, grown, scenarios)
    }
}

/// Standard normals, one row per point and one column per draw of θ. Those of a point are spread evenly over the
/// distribution, in an order of its own (a Latin hypercube), so that few draws cover it.
fn spread_normals(points: usize, draws: usize, rng: &mut Rng) -> Matrix {
    let mut normals = Matrix::zeros(points, draws);
    let mut strata: Vec<usize> = (0..draws).collect();
    for i in 0..points {
        rng.shuffle(&mut strata);
        for (d, &stratum) in strata.iter().enumerate() {
            normals.set(i, d, normal::quantile((stratum as f64 + rng.open_unit()) / draws as f64));
        }
    }
    normals
}

impl GpModel {
    /// The model of the draws that could be updated; an error if none could.
    fn fantasized(
        &self,
        groups: Groups,
        trend: Trend,
        grown: Vec<Result<(Draw, Vec<f64>), FitError>>,
        scenarios: usize,
    ) -> Result<Box<dyn Model>, FitError> {
        let (mut draws, mut best_fantasy, mut failure) = (Vec::new(), Vec::new(), None);
        for (draw, grown) in grown.into_iter().enumerate() {
            match grown {
                Ok((grown, best)) => {
                    best_fantasy.extend(best.iter().enumerate().map(|(scenario, &best)| {
                        let before = self.best_fantasy.get(draw * self.scenarios + scenario % self.scenarios);
                        before.copied().unwrap_or(f64::INFINITY).min(self.scale.raw(best))
                    }));
                    draws.push(grown);
                }
                Err(error) => failure = Some(error),
            }
        }
        if let (true, Some(error)) = (draws.is_empty(), failure) {
            return Err(error);
        }
        if best_fantasy.contains(&f64::INFINITY) {
            best_fantasy.clear();
        }
        Ok(Box::new(GpModel {
            groups,
            trend,
            draws,
            scale: self.scale,
            memory: self.memory.clone(),
            workers: self.workers.clone(),
            interrupt: self.interrupt.clone(),
            scenarios,
            best_fantasy,
        }))
    }
}
