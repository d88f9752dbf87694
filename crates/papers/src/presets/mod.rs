//! Rows of the papers' tables as named strategies.
mod kriging;
mod rows;

use arbora_model::component::Component;
use arbora_model::{Surrogate, SurrogateSpec};
use arbora_search::ModelSpec;

pub(crate) use kriging::ALL as KRIGING;
pub(crate) use rows::ALL as ROWS;

/// A model-based strategy with this surrogate and defaults for everything else.
fn by_surrogate<C: Component<dyn Surrogate>>(surrogate: C) -> ModelSpec {
    ModelSpec { surrogate: SurrogateSpec::new(surrogate), ..ModelSpec::default() }
}
