//! Inference of θ. A point estimate is one draw; slice sampling gives many.
//!
//! Laws: a draw lies inside the bounds and has a finite log density; the same start, target and
//! generator give the same draws; without data the draws follow the prior (sampling) or equal its
//! mode (point estimates).
mod chain;
mod differences;
mod error;
mod fixed;
mod map;
mod persistent;
mod slice;
#[cfg(test)]
mod tests;

use crate::component::{Component, Family, Kind, Kinds, Spec};
use crate::hyper::Hyper;
use arbora_space::Rng;

pub use differences::with_differences;
pub use error::InferenceError;
pub use fixed::Fixed;
pub use map::{Estimate, Map};
pub use persistent::Persistent;
pub use slice::Slice;

/// An unnormalised log posterior of θ. Values that cannot be computed are −∞, never NaN.
pub trait LogDensity {
    /// The coordinates of θ.
    fn hypers(&self) -> &[Hyper];

    /// Its value at θ.
    fn at(&mut self, theta: &[f64]) -> f64;

    /// Number of observations: the more there are, the less one more of them changes the density.
    fn observations(&self) -> usize {
        0
    }

    /// Approximate number of operations per evaluation.
    fn work(&self) -> f64 {
        let n = self.observations() as f64;
        n * n * (n / 3.0 + 12.0)
    }

    /// Its values along one coordinate, the others fixed at θ. A target may recompute only what
    /// depends on that coordinate. Calling the returned function at `theta[coordinate]` gives
    /// `at(theta)` up to rounding.
    fn along<'a>(&'a mut self, theta: &[f64], coordinate: usize) -> Box<dyn FnMut(f64) -> f64 + 'a>;

    /// Its value at θ; −∞ if θ is outside the bounds or has the wrong length.
    fn at_inside(&mut self, theta: &[f64]) -> f64 {
        let hypers = self.hypers();
        let within = |(hyper, &coordinate): (&Hyper, &f64)| {
            let (low, high) = hyper.bounds();
            (low..=high).contains(&coordinate)
        };
        let inside = hypers.len() == theta.len() && hypers.iter().zip(theta).all(within);
        if inside { self.at(theta) } else { f64::NEG_INFINITY }
    }

    /// Its value at θ, with the gradient written to `gradient`; `None` if the target has no
    /// gradient.
    fn with_gradient(&mut self, theta: &[f64], gradient: &mut [f64]) -> Option<f64>;
}

/// Where draws begin.
#[derive(Clone, Debug, PartialEq)]
pub enum Start {
    /// No earlier state: start here, with burn-in or restarts.
    Fresh(Vec<f64>),
    /// The last states of the chain, oldest first, at least one: continue from the last.
    Continue(Vec<Vec<f64>>),
}

impl Start {
    /// The θ to start from.
    pub fn theta(&self) -> &[f64] {
        match self {
            Start::Fresh(theta) => theta,
            Start::Continue(states) => states.last().map_or(&[], Vec::as_slice),
        }
    }
}

/// Chooses or samples θ.
pub trait Inference: Send + Sync {
    /// One or more θ, all with finite log density. Empty only if the start's density is not finite.
    fn draw(&self, target: &mut dyn LogDensity, start: &Start, rng: &mut Rng) -> Vec<Vec<f64>>;
}

/// An inference as data: `{ kind = "slice", draws = 10 }`, `{ kind = "map", starts = 5 }` or
/// `"fixed"`.
pub type InferenceSpec = Spec<dyn Inference>;

static KINDS: Kinds<dyn Inference> = Kinds::new(BUILT_IN);
const BUILT_IN: &[Kind<dyn Inference>] =
    &[Kind::of::<Slice>(), Kind::of::<Persistent>(), Kind::of::<Map>(), Kind::of::<Fixed>()];

impl Family for dyn Inference {
    const NAME: &'static str = "inference";
    type Context<'a> = ();
    type Error = InferenceError;
    type Facts<'a> = ();

    fn kinds() -> &'static Kinds<Self> {
        &KINDS
    }

    fn standard() -> Spec<Self> {
        Spec::new(Slice::default())
    }
}
