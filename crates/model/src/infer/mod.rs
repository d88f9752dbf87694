//! Choosing θ. A point estimate is one draw; slice sampling is many.
//!
//! Laws: a draw lies inside the bounds and has a finite log density; the same start, target and generator give
//! the same draws; with no data the draws follow the prior (sampling) or sit at its mode (point estimates).
mod differences;
mod error;
mod fixed;
mod map;
mod persistent;
mod slice;
#[cfg(test)]
mod tests;
mod walk;

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
    /// What the coordinates of θ are.
    fn hypers(&self) -> &[Hyper];

    /// At θ.
    fn at(&mut self, theta: &[f64]) -> f64;

    /// How many observations speak: the more, the less one more of them moves the density.
    fn observations(&self) -> usize {
        0
    }

    /// About how many operations one evaluation takes.
    fn work(&self) -> f64 {
        let n = self.observations() as f64;
        n * n * (n / 3.0 + 12.0)
    }

    /// Along one coordinate, the others fixed at θ: a target may recompute only what that coordinate touches.
    /// Calling the returned function at `theta[coordinate]` gives `at(theta)` up to rounding.
    fn along<'a>(&'a mut self, theta: &[f64], coordinate: usize) -> Box<dyn FnMut(f64) -> f64 + 'a>;

    /// At θ; −∞ if θ lies outside the bounds, or has not one coordinate per hyper.
    fn at_inside(&mut self, theta: &[f64]) -> f64 {
        let hypers = self.hypers();
        let within = |(hyper, &coordinate): (&Hyper, &f64)| {
            let (low, high) = hyper.bounds();
            (low..=high).contains(&coordinate)
        };
        let inside = hypers.len() == theta.len() && hypers.iter().zip(theta).all(within);
        if inside { self.at(theta) } else { f64::NEG_INFINITY }
    }

    /// At θ, with the gradient written to `gradient`; `None` if the target has none.
    fn with_gradient(&mut self, theta: &[f64], gradient: &mut [f64]) -> Option<f64>;
}

/// Where draws begin.
#[derive(Clone, Debug, PartialEq)]
pub enum Start {
    /// Nothing is known: begin here and forget the beginning (burn in, restart).
    Fresh(Vec<f64>),
    /// The chain's last states, oldest first and at least one: go on from the last.
    Continue(Vec<Vec<f64>>),
}

impl Start {
    /// The θ to begin at.
    pub fn theta(&self) -> &[f64] {
        match self {
            Start::Fresh(theta) => theta,
            Start::Continue(states) => states.last().map_or(&[], Vec::as_slice),
        }
    }
}

/// Chooses θ.
pub trait Inference: Send + Sync {
    /// One θ or several, all of finite log density. Empty only if the start itself has none.
    fn draw(&self, target: &mut dyn LogDensity, start: &Start, rng: &mut Rng) -> Vec<Vec<f64>>;
}

/// An inference as data: `{ kind = "slice", draws = 10 }`, `{ kind = "map", starts = 5 }` or `"fixed"`.
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
