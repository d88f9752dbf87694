//! A fitted Gaussian process: one posterior per draw of θ, predictions in original units.
use super::features::Trend;
use crate::gram::{Groups, Normals, Part, Posterior, Query, Slope};
use crate::interrupt::Interrupt;
use crate::linalg::Matrix;
use crate::prediction::Prediction;
use crate::surrogate::{
    BranchModel, GradientModel, JointModel, Memory, Model, ModelScore, PredictionSlope, Scale,
};
use crate::workers::Workers;
use arbora_space::{Point, Points};

/// Beyond this many rows, draws of θ are so similar that a few of them can preselect points.
const ALIKE: usize = 100;
/// The number of draws used for that.
const FEW: usize = 3;

/// The process at one θ, and ln s of every class of weights.
pub(super) struct Draw {
    pub(super) posterior: Posterior,
    pub(super) by_class: Vec<f64>,
}

pub(super) struct GpModel {
    pub(super) groups: Groups,
    pub(super) trend: Trend,
    pub(super) draws: Vec<Draw>,
    pub(super) scale: Scale,
    pub(super) memory: Option<Memory>,
    pub(super) workers: Workers,
    pub(super) interrupt: Interrupt,
    pub(super) scenarios: usize,
    /// Lowest fantasies in original units, draw by draw; empty if there are none.
    pub(super) best_fantasy: Vec<f64>,
}

