//! Model averaging: combines several processes by how well the data support them, or selects the
//! best.
//!
//! weight_m ∝ exp(support_m),  support = ln p(y | θ) (evidence)
//! or Σᵢ ln p(yᵢ | y₋ᵢ, θ) (leave-one-out),
//! averaged over the draws of θ  [Rasmussen & Williams 2006, eq. 2.30 and 5.10–5.12]
//!
//! The draws of the mixture are divided among the members in proportion to their weights. The
//! evidence at an estimated θ favours members with many hypers; leave-one-out judges predictions
//! and is the default. The cost is the sum over members. With a handful of observations the scores
//! hardly differ and averaging is preferable; selecting pays off once they do.
use super::{
    GpSpec, GradientModel, JointModel, Memory, Model, ModelScore, PendingOutcomes, PredictionSlope,
    Surrogate, SurrogateContext,
};
use crate::component::Component;
use crate::dataset::Dataset;
use crate::error::{FitError, SpecError};
use crate::interrupt::Interrupt;
use crate::linalg::Matrix;
use crate::prediction::Prediction;
use arbora_space::{Point, Points, Rng};
use serde::{Deserialize, Serialize};

/// Minimum number of draws of the mixture, so that small weights are represented.
const LEAST_DRAWS: usize = 10;

/// Several Gaussian processes, averaged or selected by how well the data support them; as data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelAverageSpec {
    /// The processes; at least one.
    pub members: Vec<GpSpec>,
    /// How the support for a process is measured.
    #[serde(default)]
    pub by: ModelScore,
    /// Use only the best process?
    #[serde(default)]
    pub choose: bool,
}

impl Component<dyn Surrogate> for ModelAverageSpec {
    const KIND: &'static str = "averaged";

    fn build(&self, context: SurrogateContext<'_>) -> Result<Box<dyn Surrogate>, SpecError> {
        if self.members.is_empty() {
            return Err(SpecError::NoMembers);
        }
        let build = |member: &GpSpec| Component::build(member, context);
        let members = self.members.iter().map(build).collect::<Result<_, SpecError>>()?;
        Ok(Box::new(ModelAverage { members, by: self.by, choose: self.choose }))
    }
}

/// The surrogate; built by [`ModelAverageSpec`].
pub struct ModelAverage {
    pub(crate) members: Vec<Box<dyn Surrogate>>,
    pub(crate) by: ModelScore,
    /// Use only the best supported member.
    pub(crate) choose: bool,
}

impl Surrogate for ModelAverage {
    fn training_rows(&self, data: &Dataset) -> Option<Vec<usize>> {
        self.members.iter().find_map(|member| member.training_rows(data))
    }

    fn fit_until(
        &self,
        data: &Dataset,
        memory: Option<&Memory>,
        rng: &mut Rng,
        interrupt: &Interrupt,
    ) -> Result<Box<dyn Model>, FitError> {
        let (mut members, mut memories, mut failure) = (Vec::new(), Vec::new(), None);
        for (m, member) in self.members.iter().enumerate() {
            let name = format!("{m}/");
            let known = memory.and_then(|memory| memory.within(&name));
            // Its own generator, so that a member does not depend on how much the others draw.
            match member.fit_until(data, known.as_ref(), &mut rng.fork(), interrupt) {
                Ok(model) => {
                    memories.extend(model.memory().map(|memory| memory.under(&name)));
                    members.push(model);
                }
                Err(error) => failure = Some(error),
            }
        }
        if let (true, Some(error)) = (members.is_empty(), failure) {
            return Err(error);
        }
        let support = members.iter().map(|model| model.model_score(self.by).unwrap_or(0.0));
        let slots = self.slots(&support.collect::<Vec<_>>(), &members);
        Ok(Box::new(Mixture { members, slots, memory: Memory::joined(&memories) }))
    }
}

