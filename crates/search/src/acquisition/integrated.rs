//! A rule averaged over draws of θ and over imagined outcomes  [Snoek et al. 2012].
//!
//! â(x) = 1/(S·F) Σₛ Σⱼ a(x | θₛ, outcome j), the mean taken by log-sum-exp where scores are logarithms. With
//! imagined outcomes the loss to beat is the lesser of the best seen and the best imagined.
use super::improvement::Improvement;
use super::{BranchUtility, Reference, Utility, UtilitySlope};
use arbora_model::{BranchModel, GradientModel, Model, Prediction, PredictionSlope};
use arbora_space::{Point, Points};

/// A rule bound to a model.
pub struct Integrated<'m, R> {
    rule: R,
    model: &'m dyn Model,
    gradients: Option<&'m dyn GradientModel>,
    branches: Option<&'m dyn BranchModel>,
    best: f64,
    /// Losses are scored in units of their spread: what counts as certain must not depend on the user's units.
    per_loss: f64,
}

impl<'m, R: Improvement> Integrated<'m, R> {
    /// Binds a rule to a model and to what it is measured against.
    pub fn new(rule: R, model: &'m dyn Model, reference: &Reference) -> Self {
        let per_loss = reference.spread.recip();
        let (gradients, branches) = (model.gradients(), model.branches());
        Self { rule, model, gradients, branches, best: reference.best, per_loss }
    }

    fn to_beat(&self, prediction: &Prediction, draw: usize, scenario: usize) -> f64 {
        let best =
            prediction.best_fantasy(draw, scenario).map_or(self.best, |imagined| imagined.min(self.best));
        best * self.per_loss
    }

    /// How much one score moves the average.
    fn share(&self, score: f64, total: f64) -> f64 {
        match (self.rule.is_logarithm(), total.is_finite()) {
            (false, _) => 1.0,
            (true, true) => libm::exp(score - total),
            (true, false) => 0.0,
        }
    }

    fn average(&self, scores: &[f64]) -> f64 {
        if self.rule.is_logarithm() {
            log_mean_exp(scores)
        } else {
            scores.iter().sum::<f64>() / scores.len() as f64
        }
    }
}

/// ln (1/n Σ e^s), computed from the greatest so that nothing overflows.
pub(super) fn log_mean_exp(scores: &[f64]) -> f64 {
    let top = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if top.is_infinite() || scores.len() == 1 {
        return top;
    }
    let sum: f64 = scores.iter().map(|s| libm::exp(s - top)).sum();
    top + libm::log(sum / scores.len() as f64)
}

impl<R: Improvement> Integrated<'_, R> {
    /// One averaged score per point of a prediction.
    fn averages(&self, prediction: &Prediction) -> Vec<f64> {
        let (draws, scenarios) = (prediction.draws(), prediction.scenarios());
        let mut scores = vec![0.0; draws * scenarios];
        let sd: Vec<Vec<f64>> = (0..draws)
            .map(|d| prediction.variance(d).iter().map(|v| v.sqrt() * self.per_loss).collect())
            .collect();
        (0..prediction.len())
            .map(|i| {
                for draw in 0..draws {
                    for scenario in 0..scenarios {
                        let mean = prediction.mean(draw, scenario)[i] * self.per_loss;
                        let best = self.to_beat(prediction, draw, scenario);
                        scores[draw * scenarios + scenario] = self.rule.score(mean, sd[draw][i], best);
                    }
                }
                self.average(&scores)
            })
            .collect()
    }
}

impl<R: Improvement> Utility for Integrated<'_, R> {
    fn score(&self, at: &Points) -> Vec<f64> {
        self.averages(&self.model.predict(at))
    }

    fn rough_score(&self, at: &Points) -> Option<Vec<f64>> {
        Some(self.averages(&self.model.predict_approximately(at)?))
    }

    fn opinions(&self) -> usize {
        self.model.draws()
    }

    fn score_by(&self, opinion: usize, at: &Points) -> Vec<f64> {
        self.averages(&self.model.predict_by_draw(opinion, at))
    }

    fn branches(&self) -> Option<&dyn BranchUtility> {
        self.branches.is_some().then_some(self)
    }

    fn slope(&self) -> Option<&dyn UtilitySlope> {
        self.gradients.is_some().then_some(self)
    }
}

