//! Sobol anchors, then gradients: the maximizer of Spearmint  [Snoek et al. 2012].
//!
//! A Sobol grid over the cube of all parameters and a few points sprayed around the best configuration
//! (σ = 10⁻³) are scored at once; the best are improved by L-BFGS inside their branch and snapped. Cost: `points`
//! scores and `starts` descents. In deep trees most coordinates of an anchor are inactive.
use super::descend::{EVALUATIONS, polish};
use super::pool::CandidatePool;
use super::{Component, Gather, Maximizer, PartContext, Region};
use crate::acquisition::Utility;
use crate::cube;
use crate::error::{SearchError, at_least_one};
use crate::sobol::coordinate;
use arbora_space::{Configuration, Rng};
use serde::{Deserialize, Serialize};

/// How far sprayed points fall from the best, on the unit scale.
const SPRAY: f64 = 1e-3;

/// Points sprayed around the best configuration so far.
const SPRAYED: usize = 10;

/// Anchors and descents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SobolAnchors {
    /// Points of the grid.
    pub points: usize,
    /// How many of the best are improved.
    pub starts: usize,
}

impl Default for SobolAnchors {
    fn default() -> Self {
        Self { points: 20_000, starts: 20 }
    }
}

impl SobolAnchors {
    fn grid(&self, within: &Region<'_>, rng: &mut Rng) -> Vec<Configuration> {
        let width = within.space.layout().width();
        let seed = rng.word();
        let mut found = Vec::with_capacity(self.points);
        for index in 0..self.points {
            let place: Vec<f64> =
                (0..width).map(|d| coordinate(index, d, seed).unwrap_or_else(|| rng.unit())).collect();
            found.extend(cube::proposable_at(within.space, &place));
        }
        found
    }

    fn spray(within: &Region<'_>, rng: &mut Rng) -> Vec<Configuration> {
        let Some(best) = within.visited.first() else { return Vec::new() };
        let mut centre = vec![0.5; within.space.layout().width()];
        cube::move_to(within.space, best, &mut centre);
        let mut around = || centre.iter().map(|u| (u + SPRAY * rng.normal()).clamp(0.0, 1.0)).collect();
        let places: Vec<Vec<f64>> = (0..SPRAYED).map(|_| around()).collect();
        places.iter().filter_map(|place| cube::proposable_at(within.space, place)).collect()
    }
}

impl Component<dyn Maximizer> for SobolAnchors {
    const KIND: &'static str = "sobol_anchors";

    fn build(&self, _context: PartContext<'_>) -> Result<Box<dyn Maximizer>, SearchError> {
        at_least_one("maximizer.points", self.points)?;
        Ok(Box::new(*self))
    }
}

impl Gather for SobolAnchors {
    fn gather(
        &self,
        wish: &dyn Utility,
        within: &Region<'_>,
        pool: &mut CandidatePool,
        rng: &mut Rng,
    ) -> Result<(), SearchError> {
        let mut anchors = self.grid(within, rng);
        anchors.extend(Self::spray(within, rng));
        // What no place of the grid hits, constraints being narrow, a draw that respects them does.
        anchors.push(within.space.sample(rng)?);
        let scores = within.score(wish, &anchors);
        pool.add_all(anchors, &scores);
        polish(&pool.best_places(self.starts), EVALUATIONS, wish, within, pool, rng);
        Ok(())
    }
}
