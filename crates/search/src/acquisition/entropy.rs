//! Max-value entropy search  [Wang & Jegelka 2017]: how much would an observation say about the least loss?
//!
//! α = (1/K) Σₖ a(γₖ),  γₖ = (μ − f*ₖ)/σ,  a(γ) = γφ(γ)/(2Φ(γ)) − ln Φ(γ);  the score is ln α.
//!
//! Least losses f* are drawn from a Gumbel distribution fitted to the quartiles of P(f* > y) = Πᵢ Φ((μᵢ − y)/σᵢ) over
//! random anchors, separately for every draw of θ and scenario; no f* is above the best so far. Bound to a model in
//! O(anchors) predictions, then as cheap as EI. Where noise dominates it explores less than it thinks.
use super::integrated::log_mean_exp;
use super::{Acquisition, Component, PartContext, Reference, Utility, UtilitySlope};
use crate::error::{SearchError, at_least_one};
use arbora_model::special::{ln_cdf, ln_cdf_slope};
use arbora_model::{GradientModel, Model, Prediction};
use arbora_space::{Encoding, Point, Points, Rng, Space, normal};
use serde::{Deserialize, Serialize};

/// Halvings of the interval a quartile lies in: to the last bit of a double.
const HALVINGS: usize = 60;

/// ½ ln 2π.
const HALF_LN_TAU: f64 = 0.918_938_533_204_672_8;

/// The entropy search as data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MaxValueEntropySpec {
    /// Random points the least loss is looked for at.
    pub anchors: usize,
    /// Least losses imagined per draw of θ.
    pub minima: usize,
}

impl Default for MaxValueEntropySpec {
    fn default() -> Self {
        Self { anchors: 500, minima: 10 }
    }
}

impl Component<dyn Acquisition> for MaxValueEntropySpec {
    const KIND: &'static str = "max_value_entropy";

    fn build(&self, context: PartContext<'_>) -> Result<Box<dyn Acquisition>, SearchError> {
        at_least_one("anchors", self.anchors)?;
        at_least_one("minima", self.minima)?;
        let (space, encoding) = (context.space.clone(), context.encoding.clone());
        Ok(Box::new(MaxValueEntropy { space, encoding, anchors: self.anchors, minima: self.minima }))
    }
}

/// What the anchors are drawn from, and how many least losses are imagined.
pub struct MaxValueEntropy {
    /// Where anchors come from.
    pub space: Space,
    /// How the model sees them.
    pub encoding: Encoding,
    /// How many anchors.
    pub anchors: usize,
    /// K: least losses per draw of θ.
    pub minima: usize,
}

struct Bound<'m> {
    model: &'m dyn Model,
    gradients: Option<&'m dyn GradientModel>,
    /// Least losses by draw and scenario.
    minima: Vec<Vec<f64>>,
}

impl Acquisition for MaxValueEntropy {
    fn over<'m>(
        &self,
        model: &'m dyn Model,
        reference: &Reference,
        rng: &mut Rng,
    ) -> Result<Box<dyn Utility + 'm>, SearchError> {
        let drawn: Vec<_> = (0..self.anchors).map(|_| self.space.sample(rng)).collect::<Result<_, _>>()?;
        let said = model.predict(&self.space.encode(&drawn, &self.encoding));
        // The same uniform numbers for every draw: what differs between draws is θ alone.
        let levels: Vec<f64> = (0..self.minima).map(|_| rng.open_unit()).collect();
        let mut minima = Vec::with_capacity(said.draws() * said.scenarios());
        for draw in 0..said.draws() {
            for scenario in 0..said.scenarios() {
                let beaten = said.best_fantasy(draw, scenario).unwrap_or(f64::INFINITY).min(reference.best);
                minima.push(least_losses(&said, draw, scenario, &levels, beaten));
            }
        }
        Ok(Box::new(Bound { model, gradients: model.gradients(), minima }))
    }

    fn is_logarithm(&self) -> bool {
        true
    }
}

