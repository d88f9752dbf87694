//! Any wish, weighted by what the user believes  [πBO, Hvarfner et al. 2022].
//!
//! score = ln a(x) + (β/t)·ln π(x), t the trials so far: the priors of the space steer the first trials and fade as
//! losses speak. A flat prior changes nothing. Only for wishes that are logarithms.
use super::{Utility, UtilitySlope};
use crate::believed::ln_density;
use arbora_space::{Point, Points, Space};

/// A wish times a power of the prior.
pub struct PriorWeighted<'a> {
    /// On the logarithmic scale.
    pub wish: Box<dyn Utility + 'a>,
    /// Whose priors.
    pub space: &'a Space,
    /// β/t.
    pub power: f64,
}

impl PriorWeighted<'_> {
    /// ln π over active columns, and its derivative in some of them.
    fn belief(&self, at: Point<'_>, columns: &[usize], mut slope: Option<&mut [f64]>) -> f64 {
        let mut total = 0.0;
        for column in at.active().columns() {
            let (ln, by_place) = ln_density(&self.space.parameters()[column], at.x()[column]);
            total += ln;
            let position = columns.iter().position(|&c| c == column);
            if let (Some(j), Some(slope)) = (position, slope.as_deref_mut()) {
                slope[j] += self.power * by_place;
            }
        }
        total
    }
}

impl Utility for PriorWeighted<'_> {
    fn score(&self, at: &Points) -> Vec<f64> {
        let scores = self.wish.score(at);
        scores
            .iter()
            .zip(at.iter())
            .map(|(score, p)| score + self.power * self.belief(p, &[], None))
            .collect()
    }

    fn slope(&self) -> Option<&dyn UtilitySlope> {
        self.wish.slope().is_some().then_some(self)
    }
}

impl UtilitySlope for PriorWeighted<'_> {
    fn score_with_slope(&self, at: Point<'_>, columns: &[usize], slope: &mut [f64]) -> f64 {
        let wish = self.wish.slope().expect("a slope is offered only where the wish has one");
        let score = wish.score_with_slope(at, columns, slope);
        score + self.power * self.belief(at, columns, Some(slope))
    }
}
