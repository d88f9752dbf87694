//! Random forest of regression trees, as in SMAC  [Breiman 2001; Hutter, Hoos & Leyton-Brown 2011].
//!
//! Each tree is grown on a bootstrap sample. At a node, a random subset of the columns is tried and
//! the split with the largest variance reduction is used; thresholds are drawn uniformly between
//! two neighbouring values, categories are split after sorting them by mean loss  [Fisher 1958].
//! With leaf mean μ_b and variance σ_b² of tree b:
//!
//! μ = mean_b μ_b,   σ² = Var_b(μ_b)   or   mean_b(σ_b² + μ_b²) − μ²   [Hutter et al. 2014].
//!
//! With `log_losses`, trees grow on ln y, leaf means are ln mean e^{ln y}, and the prediction is
//! the mean and variance of the log-normal with those logarithmic moments. A fit costs O(B·n log
//! n·d) per level, a prediction O(B·depth). No gradients, no joint distribution; constant far from
//! data. Good for many categories and discrete decisions, not for smooth low-dimensional losses.
mod grow;
mod spec;
#[cfg(test)]
mod tests;
mod tree;

use super::{Memory, Model, Scale, Surrogate, saturate};
use crate::dataset::Dataset;
use crate::error::FitError;
use crate::interrupt::Interrupt;
use crate::prediction::Prediction;
use crate::workers::Workers;
use arbora_space::{ColumnKind, Layout, Points, Rng};
use grow::Growth;
use serde::{Deserialize, Serialize};
pub use spec::ForestSpec;
pub use tree::{ForestCell, ForestLeaf, Side, TreeModel};

/// Minimum variance relative to that of all losses: agreement of the trees is not certainty.
const FLOOR: f64 = 1e-5;

/// Logarithmic variances beyond this would overflow the moments of the log-normal.
const WIDEST_LOG: f64 = 100.0;

/// How the variance is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VarianceRule {
    /// Variance of the trees' means  [SMAC, LION 2011].
    #[default]
    OfMeans,
    /// Law of total variance, including the variance inside leaves  [Hutter et al. 2014].
    Total,
}

/// A random forest; the defaults are those of SMAC3 0.2.
#[derive(Clone, Debug)]
pub struct Forest {
    pub(crate) growth: Growth,
    pub(crate) trees: usize,
    pub(crate) variance: VarianceRule,
    pub(crate) log_losses: bool,
    pub(crate) workers: Workers,
}

/// How one tree is grown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Limits {
    /// Fraction of the columns tried at a node.
    pub(crate) features: f64,
    /// A node with fewer rows is a leaf.
    pub(crate) least_split: usize,
    /// Minimum rows of a leaf.
    pub(crate) least_leaf: usize,
    /// Maximum depth.
    pub(crate) depth: usize,
}

impl Forest {
    pub(crate) fn new(layout: &Layout, limits: Limits, trees: usize, workers: &Workers) -> Self {
        let kinds: Vec<ColumnKind> = layout.columns.iter().map(|c| c.kind).collect();
        let growth = Growth { kinds, varying: layout.varying().collect(), limits };
        Self { growth, trees, variance: VarianceRule::OfMeans, log_losses: false, workers: workers.clone() }
    }

    /// Fits a forest to the observations; [`Surrogate::fit`] returns the same as a trait object.
    pub fn grow(&self, data: &Dataset, rng: &mut Rng) -> Result<ForestModel, FitError> {
        let width = self.growth.kinds.len();
        if data.points().width() != width {
            return Err(FitError::WrongWidth { expected: width, found: data.points().width() });
        }
        let raw = self.targets(data)?;
        let scale = Scale::of(&raw);
        let targets: Vec<f64> = raw.iter().map(|&y| scale.standardise(y)).collect();
        let streams: Vec<Rng> = (0..self.trees).map(|_| rng.fork()).collect();
        let trees = if data.is_empty() {
            Vec::new()
        } else {
            self.workers.map(self.trees, |b| self.tree(data.points(), &targets, scale, streams[b].clone()))
        };
        Ok(ForestModel { trees, scale, variance: self.variance, log_losses: self.log_losses })
    }