/// Draws of the least loss, by inversion of a Gumbel distribution for minima through the quartiles.
fn least_losses(said: &Prediction, draw: usize, scenario: usize, levels: &[f64], best: f64) -> Vec<f64> {
    let (means, variances) = (said.mean(draw, scenario), said.variance(draw));
    let ln_survival = |y: f64| -> f64 {
        means.iter().zip(variances).map(|(m, v)| ln_cdf((m - y) / v.sqrt().max(f64::MIN_POSITIVE))).sum()
    };
    let quartile = |p: f64| {
        let reach = |sign: f64, start: f64, pick: fn(f64, f64) -> f64| {
            means.iter().zip(variances).fold(start, |far, (m, v)| pick(far, m + sign * 40.0 * v.sqrt()))
        };
        let (mut low, mut high) =
            (reach(-1.0, f64::INFINITY, f64::min), reach(1.0, f64::NEG_INFINITY, f64::max));
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if ln_survival(middle) > libm::log1p(-p) { low = middle } else { high = middle }
        }
        0.5 * (low + high)
    };
    // F(y) = 1 − exp(−e^{(y−a)/b}): y = a + b·ln(−ln(1−p)).
    let at = |p: f64| libm::log(-libm::log1p(-p));
    let (low, middle, high) = (quartile(0.25), quartile(0.5), quartile(0.75));
    let b = ((high - low) / (at(0.75) - at(0.25))).max(0.0);
    let a = middle - b * at(0.5);
    levels.iter().map(|&p| (a + b * at(p)).min(best)).collect()
}

/// ln a(γ) and a′/a. Far in either tail the terms cancel or underflow and are written by their expansions.
fn ln_gain(gamma: f64) -> (f64, f64) {
    let ratio = ln_cdf_slope(gamma);
    let slope = -0.5 * ratio * (1.0 + gamma * gamma + gamma * ratio);
    if gamma < -1e3 {
        let gain = libm::log(-gamma) + HALF_LN_TAU - 0.5;
        return (libm::log(gain), (gamma * gain).recip());
    }
    if gamma < 5.0 {
        let gain = 0.5 * gamma * ratio - ln_cdf(gamma);
        return (libm::log(gain), slope / gain);
    }
    let ln_phi = -0.5 * gamma * gamma - HALF_LN_TAU;
    let ln_above = ln_cdf(-gamma);
    // −ln Φ = Q·(1 + Q/2 + …), Q = Φ(−γ); beyond γ = 5 the second term is below rounding after the third.
    let above = libm::exp(ln_above);
    let relative = 0.5 * gamma / normal::cdf(gamma)
        + libm::exp(ln_above - ln_phi) * (1.0 + above / 2.0 + above * above / 3.0);
    let by_gamma = -0.5 * (1.0 + gamma * gamma + gamma * ratio) / normal::cdf(gamma);
    (ln_phi + libm::log(relative), by_gamma / relative)
}

impl Utility for Bound<'_> {
    fn score(&self, at: &Points) -> Vec<f64> {
        let said = self.model.predict(at);
        let scenarios = said.scenarios();
        let at_point = |i: usize| {
            let mut terms = Vec::new();
            for (k, minima) in self.minima.iter().enumerate() {
                let (mean, sd) =
                    (said.mean(k / scenarios, k % scenarios)[i], said.variance(k / scenarios)[i].sqrt());
                terms.extend(minima.iter().map(|f| ln_gain((mean - f) / sd).0));
            }
            let score = log_mean_exp(&terms);
            if score.is_nan() { f64::NEG_INFINITY } else { score }
        };
        (0..at.len()).map(at_point).collect()
    }

    fn slope(&self) -> Option<&dyn UtilitySlope> {
        self.gradients.is_some().then_some(self)
    }
}