impl ModelAverage {
    /// The member, and its draw, behind each draw of the mixture.
    fn slots(&self, support: &[f64], members: &[Box<dyn Model>]) -> Vec<(usize, usize)> {
        let draws: Vec<usize> = members.iter().map(|model| model.predict(&Points::new(0)).draws()).collect();
        let counts = if self.choose {
            let best =
                (0..support.len()).rev().max_by(|&a, &b| support[a].total_cmp(&support[b])).unwrap_or(0);
            (0..support.len()).map(|m| if m == best { draws[best] } else { 0 }).collect()
        } else {
            shared_out(support, draws.iter().copied().max().unwrap_or(1).max(LEAST_DRAWS))
        };
        let member = |(m, count): (usize, usize)| {
            let own = draws[m];
            (0..count).map(move |slot| (m, slot % own))
        };
        counts.into_iter().enumerate().flat_map(member).collect()
    }
}

/// Divides the draws by weights ∝ e^support: whole parts first, then one more for the largest
/// remainders.
fn shared_out(support: &[f64], draws: usize) -> Vec<usize> {
    let top = support.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = support.iter().map(|support| libm::exp(support - top)).collect();
    let total: f64 = weights.iter().sum();
    let ideal: Vec<f64> = weights.iter().map(|weight| weight / total * draws as f64).collect();
    let mut counts: Vec<usize> = ideal.iter().map(|ideal| ideal.floor() as usize).collect();
    let mut order: Vec<usize> = (0..ideal.len()).collect();
    order.sort_by(|&a, &b| (ideal[b].fract()).total_cmp(&ideal[a].fract()));
    let left = draws - counts.iter().sum::<usize>().min(draws);
    order.into_iter().cycle().take(left).for_each(|m| counts[m] += 1);
    counts
}

struct Mixture {
    members: Vec<Box<dyn Model>>,
    slots: Vec<(usize, usize)>,
    memory: Option<Memory>,
}

impl Mixture {
    /// One draw per slot from the members' predictions; a member that lost draws repeats the ones
    /// it has.
    fn gathered(&self, said: &[Prediction]) -> Prediction {
        let (scenarios, points) = (said[0].scenarios(), said[0].len());
        let mut prediction = Prediction::zeros(self.slots.len(), scenarios, points);
        let mut fantasies = Vec::new();
        for (slot, &(m, draw)) in self.slots.iter().enumerate() {
            let draw = draw % said[m].draws();
            for s in 0..scenarios {
                prediction.mean_mut(slot, s).copy_from_slice(said[m].mean(draw, s));
                fantasies.extend(said[m].best_fantasy(draw, s));
            }
            prediction.variance_mut(slot).copy_from_slice(said[m].variance(draw));
        }
        if fantasies.len() == self.slots.len() * scenarios {
            prediction.with_best_fantasy(fantasies)
        } else {
            prediction
        }
    }
}

impl Model for Mixture {
    fn predict(&self, at: &Points) -> Prediction {
        self.gathered(&self.members.iter().map(|member| member.predict(at)).collect::<Vec<_>>())
    }

    fn memory(&self) -> Option<&Memory> {
        self.memory.as_ref()
    }

    fn gradients(&self) -> Option<&dyn GradientModel> {
        self.members.iter().all(|member| member.gradients().is_some()).then_some(self)
    }

    fn joint(&self) -> Option<&dyn JointModel> {
        self.members.iter().all(|member| member.joint().is_some()).then_some(self)
    }
}

impl GradientModel for Mixture {
    fn slope(&self, at: Point<'_>, columns: &[usize]) -> PredictionSlope {
        let slope = |member: &dyn Model| {
            member.gradients().expect("offered only if every member has gradients").slope(at, columns)
        };
        let said: Vec<PredictionSlope> = self.members.iter().map(|member| slope(member.as_ref())).collect();
        let predictions: Vec<Prediction> = said.iter().map(|said| said.prediction.clone()).collect();
        let of = |&(m, draw): &(usize, usize)| (&said[m], draw % said[m].prediction.draws());
        let mean = self.slots.iter().map(of).map(|(said, draw)| said.mean[draw].clone()).collect();
        let variance = self.slots.iter().map(of).map(|(said, draw)| said.variance[draw].clone()).collect();
        PredictionSlope { prediction: self.gathered(&predictions), mean, variance }
    }
}

