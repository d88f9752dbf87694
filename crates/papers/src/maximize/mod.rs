//! Box searches: differential evolution and DIRECT, over the unit cube of all parameters.
mod dense;
mod differential_evolution;
mod direct;

pub use differential_evolution::DifferentialEvolution;
pub use direct::DividedCube;

use arbora_search::SearchError;

/// Fails if a count is zero.
fn at_least_one(setting: &'static str, count: usize) -> Result<(), SearchError> {
    let problem = "at least one is needed";
    if count > 0 { Ok(()) } else { Err(SearchError::BadSetting { setting, value: "0".into(), problem }) }
}

#[cfg(test)]
mod tests;
