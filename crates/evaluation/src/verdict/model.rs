//! The model behind a verdict: the one of the study's strategy, or the default if it has none.
use arbora_model::infer::{Estimate, InferenceSpec, Map};
use arbora_model::{GpSpec, PerBranchSpec, SurrogateSpec};
use arbora_search::{ModelSpec, StrategySpec};
use arbora_space::Space;

/// Above this number of trials, hyperparameters are fitted once instead of sampled: there is enough
/// data to determine them, and each draw costs as much as the fit.
const MANY: usize = 300;

/// The model for a strategy and a space after this many trials.
pub fn verdict_model(strategy: &StrategySpec, space: &Space, trials: usize) -> ModelSpec {
    let mut model = strategy.model(space, trials).cloned().unwrap_or_default();
    if trials > MANY
        && let Some(process) = process_of(&mut model.surrogate)
    {
        process.infer = InferenceSpec::new(Map { starts: 3, estimate: Estimate::Posterior });
    }
    model
}

/// The Gaussian process of a surrogate, for all branches or per branch.
fn process_of(surrogate: &mut SurrogateSpec) -> Option<&mut GpSpec> {
    if surrogate.get::<PerBranchSpec>().is_some() {
        return surrogate.get_mut::<PerBranchSpec>().map(|each| &mut each.inside);
    }
    surrogate.get_mut()
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbora_model::ForestSpec;
    use arbora_model::infer::Slice;
    use arbora_space::Param;

    fn space() -> Space {
        Space::new([Param::real("x", 0.0, 1.0)]).unwrap()
    }

    fn named(name: &str) -> StrategySpec {
        name.parse().unwrap()
    }

    #[test]
    fn a_strategy_judges_by_its_own_model_however_deep_it_lies() {
        let own = named("tree");
        assert_eq!(verdict_model(&own, &space(), 10), *own.get::<ModelSpec>().expect("it is model-based"));
        assert!(verdict_model(&named("smac"), &space(), 10).surrogate.get::<ForestSpec>().is_some());
        assert_ne!(
            verdict_model(&named("auto"), &space(), 10),
            verdict_model(&named("auto"), &space(), 300),
            "it changes its model on the way"
        );
        for without in ["random", "tpe", "cma", "hyperband"] {
            assert_eq!(verdict_model(&named(without), &space(), 10), ModelSpec::default());
        }
    }

    #[test]
    fn many_trials_are_judged_by_one_fit() {
        let infer = |trials| {
            let model = verdict_model(&named("gp-conditional"), &space(), trials);
            model.surrogate.get::<GpSpec>().expect("it is a Gaussian process").infer.clone()
        };
        assert!(infer(MANY).get::<Slice>().is_some());
        assert!(infer(MANY + 1).get::<Map>().is_some());
    }
}
