//! How well does a model predict? Root mean squared error of Kriging on fresh points  [Z18, Fig. 2].
use super::Worker;
use crate::error::BenchError;
use crate::problem::by_name;
use crate::run::{Key, Run};
use arbora_model::{Dataset, SurrogateContext, Workers};
use arbora_search::strategy::BlindSpec;
use arbora_search::{ModelSpec, SearchError, StrategySpec};
use arbora_space::{Branching, Configuration, Encoding, Imputation, Rng, Space};

/// Points the error is measured on.
const FRESH: usize = 1000;
/// Stream of training points, and of fresh ones: the same for every kernel.
const TRAINING: u64 = 0x7472_6169_6e00;

/// Fits the surrogate of a strategy to as many uniform points as the key has trials; figure `rmse`.
pub fn fit(key: &Key, _: &mut Worker<'_>) -> Result<Run, BenchError> {
    let problem = by_name(&key.problem)?;
    let strategy = key.method.parse::<StrategySpec>()?;
    let (spec, imputation) = match strategy.get::<BlindSpec>() {
        // Who knows no conditions sees whatever values the others were drawn with.
        Some(blind) => (model(&blind.strategy, key)?, Imputation::Raw),
        None => {
            let spec = model(&strategy, key)?;
            (spec, spec.imputation.clone())
        }
    };
    let space = problem.space();
    let mut rng = Rng::for_trial(key.seed ^ TRAINING, 0);
    let (seen, fresh) = (draws(space, key.trials, &mut rng)?, draws(space, FRESH, &mut rng)?);
    let encoding = Encoding { imputation, branching: Branching::Literal };
    let losses = |of: &[Configuration]| of.iter().map(|c| problem.loss(c)).collect::<Vec<f64>>();
    let data = Dataset::new(space.encode(&seen, &encoding), losses(&seen))?;
    let surrogate = spec.surrogate.build(SurrogateContext::new(space.layout(), &Workers::serial()))?;
    let model = surrogate.fit(&data, None, &mut Rng::for_trial(key.seed, 1))?;
    let predicted = model.predict(&space.encode(&fresh, &encoding)).mixture_mean();
    let squares: f64 = predicted.iter().zip(losses(&fresh)).map(|(p, loss)| (p - loss).powi(2)).sum();
    Ok(Run::new(key.clone()).with("rmse", (squares / FRESH as f64).sqrt()))
}

fn model<'a>(strategy: &'a StrategySpec, key: &Key) -> Result<&'a ModelSpec, BenchError> {
    strategy.get().ok_or_else(|| {
        let (setting, value) = ("method", key.method.clone());
        SearchError::BadSetting { setting, value, problem: "it has no model" }.into()
    })
}

fn draws(space: &Space, count: usize, rng: &mut Rng) -> Result<Vec<Configuration>, BenchError> {
    (0..count).map(|_| Ok(space.sample(rng)?)).collect()
}