impl UtilitySlope for Bound<'_> {
    fn score_with_slope(&self, at: Point<'_>, columns: &[usize], slope: &mut [f64]) -> f64 {
        let gradients = self.gradients.expect("a slope is offered only where the model has gradients");
        let local = gradients.slope(at, columns);
        let scenarios = local.prediction.scenarios();
        let (mut terms, mut slopes) = (Vec::new(), Vec::new());
        for (k, minima) in self.minima.iter().enumerate() {
            let (draw, scenario) = (k / scenarios, k % scenarios);
            let sd = local.prediction.variance(draw)[0].sqrt();
            let mean = local.prediction.mean(draw, scenario)[0];
            for f in minima {
                let gamma = (mean - f) / sd;
                let (term, by_gamma) = ln_gain(gamma);
                terms.push(term);
                // ∂γ/∂μ = 1/σ, ∂γ/∂σ² = −γ/2σ².
                slopes.push((draw, scenario, by_gamma / sd, -by_gamma * gamma / (2.0 * sd * sd)));
            }
        }
        let total = log_mean_exp(&terms);
        slope.fill(0.0);
        for (term, (draw, scenario, by_mean, by_variance)) in terms.iter().zip(slopes) {
            let share = libm::exp(term - total) / terms.len() as f64;
            if share.is_nan() || share <= 0.0 {
                continue;
            }
            for (j, s) in slope.iter_mut().enumerate() {
                let (mean, variance) = (local.mean[draw].at(j, scenario), local.variance[draw][j]);
                *s += share * (by_mean * mean + by_variance * variance);
            }
        }
        if total.is_nan() { f64::NEG_INFINITY } else { total }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gain_follows_its_formula_and_its_slope() {
        for i in -600..600 {
            let gamma = 0.05 * f64::from(i);
            let (ln, slope) = ln_gain(gamma);
            let direct = 0.5 * gamma * ln_cdf_slope(gamma) - ln_cdf(gamma);
            if (-20.0..6.0).contains(&gamma) {
                assert!((libm::exp(ln) / direct - 1.0).abs() < 1e-9, "{gamma}: {} {direct}", libm::exp(ln));
            }
            let step = 1e-5;
            let difference = (ln_gain(gamma + step).0 - ln_gain(gamma - step).0) / (2.0 * step);
            assert!(
                (slope - difference).abs() < 1e-5 * slope.abs().max(1.0),
                "{gamma}: {slope} {difference}"
            );
        }
    }

    #[test]
    fn branches_of_the_formula_meet() {
        for edge in [-1e3, 5.0] {
            let (a, b) = (ln_gain(edge - 1e-9).0, ln_gain(edge + 1e-9).0);
            assert!((a - b).abs() < 1e-6, "{edge}: {a} {b}");
        }
        assert!(ln_gain(1e6).0.is_finite() && ln_gain(-1e12).0.is_finite());
    }

    /// The Gumbel fit goes through the median of the least of independent normals.
    #[test]
    fn half_of_the_drawn_minima_are_below_the_median() {
        let mut said = Prediction::zeros(1, 1, 50);
        for i in 0..50 {
            said.mean_mut(0, 0)[i] = 0.01 * i as f64;
            said.variance_mut(0)[i] = 1.0;
        }
        let mut rng = Rng::new(3);
        let draws = 20_000;
        let mut least: Vec<f64> = (0..draws)
            .map(|_| (0..50).map(|i| 0.01 * f64::from(i) + rng.normal()).fold(f64::INFINITY, f64::min))
            .collect();
        least.sort_by(f64::total_cmp);
        let levels: Vec<f64> = (0..999).map(|i| (f64::from(i) + 0.5) / 999.0).collect();
        let mut drawn = least_losses(&said, 0, 0, &levels, f64::INFINITY);
        drawn.sort_by(f64::total_cmp);
        for quarter in [1, 2, 3] {
            let (exact, gumbel) = (least[draws * quarter / 4], drawn[999 * quarter / 4]);
            assert!((exact - gumbel).abs() < 0.03, "{quarter}: {exact} {gumbel}");
        }
    }
}
