//! A fitted Kriging model: predictions in original units, fantasies if the kernel is definite.
use super::cholesky::Cholesky;
use super::fitted::{Fitted, Predictor};
use super::level::Predicted;
use arbora_model::FitError;
use arbora_model::Prediction;
use arbora_model::linalg::{Factor, Matrix, Scratch};
use arbora_model::{JointModel, Memory, Model, PendingOutcomes, Scale};
use arbora_space::{Points, Rng};

pub(super) struct KrigingModel {
    pub(super) fitted: Fitted,
    pub(super) scale: Scale,
    pub(super) memory: Option<Memory>,
    /// Lowest fantasies in original units, one per scenario; empty if there are none.
    pub(super) best_fantasy: Vec<f64>,
}

impl Model for KrigingModel {
    fn predict(&self, at: &Points) -> Prediction {
        let Predicted { mean, share } = self.fitted.predict(at);
        let mut prediction = Prediction::zeros(1, mean.cols(), at.len());
        for scenario in 0..mean.cols() {
            let raw = mean.col(scenario).iter().map(|&mean| self.scale.raw(mean));
            prediction.mean_mut(0, scenario).iter_mut().zip(raw).for_each(|(into, mean)| *into = mean);
        }
        let unit = self.scale.spread * self.scale.spread * self.fitted.variance();
        prediction.variance_mut(0).iter_mut().zip(share).for_each(|(into, share)| *into = unit * share);
        if self.best_fantasy.is_empty() {
            prediction
        } else {
            prediction.with_best_fantasy(self.best_fantasy.clone())
        }
    }

    fn memory(&self) -> Option<&Memory> {
        self.memory.as_ref()
    }

    /// After a correction, points that were not corrected together have no covariance.
    fn joint(&self) -> Option<&dyn JointModel> {
        self.definite().map(|_| self as &dyn JointModel)
    }
}

impl KrigingModel {
    fn definite(&self) -> Option<&Cholesky> {
        match &self.fitted.predictor {
            Predictor::Cholesky(definite) => Some(definite),
            _ => None,
        }
    }

    /// Covariances among points, on standardised losses.
    fn among(&self, at: &Points) -> Matrix {
        let (fitted, mut among, mut cross) =
            (&self.fitted, Matrix::zeros(at.len(), at.len()), Matrix::default());
        fitted.recipe.kernel.batch(at).gram(&fitted.theta, &mut among);
        fitted.batch.cross(&fitted.theta, at, &mut cross);
        let definite = self.definite().expect("joint distributions are offered for definite kernels only");
        let shares = definite.relative_covariance(&among, cross);
        Matrix::from_fn(at.len(), at.len(), |i, j| fitted.variance() * shares.at(i, j))
    }

    /// mean + L·z, where L·Lᵀ is the covariance plus `noise`, on standardised losses; one column
    /// per scenario.
    fn drawn(&self, at: &Points, noise: f64, scenarios: usize, rng: &mut Rng) -> Result<Matrix, FitError> {
        let (mean, covariance) = (self.fitted.predict(at).mean, self.among(at));
        let mut factor = Factor::default();
        let fill = &mut |out: &mut Matrix| out.copy_lower(&covariance);
        factor.form(at.len(), noise, &mut Scratch::default(), fill)?;
        let normals = Matrix::from_fn(at.len(), scenarios, |_, _| rng.normal());
        let shift = factor.lower_product(&normals);
        let source = |s: usize| if mean.cols() == scenarios { s } else { 0 };
        Ok(Matrix::from_fn(at.len(), scenarios, |i, s| mean.at(i, source(s)) + shift.at(i, s)))
    }
}

impl JointModel for KrigingModel {
    fn covariance(&self, _draw: usize, at: &Points) -> Matrix {
        let (square, among) = (self.scale.spread * self.scale.spread, self.among(at));
        Matrix::from_fn(at.len(), at.len(), |i, j| square * among.at(i, j))
    }

    fn sample(&self, at: &Points, rng: &mut Rng) -> Result<Vec<f64>, FitError> {
        let drawn = self.drawn(at, 0.0, 1, rng)?;
        Ok(drawn.col(0).iter().map(|&loss| self.scale.raw(loss)).collect())
    }

    /// θ, μ̂ and the variances stay: fantasies carry no information about them.
    fn fantasize(
        &self,
        pending: &Points,
        how: &PendingOutcomes,
        rng: &mut Rng,
    ) -> Result<Box<dyn Model>, FitError> {
        let definite = self.definite().expect("joint distributions are offered for definite kernels only");
        let (fitted, level) = (&self.fitted, self.fitted.level);
        let already = definite.residuals.cols();
        let outcomes = match *how {
            PendingOutcomes::Believer => fitted.predict(pending).mean,
            PendingOutcomes::Liar(loss) => {
                Matrix::from_fn(pending.len(), already, |_, _| self.scale.standardise(loss))
            }
            PendingOutcomes::Fantasies { .. } | PendingOutcomes::OnePerDraw => {
                let scenarios = match *how {
                    PendingOutcomes::Fantasies { count } if already == 1 => count.max(1),
                    _ => already,
                };
                self.drawn(pending, level.variance * level.nugget, scenarios, rng)?
            }
        };
        let mut rows = fitted.rows.clone();
        rows.extend(pending);
        let (seen, scenarios) = (fitted.rows.len(), outcomes.cols());
        let source = |s: usize| if already == scenarios { s } else { 0 };
        let residuals = Matrix::from_fn(rows.len(), scenarios, |i, s| {
            if i < seen { definite.residuals.at(i, source(s)) } else { outcomes.at(i - seen, s) - level.mean }
        });
        let batch = fitted.recipe.kernel.batch(&rows);
        let mut gram = Matrix::zeros(rows.len(), rows.len());
        batch.gram(&fitted.theta, &mut gram);
        let predictor =
            Predictor::Cholesky(Cholesky::new(&gram, level.nugget, fitted.recipe.reinterpolate, residuals)?);
        let least = |s: usize| outcomes.col(s).iter().copied().fold(f64::INFINITY, f64::min);
        let before = |s: usize| self.best_fantasy.get(source(s)).copied().unwrap_or(f64::INFINITY);
        let best_fantasy = (0..scenarios).map(|s| before(s).min(self.scale.raw(least(s)))).collect();
        let (recipe, theta) = (fitted.recipe.clone(), fitted.theta.clone());
        let fitted = Fitted { recipe, rows, batch, theta, level, predictor };
        Ok(Box::new(KrigingModel { fitted, scale: self.scale, memory: self.memory.clone(), best_fantasy }))
    }
}
