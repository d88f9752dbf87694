//! A fitted tree model: one posterior per draw of θ, predictions in raw units.
use super::features::{Features, Register};
use crate::error::FitError;
use crate::gram::{Groups, Normals, Outcome, Part, Query, Slope, TrendPosterior};
use crate::interrupt::Interrupt;
use crate::linalg::{Factor, Matrix, Scratch};
use crate::prediction::Prediction;
use crate::surrogate::{
    BranchModel, GradientModel, Imagination, JointModel, Memory, Model, PredictionSlope, Scale,
};
use crate::workers::Workers;
use arbora_space::{Point, Points, Rng};
use std::sync::Arc;

/// The process at one θ, and ln s of every class.
pub(super) struct Draw {
    pub(super) posterior: TrendPosterior,
    pub(super) by_class: Vec<f64>,
    /// Standardised; one column per scenario.
    pub(super) losses: Matrix,
}

pub(super) struct TreeModel {
    pub(super) points: Points,
    pub(super) groups: Groups,
    pub(super) register: Register,
    pub(super) features: Arc<Features>,
    pub(super) draws: Vec<Draw>,
    pub(super) scale: Scale,
    pub(super) memory: Option<Memory>,
    pub(super) workers: Workers,
    pub(super) interrupt: Interrupt,
    /// Lowest imagined outcomes in raw units, draw after draw; empty if nothing is imagined.
    pub(super) imagined_best: Vec<f64>,
}

impl TreeModel {
    fn scenarios(&self) -> usize {
        self.draws[0].losses.cols()
    }

    fn blank(&self, points: usize) -> Prediction {
        let blank = Prediction::zeros(self.draws.len(), self.scenarios(), points);
        if self.imagined_best.is_empty() {
            blank
        } else {
            blank.with_imagined_best(self.imagined_best.clone())
        }
    }

