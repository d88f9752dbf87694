//! A fitted Kriging model: predictions in original units, fantasies if the kernel is definite.
use super::definite::Definite;
use super::known::{Algebra, Known};
use super::level::Said;
use arbora_model::FitError;
use arbora_model::Prediction;
use arbora_model::linalg::{Factor, Matrix, Scratch};
use arbora_model::{Imagination, JointModel, Memory, Model, Scale};
use arbora_space::{Points, Rng};

pub(super) struct KrigingModel {
    pub(super) known: Known,
    pub(super) scale: Scale,
    pub(super) memory: Option<Memory>,
    /// Lowest fantasies in original units, one per scenario; empty if there are none.
    pub(super) imagined_best: Vec<f64>,
}

impl Model for KrigingModel {
    fn predict(&self, at: &Points) -> Prediction {
        let Said { mean, share } = self.known.predict(at);
        let mut prediction = Prediction::zeros(1, mean.cols(), at.len());
        for scenario in 0..mean.cols() {
            let raw = mean.col(scenario).iter().map(|&mean| self.scale.raw(mean));
            prediction.mean_mut(0, scenario).iter_mut().zip(raw).for_each(|(into, mean)| *into = mean);
        }
        let unit = self.scale.spread * self.scale.spread * self.known.variance();
        prediction.variance_mut(0).iter_mut().zip(share).for_each(|(into, share)| *into = unit * share);
        if self.imagined_best.is_empty() {
            prediction
        } else {
            prediction.with_imagined_best(self.imagined_best.clone())
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
    fn definite(&self) -> Option<&Definite> {
        match &self.known.algebra {
            Algebra::Definite(definite) => Some(definite),
            _ => None,
        }
    }

    /// Covariances among points, on standardised losses.
    fn among(&self, at: &Points) -> Matrix {
        let (known, mut among, mut cross) =
            (&self.known, Matrix::zeros(at.len(), at.len()), Matrix::default());
        known.recipe.kernel.batch(at).gram(&known.theta, &mut among);
        known.batch.cross(&known.theta, at, &mut cross);
        let definite = self.definite().expect("joint distributions are offered for definite kernels only");
        let shares = definite.share_among(&among, cross);
        Matrix::from_fn(at.len(), at.len(), |i, j| known.variance() * shares.at(i, j))
    }

    /// mean + L·z, where L·Lᵀ is the covariance plus `noise`, on standardised losses; one column
    /// per scenario.
    fn drawn(&self, at: &Points, noise: f64, scenarios: usize, rng: &mut Rng) -> Result<Matrix, FitError> {
        let (mean, covariance) = (self.known.predict(at).mean, self.among(at));
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
    fn imagine(
        &self,
        pending: &Points,
        how: &Imagination,
        rng: &mut Rng,
    ) -> Result<Box<dyn Model>, FitError> {
        let definite = self.definite().expect("joint distributions are offered for definite kernels only");
        let (known, level) = (&self.known, self.known.level);
        let already = definite.residuals.cols();
        let outcomes = match *how {
            Imagination::Believer => known.predict(pending).mean,
            Imagination::Liar(loss) => {
                Matrix::from_fn(pending.len(), already, |_, _| self.scale.standardise(loss))
            }
            Imagination::Fantasies { count } => {
                let scenarios = if already == 1 { count.max(1) } else { already };
                self.drawn(pending, level.variance * level.nugget, scenarios, rng)?
            }
        };
        let mut rows = known.rows.clone();
        rows.extend(pending);
        let (seen, scenarios) = (known.rows.len(), outcomes.cols());
        let source = |s: usize| if already == scenarios { s } else { 0 };
        let residuals = Matrix::from_fn(rows.len(), scenarios, |i, s| {
            if i < seen { definite.residuals.at(i, source(s)) } else { outcomes.at(i - seen, s) - level.mean }
        });
        let batch = known.recipe.kernel.batch(&rows);
        let mut gram = Matrix::zeros(rows.len(), rows.len());
        batch.gram(&known.theta, &mut gram);
        let algebra =
            Algebra::Definite(Definite::new(&gram, level.nugget, known.recipe.reinterpolate, residuals)?);
        let least = |s: usize| outcomes.col(s).iter().copied().fold(f64::INFINITY, f64::min);
        let before = |s: usize| self.imagined_best.get(source(s)).copied().unwrap_or(f64::INFINITY);
        let imagined_best = (0..scenarios).map(|s| before(s).min(self.scale.raw(least(s)))).collect();
        let (recipe, theta) = (known.recipe.clone(), known.theta.clone());
        let known = Known { recipe, rows, batch, theta, level, algebra };
        Ok(Box::new(KrigingModel { known, scale: self.scale, memory: self.memory.clone(), imagined_best }))
    }
}
