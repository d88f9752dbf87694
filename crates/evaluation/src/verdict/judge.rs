//! The model a study is judged by: that of its own strategy, or the default one where the strategy has none.
use arbora_model::infer::{Estimate, InferenceSpec};
use arbora_model::{GpSpec, SurrogateSpec};
use arbora_search::{ModelSpec, StrategySpec};
use arbora_space::Space;

/// From so many trials on hypers are fitted once instead of drawn many times: there are enough trials to know them,
/// and each draw costs as much as the fit.
const MANY: usize = 300;

/// The model of a strategy in a space, after so many trials.
pub fn judge(strategy: &StrategySpec, space: &Space, trials: usize) -> ModelSpec {
    let mut model = strategy.model(space, trials).cloned().unwrap_or_default();
    if let SurrogateSpec::Gp(GpSpec { infer, .. }) | SurrogateSpec::PerBranch(GpSpec { infer, .. }) =
        &mut model.surrogate
        && trials > MANY
    {
        *infer = InferenceSpec::Map { starts: 3, estimate: Estimate::Posterior };
    }
    model
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbora_space::Param;

    fn space() -> Space {
        Space::new([Param::real("x", 0.0, 1.0)]).unwrap()
    }

    fn named(name: &str) -> StrategySpec {
        name.parse().unwrap()
    }

    #[test]
    fn a_strategy_judges_by_its_own_model_however_deep_it_lies() {
        let StrategySpec::Model(own) = named("gp-matern-ls") else { panic!("it is model-based") };
        assert_eq!(judge(&named("gp-matern-ls"), &space(), 10), *own);
        assert!(matches!(judge(&named("smac"), &space(), 10).surrogate, SurrogateSpec::Forest(_)));
        assert_ne!(
            judge(&named("auto"), &space(), 10),
            judge(&named("auto"), &space(), 300),
            "it changes its model on the way"
        );
        for without in ["random", "tpe", "cma", "hyperband"] {
            assert_eq!(judge(&named(without), &space(), 10), ModelSpec::default());
        }
    }

    #[test]
    fn many_trials_are_judged_by_one_fit() {
        let infer = |trials| match judge(&named("gp-conditional"), &space(), trials).surrogate {
            SurrogateSpec::Gp(gp) => gp.infer,
            _ => panic!("it is a Gaussian process"),
        };
        assert!(matches!(infer(MANY), InferenceSpec::Slice { .. }));
        assert!(matches!(infer(MANY + 1), InferenceSpec::Map { .. }));
    }
}
