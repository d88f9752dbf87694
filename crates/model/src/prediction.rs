//! Predictions: a normal distribution per point, draw of θ and scenario of fantasies.

/// Means and variances of the latent loss, in its original units.
///
/// Draws of θ and scenarios have equal weights. Scenarios share their variances: the value of a
/// fantasy changes only the mean, its location also the variance.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    draws: usize,
    scenarios: usize,
    points: usize,
    mean: Vec<f64>,
    variance: Vec<f64>,
    best_fantasy: Option<Vec<f64>>,
}

impl Prediction {
    /// All zeros, to be filled.
    pub fn zeros(draws: usize, scenarios: usize, points: usize) -> Self {
        let (mean, variance) = (vec![0.0; draws * scenarios * points], vec![0.0; draws * points]);
        Self { draws, scenarios, points, mean, variance, best_fantasy: None }
    }

    /// Adds the lowest fantasy of each draw and scenario, draw by draw.
    ///
    /// # Panics
    /// If there is not one for each.
    #[must_use]
    pub fn with_best_fantasy(mut self, best: Vec<f64>) -> Self {
        assert_eq!(best.len(), self.draws * self.scenarios, "one best fantasy per draw and scenario");
        self.best_fantasy = Some(best);
        self
    }

    /// Number of draws of θ.
    pub fn draws(&self) -> usize {
        self.draws
    }

    /// Number of scenarios of fantasies; one if there are no fantasies.
    pub fn scenarios(&self) -> usize {
        self.scenarios
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.points
    }

    /// True if there are no points.
    pub fn is_empty(&self) -> bool {
        self.points == 0
    }

    /// Means at all points.
    pub fn mean(&self, draw: usize, scenario: usize) -> &[f64] {
        let start = (draw * self.scenarios + scenario) * self.points;
        &self.mean[start..start + self.points]
    }

    /// Means at all points, mutable.
    pub fn mean_mut(&mut self, draw: usize, scenario: usize) -> &mut [f64] {
        let start = (draw * self.scenarios + scenario) * self.points;
        &mut self.mean[start..start + self.points]
    }

    /// Variances at all points.
    pub fn variance(&self, draw: usize) -> &[f64] {
        &self.variance[draw * self.points..(draw + 1) * self.points]
    }

    /// Variances at all points, mutable.
    pub fn variance_mut(&mut self, draw: usize) -> &mut [f64] {
        &mut self.variance[draw * self.points..(draw + 1) * self.points]
    }

    /// The lowest fantasy at pending points, if there are any.
    pub fn best_fantasy(&self, draw: usize, scenario: usize) -> Option<f64> {
        self.best_fantasy.as_ref().map(|best| best[draw * self.scenarios + scenario])
    }

    /// Mean of the mixture at each point: (1/S) Σₛ μₛ.
    pub fn mixture_mean(&self) -> Vec<f64> {
        self.average(|draw, scenario, i| self.mean(draw, scenario)[i])
    }

    /// Variance of the mixture at each point: mean of the variances plus variance of the means.
    pub fn total_variance(&self) -> Vec<f64> {
        let centre = self.mixture_mean();
        self.average(|draw, scenario, i| {
            let off = self.mean(draw, scenario)[i] - centre[i];
            self.variance(draw)[i] + off * off
        })
    }

    fn average(&self, value: impl Fn(usize, usize, usize) -> f64) -> Vec<f64> {
        let count = (self.draws * self.scenarios) as f64;
        let pairs =
            || (0..self.draws).flat_map(|draw| (0..self.scenarios).map(move |scenario| (draw, scenario)));
        (0..self.points)
            .map(|i| pairs().map(|(draw, scenario)| value(draw, scenario, i)).sum::<f64>() / count)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mixture_spreads_by_its_means_too() {
        let mut prediction = Prediction::zeros(2, 1, 1);
        prediction.mean_mut(0, 0)[0] = 1.0;
        prediction.mean_mut(1, 0)[0] = 3.0;
        prediction.variance_mut(0)[0] = 0.5;
        prediction.variance_mut(1)[0] = 1.5;
        assert_eq!(prediction.mixture_mean(), vec![2.0]);
        assert_eq!(prediction.total_variance(), vec![1.0 + 1.0]);
        assert_eq!(prediction.best_fantasy(1, 0), None);
        assert_eq!(prediction.with_best_fantasy(vec![0.1, 0.2]).best_fantasy(1, 0), Some(0.2));
    }
}
