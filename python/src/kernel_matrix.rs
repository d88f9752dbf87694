//! How alike the kernel of a study's strategy takes configurations to be: the matrices of the papers' figures.
use crate::exception::Failure;
use arbora_model::{GpSpec, KernelContext, Memory};
use arbora_search::{SearchError, StrategySpec};
use arbora_space::{Branching, Configuration, Encoding};
use arbora_store::DurableStudy;

/// Where model-based strategies keep the states of their chain.
const CHAIN: &str = "chain";

/// The correlation matrix of the kernel, at the hypers last believed in, or at the medians of their priors.
pub(crate) fn matrix(
    study: &DurableStudy,
    configurations: &[Configuration],
) -> Result<Vec<Vec<f64>>, Failure> {
    let (space, history) = (study.space(), study.study().history());
    let strategy = &study.options().strategy;
    let Some(spec) = strategy.model(space, history.len()) else { return Err(without_kernel(strategy)) };
    let Some(gp) = spec.surrogate.get::<GpSpec>() else { return Err(without_kernel(strategy)) };
    let context = KernelContext::new(space.layout(), &gp.length);
    let kernel = gp.kernel.build(context).map_err(SearchError::from)?;
    let encoding = Encoding { imputation: spec.imputation.clone(), branching: Branching::Literal };
    let points = space.encode(configurations, &encoding);
    let chain: Option<Memory> = history.trials().iter().rev().find_map(|t| t.memo.read(CHAIN));
    let hypers = kernel.hypers().iter();
    let theta: Vec<f64> = hypers
        .map(|hyper| {
            let value = chain.as_ref().and_then(|chain| chain.value(&hyper.name));
            value.map_or_else(|| hyper.median(), |value| hyper.coordinate(value))
        })
        .collect();
    let count = configurations.len();
    let row = |i: usize| (0..count).map(|j| kernel.cov(&theta, points.row(i), points.row(j))).collect();
    Ok((0..count).map(row).collect())
}

fn without_kernel(strategy: &StrategySpec) -> Failure {
    let problem = "it has no kernel; ask a study with a Gaussian process";
    let value = serde_json::to_string(strategy).unwrap_or_default();
    SearchError::BadSetting { setting: "strategy", value, problem }.into()
}
