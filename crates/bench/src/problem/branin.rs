//! Branin's function on [−5, 10] × [0, 15]: three equal valleys  [Eggensperger et al. 2013].
use super::{Problem, Reading};
use arbora_space::{Param, Space};
use std::f64::consts::PI;

/// (y − 5.1x²/4π² + 5x/π − 6)² + 10(1 − 1/8π) cos x + 10.
pub fn branin() -> Problem {
    let space = Space::new([Param::real("x", -5.0, 10.0), Param::real("y", 0.0, 15.0)]);
    let space = space.expect("two plain numbers make a space");
    Problem::new("branin", space, 0.397_887_357_729_738_1, |at: &Reading<'_>| {
        let (x, y) = (at.number("x"), at.number("y"));
        let valley = y - 5.1 / (4.0 * PI * PI) * x * x + 5.0 / PI * x - 6.0;
        valley * valley + 10.0 * (1.0 - 1.0 / (8.0 * PI)) * libm::cos(x) + 10.0
    })
}
