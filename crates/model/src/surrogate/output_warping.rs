//! Output warping: transforms losses to be closer to normal before a model is fitted.
//!
//! Yeo–Johnson  ψ(y) = ((y+1)^λ − 1)/λ for y ≥ 0, −((1−y)^{2−λ} − 1)/(2−λ) for y < 0,
//! λ by maximum likelihood  [Yeo & Johnson 2000];
//! copula  zᵢ = Φ⁻¹((rankᵢ − ½)/n), at least 1/(4·n^¼·√(π ln n)) from the ends
//! [Wilson & Ghahramani 2010; Salinas et al. 2020]
//!
//! A normal N(μ, σ²) of the inner model becomes, in original units, the normal with mean g(μ) and
//! standard deviation ½(g(μ+σ) − g(μ−σ)), where g is the inverse: this preserves medians and the
//! quantiles one deviation away, but not tails. Good for losses with a heavy upper tail, such as
//! failures reported as a large loss; unnecessary for losses that are near normal.
mod curve;

use super::{
    GradientModel, Memory, Model, ModelScore, PredictionSlope, Surrogate, SurrogateContext, SurrogateSpec,
};
use crate::component::Component;
use crate::dataset::Dataset;
use crate::error::{FitError, SpecError};
use crate::interrupt::Interrupt;
use crate::linalg::Matrix;
use crate::prediction::Prediction;
use arbora_space::{Point, Points, Rng};
use curve::Curve;
pub use curve::Output;
use serde::{Deserialize, Serialize};

/// A surrogate of transformed losses, as data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutputWarpingSpec {
    /// The transform.
    pub output: Output,
    /// The surrogate fitted to transformed losses.
    pub inner: SurrogateSpec,
}

impl Component<dyn Surrogate> for OutputWarpingSpec {
    const KIND: &'static str = "reshaped";

    fn build(&self, context: SurrogateContext<'_>) -> Result<Box<dyn Surrogate>, SpecError> {
        Ok(Box::new(OutputWarping { inner: self.inner.build(context)?, output: self.output }))
    }
}

/// The surrogate; built by [`OutputWarpingSpec`].
pub struct OutputWarping {
    pub(crate) inner: Box<dyn Surrogate>,
    pub(crate) output: Output,
}

impl Surrogate for OutputWarping {
    fn training_rows(&self, data: &Dataset) -> Option<Vec<usize>> {
        self.inner.training_rows(data)
    }

    fn fit_until(
        &self,
        data: &Dataset,
        memory: Option<&Memory>,
        rng: &mut Rng,
        interrupt: &Interrupt,
    ) -> Result<Box<dyn Model>, FitError> {
        let curve = Curve::of(self.output, data.losses());
        let losses = data.losses().iter().map(|&loss| curve.transform(loss)).collect();
        let bent = Dataset::new(data.points().clone(), losses)?;
        let inner = self.inner.fit_until(&bent, memory, rng, interrupt)?;
        Ok(Box::new(ReshapedModel { inner, curve }))
    }
}

struct ReshapedModel {
    inner: Box<dyn Model>,
    curve: Curve,
}

impl ReshapedModel {
    /// Mean and standard deviation in original units.
    fn original_units(&self, mean: f64, sd: f64) -> (f64, f64) {
        let [low, middle, high] = [mean - sd, mean, mean + sd].map(|z| self.curve.inverse(z).0);
        // Where the curve is flat, only rounding is left of σ: keep it small but positive.
        (middle, (0.5 * (high - low)).max(1e-12 * sd * self.curve.spread()))
    }

    fn retold(&self, said: &Prediction) -> Prediction {
        let mut told = Prediction::zeros(said.draws(), said.scenarios(), said.len());
        for draw in 0..said.draws() {
            for i in 0..said.len() {
                let (mean, sd) = self.original_units(said.mean(draw, 0)[i], said.variance(draw)[i].sqrt());
                told.mean_mut(draw, 0)[i] = mean;
                told.variance_mut(draw)[i] = sd * sd;
            }
        }
        told
    }
}

