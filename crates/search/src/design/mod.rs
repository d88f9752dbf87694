//! Designs: the first points, before a model has anything to learn from.
//!
//! Laws: the points are valid; a point is a function of (space, index, seed); after the last one comes `None`.
mod branches;
mod defaults;
mod grid;
mod latin;
mod random;
mod sobol;

pub use branches::OnePerBranch;
pub use defaults::{DefaultsFirst, DefaultsFirstSpec};
pub use grid::Grid;
pub use latin::LatinHypercube;
pub use random::RandomDesign;
pub use sobol::Sobol;

use crate::component::{Component, Family, Kind, Kinds, PartContext, Spec};
use crate::cube::proposable_at;
use crate::error::SearchError;
use arbora_space::{Configuration, Rng, Space};

/// Initial points.
pub trait Design: Send + Sync {
    /// The point with this index, or `None` once the design is complete.
    fn point(&self, space: &Space, index: usize, seed: u64) -> Result<Option<Configuration>, SearchError>;
}

/// A design as data: `{ kind = "sobol", count = 8 }`.
pub type DesignSpec = Spec<dyn Design>;

static KINDS: Kinds<dyn Design> = Kinds::new(BUILT_IN);
const BUILT_IN: &[Kind<dyn Design>] = &[
    Kind::of::<RandomDesign>(),
    Kind::of::<Sobol>(),
    Kind::of::<LatinHypercube>(),
    Kind::of::<OnePerBranch>(),
    Kind::of::<DefaultsFirstSpec>(),
];

impl Family for dyn Design {
    const NAME: &'static str = "design";
    type Context<'a> = PartContext<'a>;
    type Error = SearchError;
    type Facts<'a> = ();

    fn kinds() -> &'static Kinds<Self> {
        &KINDS
    }

    fn standard() -> Spec<Self> {
        Spec::new(OnePerBranch::default())
    }
}

/// The generator of one design point: streams from the top, where no trial's stream is.
fn stream(seed: u64, index: usize) -> Rng {
    Rng::for_trial(seed, u64::MAX - index as u64)
}

/// The configuration at a place of the unit cube; where constraints forbid it, a random one.
fn at_place(space: &Space, place: &[f64], rng: &mut Rng) -> Result<Configuration, SearchError> {
    Ok(match proposable_at(space, place) {
        Some(found) => found,
        None => space.sample(rng)?,
    })
}

#[cfg(test)]
mod tests;
