//! A wish per unit of cost  [Snoek et al. 2012, "EI per second"].
//!
//! score = ln a(x) − ln E[cost(x)], the cost a model of ln cost: e^{μ_c} as in Spearmint, or the log-normal mean
//! e^{μ_c + σ_c²/2}. Only for wishes that are logarithms. Where cheap places are bad ones it digs there too long:
//! prefer plain improvement when the budget counts evaluations.
use super::{Utility, UtilitySlope};
use arbora_model::{GradientModel, Model};
use arbora_space::{Point, Points};
use serde::{Deserialize, Serialize};

/// What a cost is expected to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExpectedCost {
    /// e^{μ}, as if the model were sure.
    #[default]
    PlugIn,
    /// e^{μ + σ²/2}.
    LogNormal,
}

/// A wish divided by what it costs.
pub struct PerCost<'a> {
    /// On the logarithmic scale.
    pub wish: Box<dyn Utility + 'a>,
    /// Of ln cost.
    pub cost: &'a dyn Model,
    /// What is divided by.
    pub expected: ExpectedCost,
}

impl PerCost<'_> {
    fn half(&self) -> f64 {
        match self.expected {
            ExpectedCost::PlugIn => 0.0,
            ExpectedCost::LogNormal => 0.5,
        }
    }

    fn gradients(&self) -> Option<&dyn GradientModel> {
        self.cost.gradients()
    }
}

impl Utility for PerCost<'_> {
    fn score(&self, at: &Points) -> Vec<f64> {
        let said = self.cost.predict(at);
        let (mean, half) = (said.mixture_mean(), self.half());
        let draws = said.draws() as f64;
        let within = |i: usize| (0..said.draws()).map(|d| said.variance(d)[i]).sum::<f64>() / draws;
        let scores = self.wish.score(at).into_iter().enumerate();
        scores.map(|(i, score)| score - mean[i] - half * within(i)).collect()
    }

    fn slope(&self) -> Option<&dyn UtilitySlope> {
        (self.wish.slope().is_some() && self.gradients().is_some()).then_some(self)
    }
}

impl UtilitySlope for PerCost<'_> {
    fn score_with_slope(&self, at: Point<'_>, columns: &[usize], slope: &mut [f64]) -> f64 {
        let wish = self.wish.slope().expect("a slope is offered only where both parts have one");
        let cost = self.gradients().expect("a slope is offered only where both parts have one");
        let score = wish.score_with_slope(at, columns, slope);
        let (local, half) = (cost.slope(at, columns), self.half());
        let draws = local.prediction.draws();
        let mut price = 0.0;
        for draw in 0..draws {
            let share = 1.0 / draws as f64;
            price += share * (local.prediction.mean(draw, 0)[0] + half * local.prediction.variance(draw)[0]);
            for (j, s) in slope.iter_mut().enumerate() {
                *s -= share * (local.mean[draw].at(j, 0) + half * local.variance[draw][j]);
            }
        }
        score - price
    }
}
