//! One independent Gaussian process per branch, each with its own hypers  [Bergstra et al. 2011;
//! the `independent` of Jenatton et al. 2017].
//!
//! All losses are standardised together, so a branch without observations is predicted to be
//! average. A branch learns mean, amplitude, noise and length-scales from its own observations
//! alone. With tied hypers this is the process of the conditional kernel. O(Σ n_p³) per likelihood.
//! With few observations per branch, the hypers stay close to their priors: use the conditional
//! kernel, or the tree, while branches have a handful each.
use super::{
    Gp, GpSpec, GradientModel, Memory, Model, Observations, PredictionSlope, Surrogate, SurrogateContext,
};
use crate::component::Component;
use crate::dataset::Dataset;
use crate::error::{FitError, SpecError};
use crate::interrupt::Interrupt;
use crate::kernel::Coupling;
use crate::linalg::Matrix;
use crate::prediction::Prediction;
use crate::subsample;
use arbora_space::{BranchKey, Point, Points, Rng};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An independent Gaussian process in every branch, as data. The kernel compares points inside a
/// branch.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PerBranchSpec {
    /// The process of every branch.
    pub inside: GpSpec,
}

impl Component<dyn Surrogate> for PerBranchSpec {
    const KIND: &'static str = "per_branch";

    fn build(&self, context: SurrogateContext<'_>) -> Result<Box<dyn Surrogate>, SpecError> {
        let inside = self.inside.build_inside(context.layout, context.workers)?;
        Ok(Box::new(PerBranch { inside }))
    }
}

/// The surrogate; built by [`PerBranchSpec`].
pub struct PerBranch {
    /// What is fitted in every branch.
    pub(crate) inside: Gp,
}

impl Surrogate for PerBranch {
    fn training_rows(&self, data: &Dataset) -> Option<Vec<usize>> {
        subsample::rows(data, Coupling::SameBranch)
    }

    fn fit_until(
        &self,
        data: &Dataset,
        memory: Option<&Memory>,
        rng: &mut Rng,
        interrupt: &Interrupt,
    ) -> Result<Box<dyn Model>, FitError> {
        let observed = Observations::new(data, self.training_rows(data), self.inside.width)?;
        let (data, scale) = (&*observed.data, observed.scale);
        subsample::check_memory(data, Coupling::SameBranch)?;
        let mut rows: BTreeMap<BranchKey, Vec<usize>> = BTreeMap::new();
        for (i, branch) in data.points().branches().iter().enumerate() {
            rows.entry(*branch).or_default().push(i);
        }
        // Each branch has its own generator, so that its draws do not depend on which other
        // branches there are.
        let seed = rng.word();
        let (mut models, mut memories) = (BTreeMap::new(), Vec::new());
        for (branch, rows) in rows {
            let mine = data.select(&rows)?;
            let name = format!("{branch:?}/");
            let known = memory.and_then(|memory| memory.within(&name));
            let mut own = Rng::for_trial(seed, branch.fold());
            let model = self.inside.fit_scaled(&mine, scale, known.as_ref(), &mut own, interrupt)?;
            memories.extend(model.memory().map(|memory| memory.under(&name)));
            models.insert(branch, model);
        }
        let nothing = Dataset::new(Points::new(data.points().width()), Vec::new())?;
        let elsewhere = self.inside.fit_scaled(&nothing, scale, None, rng, interrupt)?;
        Ok(Box::new(PerBranchModel { models, elsewhere, memory: Memory::joined(&memories) }))
    }
}

struct PerBranchModel {
    models: BTreeMap<BranchKey, Box<dyn Model>>,
    /// For branches without observations.
    elsewhere: Box<dyn Model>,
    memory: Option<Memory>,
}

impl PerBranchModel {
    fn of(&self, branch: BranchKey) -> &dyn Model {
        self.models.get(&branch).unwrap_or(&self.elsewhere).as_ref()
    }

    /// Draws of the branch that has most; the others repeat theirs.
    fn draws(&self) -> usize {
        let nowhere = Points::new(0);
        self.models.values().map(|model| model.predict(&nowhere).draws()).max().unwrap_or(1)
    }
}

impl Model for PerBranchModel {
    fn predict(&self, at: &Points) -> Prediction {
        let mut rows: BTreeMap<BranchKey, Vec<usize>> = BTreeMap::new();
        for (i, branch) in at.branches().iter().enumerate() {
            rows.entry(*branch).or_default().push(i);
        }
        let mut prediction = Prediction::zeros(self.draws(), 1, at.len());
        for (branch, rows) in rows {
            let said = self.of(branch).predict(&at.select(&rows));
            for draw in 0..prediction.draws() {
                let own = draw % said.draws();
                let means = prediction.mean_mut(draw, 0);
                rows.iter().zip(said.mean(own, 0)).for_each(|(&row, mean)| means[row] = *mean);
                let variances = prediction.variance_mut(draw);
                rows.iter().zip(said.variance(own)).for_each(|(&row, variance)| variances[row] = *variance);
            }
        }
        prediction
    }

