//! Choosing θ. A point estimate is one draw; slice sampling is many.
//!
//! Laws: a draw lies inside the bounds and has a finite log density; the same start, target and generator give
//! the same draws; with no data the draws follow the prior (sampling) or sit at its mode (point estimates).
use crate::hyper::Hyper;
use arbora_space::Rng;

/// An unnormalised log posterior of θ. Values that cannot be computed are −∞, never NaN.
pub trait LogDensity {
    /// What the coordinates of θ are.
    fn hypers(&self) -> &[Hyper];

    /// At θ.
    fn at(&mut self, theta: &[f64]) -> f64;

    /// Along one coordinate, the others fixed at θ: a target may recompute only what that coordinate touches.
    /// Calling the returned function at `theta[coordinate]` gives `at(theta)` up to rounding.
    fn along<'a>(&'a mut self, theta: &[f64], coordinate: usize) -> Box<dyn FnMut(f64) -> f64 + 'a>;

    /// At θ, with the gradient written to `gradient`; `None` if the target has none.
    fn with_gradient(&mut self, theta: &[f64], gradient: &mut [f64]) -> Option<f64>;
}

/// Where draws begin.
#[derive(Clone, Debug, PartialEq)]
pub enum Start {
    /// Nothing is known: begin here and forget the beginning (burn in, restart).
    Fresh(Vec<f64>),
    /// The chain's last state: go on from here.
    Continue(Vec<f64>),
}

/// Chooses θ.
pub trait Inference: Send + Sync {
    /// One θ or several, all of finite log density. Empty only if the start itself has none.
    fn draw(&self, target: &mut dyn LogDensity, start: &Start, rng: &mut Rng) -> Vec<Vec<f64>>;
}
