//! A forest as data.
use super::{Forest, Limits, VarianceRule};
use crate::component::Component;
use crate::error::SpecError;
use crate::surrogate::{Surrogate, SurrogateContext};
use crate::workers::Workers;
use arbora_space::Layout;
use serde::{Deserialize, Serialize};

/// A random forest; the defaults are those of SMAC3 0.2. SMAC 2 has `least_split = 10`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ForestSpec {
    /// Number of trees.
    pub trees: usize,
    /// Fraction of the columns tried at a node.
    pub features: f64,
    /// A node with fewer rows is a leaf.
    pub least_split: usize,
    /// Minimum rows of a leaf.
    pub least_leaf: usize,
    /// Maximum depth.
    pub depth: usize,
    /// How the variance is computed.
    pub variance: VarianceRule,
    /// Fit ln loss; every loss must be positive.
    pub log_losses: bool,
}

impl Default for ForestSpec {
    fn default() -> Self {
        Self {
            trees: 10,
            features: 5.0 / 6.0,
            least_split: 3,
            least_leaf: 3,
            depth: 20,
            variance: VarianceRule::OfMeans,
            log_losses: false,
        }
    }
}

impl Component<dyn Surrogate> for ForestSpec {
    const KIND: &'static str = "forest";

    fn build(&self, context: SurrogateContext<'_>) -> Result<Box<dyn Surrogate>, SpecError> {
        Ok(Box::new(ForestSpec::build(self, context.layout, context.workers)?))
    }
}

impl ForestSpec {
    /// The surrogate for points of this layout.
    pub fn build(&self, layout: &Layout, workers: &Workers) -> Result<Forest, SpecError> {
        for (setting, value) in [("trees", self.trees), ("least_leaf", self.least_leaf)] {
            if value == 0 {
                return Err(SpecError::BadForest { setting, value: 0.0, problem: "must be at least 1" });
            }
        }
        if !(self.features > 0.0 && self.features <= 1.0) {
            let problem = "must be above 0 and at most 1";
            return Err(SpecError::BadForest { setting: "features", value: self.features, problem });
        }
        let Self { features, least_split, least_leaf, depth, .. } = *self;
        let limits = Limits { features, least_split, least_leaf, depth };
        let plain = Forest::new(layout, limits, self.trees, workers);
        Ok(Forest { variance: self.variance, log_losses: self.log_losses, ..plain })
    }
}