    /// Features of a part under a register that knows all its nodes, and the variances of those no row has.
    fn ask<T>(
        &self,
        part: &Part,
        register: &Register,
        draw: &Draw,
        answer: impl FnOnce(&Query<'_>) -> T,
    ) -> T {
        let unseen = &register.variances(&draw.by_class)[self.register.len()..];
        answer(&Query { part, features: self.features.rows(&part.points, register), unseen })
    }

    fn write(&self, prediction: &mut Prediction, draw: usize, rows: &[usize], said: &Normals) {
        let spread = self.scale.spread;
        for scenario in 0..self.scenarios() {
            let means = prediction.mean_mut(draw, scenario);
            rows.iter()
                .zip(said.mean.col(scenario))
                .for_each(|(&row, &mean)| means[row] = self.scale.raw(mean));
        }
        let variances = prediction.variance_mut(draw);
        rows.iter().zip(&said.variance).for_each(|(&row, v)| variances[row] = spread * spread * v);
    }

    /// What every draw says about every part, by one of the two ways to ask.
    fn predict_by(
        &self,
        at: &Points,
        say: impl Fn(&Draw, &Query<'_>) -> Normals + Sync + Send,
    ) -> Prediction {
        let (parts, draws) = (self.groups.parts(at), self.draws.len());
        let register = self.features.grown(&self.register, at);
        let workers = self.workers.for_work(draws * self.groups.work(&parts));
        let said = workers.map(parts.len() * draws, |item| {
            let draw = &self.draws[item % draws];
            if self.interrupt.is_raised() {
                return Normals::unsaid(parts[item / draws].rows.len(), self.scenarios());
            }
            self.ask(&parts[item / draws], &register, draw, |query| say(draw, query))
        });
        let mut prediction = self.blank(at.len());
        for (item, said) in said.iter().enumerate() {
            self.write(&mut prediction, item % draws, &parts[item / draws].rows, said);
        }
        prediction
    }
}

impl Model for TreeModel {
    fn predict(&self, at: &Points) -> Prediction {
        self.predict_by(at, |draw, query| draw.posterior.predict(&self.groups, query))
    }

    fn memory(&self) -> Option<&Memory> {
        self.memory.as_ref()
    }

    fn gradients(&self) -> Option<&dyn GradientModel> {
        self.groups.has_slopes().then_some(self)
    }

    fn joint(&self) -> Option<&dyn JointModel> {
        Some(self)
    }

    fn branches(&self) -> Option<&dyn BranchModel> {
        Some(self)
    }
}

impl BranchModel for TreeModel {
    fn columns(&self) -> &[usize] {
        self.features.columns()
    }

    fn predict_branches(&self, at: &Points) -> Prediction {
        self.predict_by(at, |draw, query| draw.posterior.predict_trend(query))
    }

    fn predict_average(&self, over: &Points) -> Prediction {
        let (count, spread) = (over.len() as f64, self.scale.spread);
        let mut prediction = self.blank(1);
        for (d, draw) in self.draws.iter().enumerate() {
            let (means, covariance) = (self.means_of(draw, over), self.covariance_of(draw, over));
            for scenario in 0..self.scenarios() {
                let mean = means.col(scenario).iter().sum::<f64>() / count;
                prediction.mean_mut(d, scenario)[0] = self.scale.raw(mean);
            }
            let sum: f64 = (0..over.len()).map(|j| covariance.col(j).iter().sum::<f64>()).sum();
            prediction.variance_mut(d)[0] = spread * spread * (sum / (count * count)).max(0.0);
        }
        prediction
    }

    fn branch_slope(&self, at: Point<'_>, columns: &[usize]) -> PredictionSlope {
        self.slope_by(at, columns, |draw, query, by_place| draw.posterior.trend_slope(query, by_place))
    }
}

impl GradientModel for TreeModel {
    fn slope(&self, at: Point<'_>, columns: &[usize]) -> PredictionSlope {
        self.slope_by(at, columns, |draw, query, by_place| {
            let known = draw.posterior.slope(&self.groups, query, columns, by_place);
            known.expect("a model offers gradients only if its kernel has slopes")
        })
    }
}

impl TreeModel {
    /// What every draw says about one point and its derivatives, by one of the two ways to ask.
    fn slope_by(
        &self,
        at: Point<'_>,
        columns: &[usize],
        say: impl Fn(&Draw, &Query<'_>, &Matrix) -> (Normals, Slope),
    ) -> PredictionSlope {
        let mut point = Points::new(at.x().len());
        point.push(at);
        let (part, spread) = (&self.groups.parts(&point)[0], self.scale.spread);
        let register = self.features.grown(&self.register, &point);
        let by_place = self.features.slopes(at, columns, self.register.len());
        let mut prediction = self.blank(1);
        let (mut means, mut variances) = (Vec::new(), Vec::new());
        for (d, draw) in self.draws.iter().enumerate() {
            let (normals, slope) = self.ask(part, &register, draw, |query| say(draw, query, &by_place));
            self.write(&mut prediction, d, &part.rows, &normals);
            means.push(Matrix::from_fn(columns.len(), self.scenarios(), |c, s| spread * slope.mean.at(c, s)));
            variances.push(slope.variance.iter().map(|slope| spread * spread * slope).collect());
        }
        PredictionSlope { prediction, mean: means, variance: variances }
    }
}

impl TreeModel {
    /// Covariances among all points in standardised units.
    fn covariance_of(&self, draw: &Draw, at: &Points) -> Matrix {
        let (parts, register) = (self.groups.whole_parts(at), self.features.grown(&self.register, at));
        let mut covariance = Matrix::zeros(at.len(), at.len());
        for (a, first) in parts.iter().enumerate() {
            for (b, second) in parts.iter().enumerate() {
                let block = self.ask(first, &register, draw, |x| {
                    self.ask(second, &register, draw, |y| {
                        draw.posterior.covariance(&self.groups, x, y, a == b)
                    })
                });
                for (j, &col) in second.rows.iter().enumerate() {
                    first
                        .rows
                        .iter()
                        .enumerate()
                        .for_each(|(i, &row)| covariance.set(row, col, block.at(i, j)));
                }
            }
        }
        covariance
    }

    /// Standardised means, points × scenarios.
    fn means_of(&self, draw: &Draw, at: &Points) -> Matrix {
        let register = self.features.grown(&self.register, at);
        let mut means = Matrix::zeros(at.len(), self.scenarios());
        for part in self.groups.parts(at) {
            let said = self.ask(&part, &register, draw, |query| draw.posterior.predict(&self.groups, query));
            for s in 0..self.scenarios() {
                part.rows.iter().enumerate().for_each(|(i, &row)| means.set(row, s, said.mean.at(i, s)));
            }
        }
        means
    }

    /// mean + L·normals with L·Lᵀ = covariance + ridge·I; one column per column of normals.
    fn shifted(&self, draw: &Draw, at: &Points, ridge: f64, normals: &Matrix) -> Result<Matrix, FitError> {
        let (means, covariance) = (self.means_of(draw, at), self.covariance_of(draw, at));
        let (mut factor, mut scratch) = (Factor::default(), Scratch::default());
        factor.form(at.len(), ridge, &mut scratch, &mut |out| out.copy_lower(&covariance))?;
        let shift = factor.lower_product(normals);
        let scenario = |s: usize| if means.cols() == 1 { 0 } else { s };
        Ok(Matrix::from_fn(at.len(), normals.cols(), |i, s| means.at(i, scenario(s)) + shift.at(i, s)))
    }

    /// What the outcomes of pending points are taken to be under one draw.
    fn outcomes(
        &self,
        draw: &Draw,
        pending: &Points,
        how: &Imagination,
        normals: &Matrix,
    ) -> Result<Matrix, FitError> {
        let level = draw.posterior.level();
        match *how {
            Imagination::Believer => Ok(self.means_of(draw, pending)),
            Imagination::Liar(loss) => {
                let told = self.scale.standardise(loss);
                Ok(Matrix::from_fn(pending.len(), self.scenarios(), |_, _| told))
            }
            Imagination::Fantasies { .. } => {
                self.shifted(draw, pending, level.variance * level.ratio, normals)
            }
        }
    }
}

impl JointModel for TreeModel {
    fn covariance(&self, draw: usize, at: &Points) -> Matrix {
        let (covariance, square) = (self.covariance_of(&self.draws[draw], at), self.scale.spread.powi(2));
        Matrix::from_fn(at.len(), at.len(), |i, j| square * covariance.at(i, j))
    }

    fn sample(&self, at: &Points, rng: &mut Rng) -> Result<Vec<f64>, FitError> {
        let draw = &self.draws[rng.below(self.draws.len())];
        let scenario = rng.below(self.scenarios());
        let normals: Vec<f64> = (0..at.len()).map(|_| rng.normal()).collect();
        let normals = Matrix::from_fn(at.len(), self.scenarios(), |i, _| normals[i]);
        let sampled = self.shifted(draw, at, 0.0, &normals)?;
        Ok(sampled.col(scenario).iter().map(|&loss| self.scale.raw(loss)).collect())
    }

    fn imagine(
        &self,
        pending: &Points,
        how: &Imagination,
        rng: &mut Rng,
    ) -> Result<Box<dyn Model>, FitError> {
        let scenarios = match *how {
            Imagination::Fantasies { count } if self.scenarios() == 1 => count.max(1),
            _ => self.scenarios(),
        };
        // The same numbers under every draw of θ: what differs between draws is θ alone.
        let normals = match how {
            Imagination::Fantasies { .. } => Matrix::from_fn(pending.len(), scenarios, |_, _| rng.normal()),
            _ => Matrix::default(),
        };
        let mut points = self.points.clone();
        points.extend(pending);
        let groups = self.groups.grown(pending);
        let register = self.features.grown(&self.register, pending);
        let rows = self.features.rows(&points, &register);
        let grown = self.workers.map(self.draws.len(), |d| {
            let draw = &self.draws[d];
            let outcomes = self.outcomes(draw, pending, how, &normals)?;
            let losses = with_outcomes(&draw.losses, &outcomes, scenarios);
            let variances = register.variances(&draw.by_class);
            let (theta, level) = (draw.posterior.theta(), draw.posterior.level());
            let given = Outcome { theta, level, variances: &variances, losses: &losses, features: &rows };
            let posterior = TrendPosterior::new(&groups, &given)?;
            Ok(Draw { posterior, by_class: draw.by_class.clone(), losses })
        });
        self.imagined(points, groups, register, grown)
    }
}

/// Known losses, and below them those imagined.
fn with_outcomes(known: &Matrix, outcomes: &Matrix, scenarios: usize) -> Matrix {
    let source = |s: usize| if known.cols() == scenarios { s } else { 0 };
    Matrix::from_fn(known.rows() + outcomes.rows(), scenarios, |i, s| {
        if i < known.rows() { known.at(i, source(s)) } else { outcomes.at(i - known.rows(), s) }
    })
}

impl TreeModel {
    /// The model of the draws that could be grown; the error of one if none could.
    fn imagined(
        &self,
        points: Points,
        groups: Groups,
        register: Register,
        grown: Vec<Result<Draw, FitError>>,
    ) -> Result<Box<dyn Model>, FitError> {
        let (mut draws, mut imagined_best, mut failure) = (Vec::new(), Vec::new(), None);
        for (d, grown) in grown.into_iter().enumerate() {
            match grown {
                Ok(draw) => {
                    for s in 0..draw.losses.cols() {
                        let new = draw.losses.col(s)[self.points.len()..]
                            .iter()
                            .copied()
                            .fold(f64::INFINITY, f64::min);
                        let before = self.imagined_best.get(d * self.scenarios() + s % self.scenarios());
                        imagined_best.push(before.copied().unwrap_or(f64::INFINITY).min(self.scale.raw(new)));
                    }
                    draws.push(draw);
                }
                Err(error) => failure = Some(error),
            }
        }
        if let (true, Some(error)) = (draws.is_empty(), failure) {
            return Err(error);
        }
        if imagined_best.contains(&f64::INFINITY) {
            imagined_best.clear();
        }
        let (scale, memory, workers) = (self.scale, self.memory.clone(), self.workers.clone());
        let features = self.features.clone();
        Ok(Box::new(TreeModel {
            points,
            groups,
            register,
            features,
            draws,
            scale,
            memory,
            workers,
            interrupt: self.interrupt.clone(),
            imagined_best,
        }))
    }
}