    fn memory(&self) -> Option<&Memory> {
        self.memory.as_ref()
    }

    fn gradients(&self) -> Option<&dyn GradientModel> {
        self.elsewhere.gradients().map(|_| self as &dyn GradientModel)
    }
}

impl GradientModel for PerBranchModel {
    fn slope(&self, at: Point<'_>, columns: &[usize]) -> PredictionSlope {
        let gradients = self.of(at.branch()).gradients();
        let own = gradients.expect("all branches have the same kernel").slope(at, columns);
        let (draws, said) = (self.draws(), &own.prediction);
        let mut prediction = Prediction::zeros(draws, 1, 1);
        let (mut mean, mut variance): (Vec<Matrix>, Vec<Vec<f64>>) = (Vec::new(), Vec::new());
        for draw in 0..draws {
            let from = draw % said.draws();
            prediction.mean_mut(draw, 0).copy_from_slice(said.mean(from, 0));
            prediction.variance_mut(draw).copy_from_slice(said.variance(from));
            mean.push(own.mean[from].clone());
            variance.push(own.variance[from].clone());
        }
        PredictionSlope { prediction, mean, variance }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::{Estimate, Fixed, InferenceSpec, Map, Slice};
    use crate::surrogate::SurrogateSpec;
    use crate::testing::{World, assert_order_does_not_matter, assert_surrogate_laws};
    use crate::workers::Workers;
    use arbora_space::Layout;

    fn per_branch(infer: InferenceSpec, layout: &Layout) -> Box<dyn Surrogate> {
        let spec = SurrogateSpec::new(PerBranchSpec { inside: GpSpec { infer, ..GpSpec::default() } });
        spec.build(SurrogateContext::new(layout, &Workers::serial())).unwrap()
    }

    #[test]
    fn it_keeps_the_laws() {
        let slice = InferenceSpec::new(Slice { draws: 3, burn_in: 4, width: 1.0, settled: 200 });
        let map = InferenceSpec::new(Map { starts: 2, estimate: Estimate::Posterior });
        for infer in [InferenceSpec::new(Fixed {}), slice, map] {
            assert_surrogate_laws(&|layout| per_branch(infer.clone(), layout));
        }
        assert_order_does_not_matter(&|layout| per_branch(InferenceSpec::new(Fixed {}), layout));
    }

    /// With fixed hypers, tied and untied are the same.
    #[test]
    fn with_tied_hypers_it_is_the_conditional_kernel() {
        for seed in 0..5 {
            let mut rng = Rng::for_trial(71, seed);
            let world = World::random(&mut rng);
            let (points, at) = (world.points(25, &mut rng), world.points(20, &mut rng));
            let losses = (0..25).map(|_| 7.0 + 2.0 * rng.normal()).collect();
            let data = Dataset::new(points, losses).unwrap();
            let spec = GpSpec { infer: InferenceSpec::new(Fixed {}), ..GpSpec::default() };
            let tied = spec.build(&world.layout, &Workers::serial()).unwrap();
            let tied = tied.fit(&data, None, &mut rng).unwrap().predict(&at);
            let untied = per_branch(InferenceSpec::new(Fixed {}), &world.layout);
            let untied = untied.fit(&data, None, &mut rng).unwrap().predict(&at);
            for i in 0..at.len() {
                assert!((tied.mean(0, 0)[i] - untied.mean(0, 0)[i]).abs() < 1e-9);
                assert!((tied.variance(0)[i] - untied.variance(0)[i]).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn branches_remember_apart() {
        let mut rng = Rng::new(3);
        let world = World::random(&mut rng);
        let points = world.points(30, &mut rng);
        let losses = (0..30).map(|_| rng.normal()).collect();
        let data = Dataset::new(points, losses).unwrap();
        let slice = InferenceSpec::new(Slice { draws: 3, burn_in: 4, width: 1.0, settled: 200 });
        let surrogate = per_branch(slice, &world.layout);
        let first = surrogate.fit(&data, None, &mut Rng::new(1)).unwrap();
        let memory = first.memory().unwrap().clone();
        let text = serde_json::to_string(&memory).unwrap();
        let second =
            surrogate.fit(&data, Some(&serde_json::from_str(&text).unwrap()), &mut Rng::new(2)).unwrap();
        assert_ne!(second.memory(), Some(&memory), "it moves");
        let fixed = per_branch(InferenceSpec::new(Fixed {}), &world.layout);
        let kept = fixed.fit(&data, Some(&memory), &mut Rng::new(2)).unwrap();
        let name = format!("{:?}/noise", data.points().row(0).branch());
        let (now, then) = (kept.memory().unwrap().value(&name).unwrap(), memory.value(&name).unwrap());
        assert!((now - then).abs() < 1e-12 * then);
    }
}