impl Model for ReshapedModel {
    fn predict(&self, at: &Points) -> Prediction {
        self.retold(&self.inner.predict(at))
    }

    fn memory(&self) -> Option<&Memory> {
        self.inner.memory()
    }

    fn gradients(&self) -> Option<&dyn GradientModel> {
        self.inner.gradients().map(|_| self as &dyn GradientModel)
    }

    fn model_score(&self, by: ModelScore) -> Option<f64> {
        self.inner.model_score(by)
    }
}

impl GradientModel for ReshapedModel {
    fn slope(&self, at: Point<'_>, columns: &[usize]) -> PredictionSlope {
        let gradients = self.inner.gradients().expect("offered only if the inner model has gradients");
        let inner = gradients.slope(at, columns);
        let prediction = self.retold(&inner.prediction);
        let (mut means, mut variances) = (Vec::new(), Vec::new());
        for draw in 0..inner.prediction.draws() {
            let (mean, sd) = (inner.prediction.mean(draw, 0)[0], inner.prediction.variance(draw)[0].sqrt());
            let [low, middle, high] = [mean - sd, mean, mean + sd].map(|z| self.curve.inverse(z).1);
            let told = prediction.variance(draw)[0].sqrt();
            let by_mean = |c: usize| inner.mean[draw].at(c, 0);
            means.push(Matrix::from_fn(columns.len(), 1, |c, _| middle * by_mean(c)));
            let variance = |c: usize| {
                let by_sd = inner.variance[draw][c] / (2.0 * sd);
                told * ((high - low) * by_mean(c) + (high + low) * by_sd)
            };
            variances.push((0..columns.len()).map(variance).collect());
        }
        PredictionSlope { prediction, mean: means, variance: variances }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::{Fixed, InferenceSpec};
    use crate::surrogate::GpSpec;
    use crate::testing::{World, assert_surrogate_laws};
    use crate::workers::Workers;
    use arbora_space::{ColumnKind, Layout};

    fn reshaped(output: Output, layout: &Layout) -> Box<dyn Surrogate> {
        let inner = SurrogateSpec::new(GpSpec { infer: InferenceSpec::new(Fixed {}), ..GpSpec::default() });
        SurrogateSpec::new(OutputWarpingSpec { output, inner })
            .build(SurrogateContext::new(layout, &Workers::serial()))
            .unwrap()
    }

    #[test]
    fn it_keeps_the_laws() {
        for output in [Output::YeoJohnson, Output::Copula] {
            assert_surrogate_laws(&|layout| reshaped(output, layout));
        }
    }

    #[test]
    fn slopes_equal_central_differences() {
        let mut rng = Rng::new(6);
        let world = World::random(&mut rng);
        let points = world.points(20, &mut rng);
        let losses = points.iter().map(|row| libm::exp(3.0 * row.x()[1])).collect();
        let data = Dataset::new(points, losses).unwrap();
        let model = reshaped(Output::YeoJohnson, &world.layout).fit(&data, None, &mut rng).unwrap();
        for row in world.points(8, &mut rng).iter() {
            let numeric = |c: &usize| world.layout.columns[*c].kind == ColumnKind::Numeric;
            let columns: Vec<usize> = row.active().columns().filter(numeric).collect();
            let slope = model.gradients().unwrap().slope(row, &columns);
            for (c, &column) in columns.iter().enumerate() {
                let moved = |step: f64| {
                    let mut moved = Points::new(row.x().len());
                    moved.push_moved(row, &[column], &[row.x()[column] + step]);
                    let said = model.predict(&moved);
                    (said.mean(0, 0)[0], said.variance(0)[0])
                };
                let (up, down) = (moved(1e-5), moved(-1e-5));
                for (found, difference) in
                    [(slope.mean[0].at(c, 0), up.0 - down.0), (slope.variance[0][c], up.1 - down.1)]
                {
                    assert!((found - difference / 2e-5).abs() <= 1e-5 * found.abs().max(0.1), "{found}");
                }
            }
        }
    }
}
