//! Predictions of whole branches, by a process with a trend.
use super::model::GpModel;
use crate::gram::Posterior;
use crate::prediction::Prediction;
use crate::surrogate::{BranchModel, PredictionSlope};
use arbora_space::{Point, Points};

/// Why a posterior has a trend here.
const HAS_TREND: &str = "only a model with a trend predicts branches";

impl BranchModel for GpModel {
    fn columns(&self) -> &[usize] {
        self.trend.columns()
    }

    fn predict_branches(&self, at: &Points) -> Prediction {
        self.predict_by(&self.all(), at, |draw, query| match &draw.posterior {
            Posterior::Trend(posterior) => posterior.predict_trend(query),
            Posterior::Plain(_) => unreachable!("{HAS_TREND}"),
        })
    }

    fn predict_average(&self, over: &Points) -> Prediction {
        let (count, spread) = (over.len() as f64, self.scale.spread);
        let mut prediction = self.blank(&self.all(), 1);
        for (d, draw) in self.draws.iter().enumerate() {
            let parts = self.groups.parts(over);
            let (means, covariance) = (self.means_of(draw, over, &parts), self.covariance_of(draw, over));
            for scenario in 0..self.scenarios {
                let mean = means.col(scenario).iter().sum::<f64>() / count;
                prediction.mean_mut(d, scenario)[0] = self.scale.raw(mean);
            }
            let sum: f64 = (0..over.len()).map(|j| covariance.col(j).iter().sum::<f64>()).sum();
            prediction.variance_mut(d)[0] = spread * spread * (sum / (count * count)).max(0.0);
        }
        prediction
    }

    fn branch_slope(&self, at: Point<'_>, columns: &[usize]) -> PredictionSlope {
        self.slope_by(&self.all(), at, columns, |draw, query, by_place| match &draw.posterior {
            Posterior::Trend(posterior) => posterior.trend_slope(query, by_place),
            Posterior::Plain(_) => unreachable!("{HAS_TREND}"),
        })
    }
}