const JOINT: &str = "offered only if every member has joint distributions";

impl JointModel for Mixture {
    fn covariance(&self, draw: usize, at: &Points) -> Matrix {
        let (m, own) = self.slots[draw];
        self.members[m].joint().expect(JOINT).covariance(own, at)
    }

    fn sample(&self, at: &Points, rng: &mut Rng) -> Result<Vec<f64>, FitError> {
        let (m, _) = self.slots[rng.below(self.slots.len())];
        self.members[m].joint().expect(JOINT).sample(at, rng)
    }

    fn fantasize(
        &self,
        pending: &Points,
        how: &PendingOutcomes,
        rng: &mut Rng,
    ) -> Result<Box<dyn Model>, FitError> {
        let seed = rng.word();
        // The same random numbers for every member, so that only the members differ.
        let fantasized = self
            .members
            .iter()
            .map(|member| member.joint().expect(JOINT).fantasize(pending, how, &mut Rng::new(seed)));
        let members = fantasized.collect::<Result<Vec<_>, _>>()?;
        Ok(Box::new(Mixture { members, slots: self.slots.clone(), memory: self.memory.clone() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::{Fixed, InferenceSpec};
    use crate::kernel::{KernelSpec, SquaredExponential};
    use crate::surrogate::SurrogateSpec;
    use crate::testing::{World, assert_surrogate_laws};
    use crate::workers::Workers;

    fn spec(choose: bool, by: ModelScore) -> SurrogateSpec {
        let infer = InferenceSpec::new(Fixed {});
        let kernels = [KernelSpec::default(), KernelSpec::new(SquaredExponential::default())];
        let members =
            kernels.map(|kernel| GpSpec { kernel, infer: infer.clone(), ..GpSpec::default() }).to_vec();
        SurrogateSpec::new(ModelAverageSpec { members, by, choose })
    }

    #[test]
    fn it_keeps_the_laws() {
        for by in [ModelScore::Evidence, ModelScore::LeaveOneOut] {
            for choose in [false, true] {
                let spec = spec(choose, by);
                assert_surrogate_laws(&|layout| {
                    spec.build(SurrogateContext::new(layout, &Workers::serial())).unwrap()
                });
            }
        }
    }

    #[test]
    fn draws_follow_the_weights() {
        assert_eq!(shared_out(&[0.0, 0.0], 10), [5, 5]);
        assert_eq!(shared_out(&[0.0, -1000.0, f64::NEG_INFINITY], 7), [7, 0, 0]);
        assert_eq!(shared_out(&[0.0, (0.25_f64).ln()], 10), [8, 2]);
        assert_eq!(shared_out(&[0.0, 0.0, 0.0], 10).iter().sum::<usize>(), 10);
    }

    /// A loss that jumps between branches fits the conditional kernel, but not a smooth one.
    #[test]
    fn the_better_supported_member_is_chosen() {
        let mut rng = Rng::new(4);
        let world = World::random(&mut rng);
        let points = world.points(40, &mut rng);
        let losses: Vec<f64> = points.iter().map(|row| row.x()[1]).collect();
        let data = Dataset::new(points.clone(), losses).unwrap();
        for by in [ModelScore::Evidence, ModelScore::LeaveOneOut] {
            let alone = |kernel: KernelSpec| {
                let spec = GpSpec { kernel, infer: InferenceSpec::new(Fixed {}), ..GpSpec::default() };
                spec.build(&world.layout, &Workers::serial())
                    .unwrap()
                    .fit(&data, None, &mut Rng::new(1))
                    .unwrap()
            };
            let members =
                [alone(KernelSpec::default()), alone(KernelSpec::new(SquaredExponential::default()))];
            let [first, second] = [0, 1].map(|m| members[m].model_score(by).unwrap());
            let best = &members[usize::from(second > first)];
            let chosen =
                spec(true, by).build(SurrogateContext::new(&world.layout, &Workers::serial())).unwrap();
            let chosen = chosen.fit(&data, None, &mut Rng::new(1)).unwrap();
            assert_eq!(chosen.predict(&points), best.predict(&points));
        }
    }
}