impl<R: Improvement> UtilitySlope for Integrated<'_, R> {
    fn score_with_slope(&self, at: Point<'_>, columns: &[usize], slope: &mut [f64]) -> f64 {
        let gradients = self.gradients.expect("a slope is offered only where the model has gradients");
        self.average_with_slope(&gradients.slope(at, columns), slope)
    }

    fn score_with_slope_by(
        &self,
        opinion: usize,
        at: Point<'_>,
        columns: &[usize],
        slope: &mut [f64],
    ) -> f64 {
        let gradients = self.gradients.expect("a slope is offered only where the model has gradients");
        self.average_with_slope(&gradients.slope_by_draw(opinion, at, columns), slope)
    }
}

/// The rule on what the path alone says: with expected improvement, the path EI  [Jenatton et al. 2017, eq. 6].
impl<R: Improvement> BranchUtility for Integrated<'_, R> {
    fn columns(&self) -> &[usize] {
        self.of_branches().columns()
    }

    fn score(&self, at: &Points) -> Vec<f64> {
        self.averages(&self.of_branches().predict_branches(at))
    }

    fn score_average(&self, over: &Points) -> f64 {
        self.averages(&self.of_branches().predict_average(over))[0]
    }

    fn score_with_slope(&self, at: Point<'_>, columns: &[usize], slope: &mut [f64]) -> f64 {
        self.average_with_slope(&self.of_branches().branch_slope(at, columns), slope)
    }
}

impl<R: Improvement> Integrated<'_, R> {
    fn of_branches(&self) -> &dyn BranchModel {
        self.branches.expect("branches are offered only where the model knows them")
    }

    /// The averaged score of one predicted point, and its derivatives.
    fn average_with_slope(&self, local: &PredictionSlope, slope: &mut [f64]) -> f64 {
        let prediction = &local.prediction;
        let (draws, scenarios) = (prediction.draws(), prediction.scenarios());
        let mut scores = Vec::with_capacity(draws * scenarios);
        let mut slopes = Vec::with_capacity(draws * scenarios);
        for draw in 0..draws {
            let sd = prediction.variance(draw)[0].sqrt() * self.per_loss;
            for scenario in 0..scenarios {
                let best = self.to_beat(prediction, draw, scenario);
                let (score, by_mean, by_sd) =
                    self.rule.slope(prediction.mean(draw, scenario)[0] * self.per_loss, sd, best);
                scores.push(score);
                // ∂σ/∂x = ∂σ²/∂x / 2σ; a certain point has no slope in its doubt.
                slopes.push((by_mean, if sd > 0.0 { by_sd / (2.0 * sd) } else { 0.0 }));
            }
        }
        let total = self.average(&scores);
        slope.fill(0.0);
        for (k, ((by_mean, by_variance), score)) in slopes.into_iter().zip(&scores).enumerate() {
            let (draw, scenario) = (k / scenarios, k % scenarios);
            let share = self.share(*score, total) / scores.len() as f64;
            for (j, s) in slope.iter_mut().enumerate() {
                let (mean, variance) = (local.mean[draw].at(j, scenario), local.variance[draw][j]);
                *s +=
                    share * (by_mean * mean * self.per_loss + by_variance * variance * self.per_loss.powi(2));
            }
        }
        total
    }
}

/// A rule of its own is an acquisition: averaged over draws and imagined outcomes.
macro_rules! integrated {
    ($rule:ty) => {
        impl $crate::acquisition::Acquisition for $rule {
            fn over<'m>(
                &self,
                model: &'m dyn arbora_model::Model,
                reference: &$crate::acquisition::Reference,
                _rng: &mut arbora_space::Rng,
            ) -> Result<Box<dyn $crate::acquisition::Utility + 'm>, $crate::error::SearchError> {
                Ok(Box::new($crate::acquisition::Integrated::new(*self, model, reference)))
            }

            fn is_logarithm(&self) -> bool {
                $crate::acquisition::Improvement::is_logarithm(self)
            }
        }
    };
}
pub(super) use integrated;
