//! A fitted Gaussian process: one posterior per draw of θ, predictions in raw units.
use crate::error::FitError;
use crate::gram::{Groups, Normals, Outcomes, Posterior};
use crate::interrupt::Interrupt;
use crate::linalg::{Factor, Matrix, Scratch};
use crate::prediction::Prediction;
use crate::surrogate::{
    GradientModel, Imagination, JointModel, Memory, Model, PredictionSlope, Scale, Support,
};
use crate::workers::Workers;
use arbora_space::{Point, Points, Rng};

/// Beyond so many rows the draws of θ are so alike that a few of them tell which points are worth asking all.
const ALIKE: usize = 100;
/// The few.
const FEW: usize = 3;

pub(super) struct GpModel {
    pub(super) groups: Groups,
    pub(super) draws: Vec<Posterior>,
    pub(super) scale: Scale,
    pub(super) memory: Option<Memory>,
    pub(super) workers: Workers,
    pub(super) interrupt: Interrupt,
    pub(super) scenarios: usize,
    /// Lowest imagined outcomes in raw units, draw after draw; empty if nothing is imagined.
    pub(super) imagined_best: Vec<f64>,
}

impl GpModel {
    /// What some of the draws say.
    fn predict_by(&self, draws: &[usize], at: &Points) -> Prediction {
        let parts = self.groups.parts(at);
        let workers = self.workers.for_work(draws.len() * self.groups.work(&parts));
        let said = workers.map(parts.len() * draws.len(), |item| {
            let (draw, part) = (draws[item % draws.len()], &parts[item / draws.len()]);
            if self.interrupt.is_raised() {
                return Normals::unsaid(part.rows.len(), self.scenarios);
            }
            self.draws[draw].predict(&self.groups, part, self.scenarios)
        });
        let mut prediction = self.blank(draws, at.len());
        for (item, said) in said.iter().enumerate() {
            let (place, part) = (item % draws.len(), &parts[item / draws.len()]);
            self.write(&mut prediction, place, &part.rows, said);
        }
        prediction
    }

    /// Writes what the draw at some place of a prediction says about some of the points.
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

    fn blank(&self, draws: &[usize], points: usize) -> Prediction {
        let blank = Prediction::zeros(draws.len(), self.scenarios, points);
        if self.imagined_best.is_empty() {
            return blank;
        }
        let best = |&draw: &usize| &self.imagined_best[draw * self.scenarios..][..self.scenarios];
        blank.with_imagined_best(draws.iter().flat_map(best).copied().collect())
    }

    fn all(&self) -> Vec<usize> {
        (0..self.draws.len()).collect()
    }
}

impl Model for GpModel {
    fn predict(&self, at: &Points) -> Prediction {
        self.predict_by(&self.all(), at)
    }

    /// By a few draws, spread over the chain.
    fn predict_roughly(&self, at: &Points) -> Option<Prediction> {
        let draws = self.draws.len();
        let few: Vec<usize> = (0..FEW).map(|i| (2 * i + 1) * draws / (2 * FEW)).collect();
        (draws >= 2 * FEW && self.groups.size() > ALIKE).then(|| self.predict_by(&few, at))
    }

    fn draws(&self) -> usize {
        self.draws.len()
    }

    fn predict_by_draw(&self, draw: usize, at: &Points) -> Prediction {
        self.predict_by(&[draw], at)
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
    fn support(&self, by: Support) -> Option<f64> {
        let of = |draw: &Posterior| match by {
            Support::Evidence => draw.evidence(),
            Support::LeaveOneOut => draw.leave_one_out(),
        };
        Some(self.draws.iter().map(of).sum::<f64>() / self.draws.len() as f64)
    }
}

impl GradientModel for GpModel {
    fn slope(&self, at: Point<'_>, columns: &[usize]) -> PredictionSlope {
        self.slope_by(&self.all(), at, columns)
    }