impl GpModel {
    /// Predictions by some of the draws for every part, using one of the prediction functions.
    pub(super) fn predict_by(
        &self,
        draws: &[usize],
        at: &Points,
        say: impl Fn(&Draw, &Query<'_>) -> Normals + Sync + Send,
    ) -> Prediction {
        let (parts, trend) = (self.groups.parts(at), self.trend.grown(at));
        let workers = self.workers.for_work(draws.len() * self.groups.work(&parts));
        let said = workers.map(parts.len() * draws.len(), |item| {
            let (draw, part) = (&self.draws[draws[item % draws.len()]], &parts[item / draws.len()]);
            if self.interrupt.is_raised() {
                return Normals::placeholder(part.rows.len(), self.scenarios);
            }
            self.ask(part, &trend, draw, |query| say(draw, query))
        });
        let mut prediction = self.blank(draws, at.len());
        for (item, said) in said.iter().enumerate() {
            let (place, part) = (item % draws.len(), &parts[item / draws.len()]);
            self.write(&mut prediction, place, &part.rows, said);
        }
        prediction
    }

    /// Applies a function to a draw and a part, with a trend that knows all nodes of its points.
    pub(super) fn ask<T>(
        &self,
        part: &Part,
        trend: &Trend,
        draw: &Draw,
        answer: impl FnOnce(&Query<'_>) -> T,
    ) -> T {
        let unseen = &trend.variances(&draw.by_class)[self.trend.len()..];
        answer(&Query { part, features: trend.rows(&part.points), unseen })
    }

    pub(super) fn say(&self, draw: &Draw, query: &Query<'_>) -> Normals {
        draw.posterior.predict(&self.groups, query, self.scenarios)
    }

    /// Writes the prediction of one draw for some of the points.
    fn write(&self, prediction: &mut Prediction, draw: usize, rows: &[usize], said: &Normals) {
        let Scale { spread, .. } = self.scale;
        for scenario in 0..self.scenarios {
            let means = prediction.mean_mut(draw, scenario);
            rows.iter()
                .zip(said.mean.col(scenario))
                .for_each(|(&row, &mean)| means[row] = self.scale.raw(mean));
        }
        let variances = prediction.variance_mut(draw);
        rows.iter()
            .zip(&said.variance)
            .for_each(|(&row, variance)| variances[row] = spread * spread * variance);
    }

    pub(super) fn blank(&self, draws: &[usize], points: usize) -> Prediction {
        let blank = Prediction::zeros(draws.len(), self.scenarios, points);
        if self.best_fantasy.is_empty() {
            return blank;
        }
        let best = |&draw: &usize| &self.best_fantasy[draw * self.scenarios..][..self.scenarios];
        blank.with_best_fantasy(draws.iter().flat_map(best).copied().collect())
    }

    pub(super) fn all(&self) -> Vec<usize> {
        (0..self.draws.len()).collect()
    }
}

impl Model for GpModel {
    fn predict(&self, at: &Points) -> Prediction {
        self.predict_by(&self.all(), at, |draw, query| self.say(draw, query))
    }

    /// Uses a few draws, spread over the chain. With a trend, draws differ in their predictions of
    /// whole branches, which decide between candidates, so all draws are used.
    fn predict_approximately(&self, at: &Points) -> Option<Prediction> {
        let draws = self.draws.len();
        let few: Vec<usize> = (0..FEW).map(|i| (2 * i + 1) * draws / (2 * FEW)).collect();
        let is_worth_it = self.trend.is_empty() && draws >= 2 * FEW && self.groups.size() > ALIKE;
        is_worth_it.then(|| self.predict_by(&few, at, |draw, query| self.say(draw, query)))
    }

    fn draws(&self) -> usize {
        self.draws.len()
    }

    fn predict_by_draw(&self, draw: usize, at: &Points) -> Prediction {
        self.predict_by(&[draw], at, |draw, query| self.say(draw, query))
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

    /// The mean over the draws of θ, on standardised losses.
    fn model_score(&self, by: ModelScore) -> Option<f64> {
        let of = |draw: &Draw| match (&draw.posterior, by) {
            (Posterior::Plain(plain), ModelScore::Evidence) => Some(plain.evidence()),
            (Posterior::Plain(plain), ModelScore::LeaveOneOut) => Some(plain.leave_one_out()),
            (Posterior::Trend(_), _) => None,
        };
        let sum: Option<f64> = self.draws.iter().map(of).sum();
        sum.map(|sum| sum / self.draws.len() as f64)
    }

    fn branches(&self) -> Option<&dyn BranchModel> {
        (!self.trend.is_empty()).then_some(self)
    }
}

impl GradientModel for GpModel {
    fn slope(&self, at: Point<'_>, columns: &[usize]) -> PredictionSlope {
        self.slope_by(&self.all(), at, columns, |draw, query, by_place| {
            self.say_slope(draw, query, columns, by_place)
        })
    }

    fn slope_by_draw(&self, draw: usize, at: Point<'_>, columns: &[usize]) -> PredictionSlope {
        self.slope_by(&[draw], at, columns, |draw, query, by_place| {
            self.say_slope(draw, query, columns, by_place)
        })
    }
}

impl GpModel {
    fn say_slope(
        &self,
        draw: &Draw,
        query: &Query<'_>,
        columns: &[usize],
        by_place: &Matrix,
    ) -> (Normals, Slope) {
        let known = draw.posterior.slope(&self.groups, query, columns, by_place, self.scenarios);
        known.expect("a model offers gradients only if its kernel has slopes")
    }

    /// Predictions by some of the draws at one point and their derivatives, using one of the
    /// prediction functions.
    pub(super) fn slope_by(
        &self,
        draws: &[usize],
        at: Point<'_>,
        columns: &[usize],
        say: impl Fn(&Draw, &Query<'_>, &Matrix) -> (Normals, Slope),
    ) -> PredictionSlope {
        let mut point = Points::new(at.x().len());
        point.push(at);
        let (part, spread) = (&self.groups.parts(&point)[0], self.scale.spread);
        let (trend, by_place) = (self.trend.grown(&point), self.trend.slopes(at, columns));
        let mut prediction = self.blank(draws, 1);
        let (mut means, mut variances) = (Vec::new(), Vec::new());
        for (d, draw) in draws.iter().map(|&draw| &self.draws[draw]).enumerate() {
            let (normals, slope) = self.ask(part, &trend, draw, |query| say(draw, query, &by_place));
            self.write(&mut prediction, d, &part.rows, &normals);
            means.push(Matrix::from_fn(columns.len(), self.scenarios, |c, s| spread * slope.mean.at(c, s)));
            variances.push(slope.variance.iter().map(|slope| spread * spread * slope).collect());
        }
        PredictionSlope { prediction, mean: means, variance: variances }
    }
}