    fn targets(&self, data: &Dataset) -> Result<Vec<f64>, FitError> {
        let losses = data.losses().iter().map(|&loss| saturate(loss));
        if !self.log_losses {
            return Ok(losses.collect());
        }
        let logarithm = |(row, value): (usize, f64)| {
            if value > 0.0 { Ok(libm::log(value)) } else { Err(FitError::LossNotPositive { row, value }) }
        };
        losses.enumerate().map(logarithm).collect()
    }

    /// One tree on rows drawn with replacement.
    fn tree(&self, points: &Points, targets: &[f64], scale: Scale, mut rng: Rng) -> TreeModel {
        let n = targets.len();
        let mut rows: Vec<usize> = (0..n).map(|_| rng.below(n)).collect();
        let mean = |rows: &[usize]| -> f64 {
            let plain = rows.iter().map(|&i| targets[i]).sum::<f64>() / rows.len() as f64;
            if !self.log_losses {
                return plain;
            }
            // ln mean e^y of the original logarithms, converted back to the standardised scale.
            let top = rows.iter().map(|&i| scale.raw(targets[i])).fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = rows.iter().map(|&i| libm::exp(scale.raw(targets[i]) - top)).sum();
            scale.standardise(top + libm::log(sum / rows.len() as f64))
        };
        self.growth.tree(points, targets, &mut rows, &mean, &mut rng)
    }
}

impl Surrogate for Forest {
    fn fit_until(
        &self,
        data: &Dataset,
        _: Option<&Memory>,
        rng: &mut Rng,
        interrupt: &Interrupt,
    ) -> Result<Box<dyn Model>, FitError> {
        let forest = self.grow(data, rng)?;
        if interrupt.is_raised() { Err(FitError::Interrupted) } else { Ok(Box::new(forest)) }
    }
}

/// A fitted forest.
#[derive(Clone, Debug)]
pub struct ForestModel {
    trees: Vec<TreeModel>,
    scale: Scale,
    variance: VarianceRule,
    log_losses: bool,
}

impl ForestModel {
    /// Its trees. Leaves hold standardised losses, which is enough for fractions of variance.
    pub fn trees(&self) -> &[TreeModel] {
        &self.trees
    }

    /// Mean and variance at a point on the standardised scale; the prior if there are no
    /// observations.
    fn normal(&self, x: &[f64]) -> (f64, f64) {
        let b = self.trees.len() as f64;
        if self.trees.is_empty() {
            return (0.0, 1.0);
        }
        let leaves = || self.trees.iter().map(|tree| tree.leaf(x));
        let mean = leaves().map(|leaf| leaf.mean).sum::<f64>() / b;
        let variance = match self.variance {
            VarianceRule::OfMeans => leaves().map(|leaf| (leaf.mean - mean).powi(2)).sum::<f64>() / b,
            VarianceRule::Total => {
                leaves().map(|leaf| leaf.variance + (leaf.mean - mean).powi(2)).sum::<f64>() / b
            }
        };
        (mean, variance.max(FLOOR))
    }

    /// In original units; the moments of the log-normal if the trees were grown on logarithms.
    fn raw(&self, (mean, variance): (f64, f64)) -> (f64, f64) {
        let (mean, variance) = (self.scale.raw(mean), variance * self.scale.spread * self.scale.spread);
        if !self.log_losses {
            return (mean, variance);
        }
        let variance = variance.min(WIDEST_LOG);
        let centre = saturate(libm::exp(mean + 0.5 * variance));
        (centre, (libm::expm1(variance) * centre * centre).clamp(f64::MIN_POSITIVE, f64::MAX))
    }
}

impl Model for ForestModel {
    fn predict(&self, at: &Points) -> Prediction {
        let mut prediction = Prediction::zeros(1, 1, at.len());
        for (i, point) in at.iter().enumerate() {
            let (mean, variance) = self.raw(self.normal(point.x()));
            prediction.mean_mut(0, 0)[i] = mean;
            prediction.variance_mut(0)[i] = variance;
        }
        prediction
    }
}