    fn slope_by_draw(&self, draw: usize, at: Point<'_>, columns: &[usize]) -> PredictionSlope {
        self.slope_by(&[draw], at, columns)
    }
}

impl GpModel {
    fn slope_by(&self, draws: &[usize], at: Point<'_>, columns: &[usize]) -> PredictionSlope {
        let mut point = Points::new(at.x().len());
        point.push(at);
        let (part, spread) = (&self.groups.parts(&point)[0], self.scale.spread);
        let mut prediction = self.blank(draws, 1);
        let (mut means, mut variances) = (Vec::new(), Vec::new());
        for (d, draw) in draws.iter().map(|&draw| &self.draws[draw]).enumerate() {
            let known = draw.slope(&self.groups, part, columns, self.scenarios);
            let (normals, slope) = known.expect("a model offers gradients only if its kernel has slopes");
            self.write(&mut prediction, d, &part.rows, &normals);
            means.push(Matrix::from_fn(columns.len(), self.scenarios, |c, s| spread * slope.mean.at(c, s)));
            variances.push(slope.variance.iter().map(|slope| spread * spread * slope).collect());
        }
        PredictionSlope { prediction, mean: means, variance: variances }
    }
}

impl JointModel for GpModel {
    fn covariance(&self, draw: usize, at: &Points) -> Matrix {
        let mut covariance = Matrix::zeros(at.len(), at.len());
        for part in self.groups.whole_parts(at) {
            let block = self.draws[draw].covariance(&self.groups, &part);
            for (j, &col) in part.rows.iter().enumerate() {
                for (i, &row) in part.rows.iter().enumerate() {
                    let entry = self.scale.spread * self.scale.spread * block.at(i.max(j), i.min(j));
                    covariance.set(row, col, entry);
                }
            }
        }
        covariance
    }

    fn sample(&self, at: &Points, rng: &mut Rng) -> Result<Vec<f64>, FitError> {
        let draw = &self.draws[rng.below(self.draws.len())];
        let scenario = rng.below(self.scenarios);
        let normals: Vec<f64> = (0..at.len()).map(|_| rng.normal()).collect();
        let mut sampled = vec![0.0; at.len()];
        let (mut factor, mut scratch) = (Factor::default(), Scratch::default());
        for part in self.groups.whole_parts(at) {
            let means = draw.predict(&self.groups, &part, self.scenarios).mean;
            let covariance = draw.covariance(&self.groups, &part);
            factor.form(part.rows.len(), 0.0, &mut scratch, &mut |out| out.copy_lower(&covariance))?;
            for (i, &row) in part.rows.iter().enumerate() {
                let shifts = part.rows[..=i].iter().enumerate();
                let shift: f64 = shifts.map(|(j, &other)| factor.lower().at(i, j) * normals[other]).sum();
                sampled[row] = self.scale.raw(means.at(i, scenario) + shift);
            }
        }
        Ok(sampled)
    }

    fn imagine(
        &self,
        pending: &Points,
        how: &Imagination,
        rng: &mut Rng,
    ) -> Result<Box<dyn Model>, FitError> {
        let scenarios = match *how {
            Imagination::Fantasies { count } if self.scenarios == 1 => count.max(1),
            _ => self.scenarios,
        };
        let normals;
        let outcomes = match *how {
            Imagination::Believer => Outcomes::Means,
            Imagination::Liar(loss) => Outcomes::Value(self.scale.standardise(loss)),
            Imagination::Fantasies { .. } => {
                // The same numbers under every draw of θ: what differs between draws is θ alone.
                normals = Matrix::from_fn(pending.len(), scenarios, |_, _| rng.normal());
                Outcomes::Normals(&normals)
            }
        };
        let groups = self.groups.grown(pending);
        let grown = self.workers.map(self.draws.len(), |draw| {
            self.draws[draw].imagine(&self.groups, &groups, &outcomes, scenarios)
        });
        self.imagined(groups, grown, scenarios)
    }
}

impl GpModel {
    /// The model of the draws that could be grown; the error of one if none could.
    fn imagined(
        &self,
        groups: Groups,
        grown: Vec<Result<(Posterior, Vec<f64>), FitError>>,
        scenarios: usize,
    ) -> Result<Box<dyn Model>, FitError> {
        let (mut draws, mut imagined_best, mut failure) = (Vec::new(), Vec::new(), None);
        for (draw, grown) in grown.into_iter().enumerate() {
            match grown {
                Ok((posterior, best)) => {
                    imagined_best.extend(best.iter().enumerate().map(|(scenario, &best)| {
                        let before =
                            self.imagined_best.get(draw * self.scenarios + scenario % self.scenarios);
                        before.copied().unwrap_or(f64::INFINITY).min(self.scale.raw(best))
                    }));
                    draws.push(posterior);
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
        let interrupt = self.interrupt.clone();
        Ok(Box::new(GpModel { groups, draws, scale, memory, workers, interrupt, scenarios, imagined_best }))
    }
}
