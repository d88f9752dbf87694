//! A design and nothing else: the points of a grid, of a Sobol sequence or of Latin hypercubes, one after the other.
//!
//! The baselines without a model. A point that was proposed before, and everything after the last point, is a random
//! draw; Latin hypercubes begin again with fresh strata. Costs nothing; learns nothing.
use super::{Ask, Strategy, Suggestion};
use crate::design::Design;
use crate::error::SearchError;
use crate::memo::Memo;
use crate::unseen::Taken;
use arbora_space::Rng;

/// Odd, and far from any seed a person would choose.
const NEXT_ROUND: u64 = 0x9e37_79b9_7f4a_7c15;

/// Walks a design.
pub struct Designed {
    pub(crate) design: Box<dyn Design>,
    /// The design begins again after this many points.
    pub(crate) round: Option<usize>,
}

impl Strategy for Designed {
    fn suggest(&self, ask: &Ask<'_>, rng: &mut Rng) -> Result<Suggestion, SearchError> {
        let taken = Taken::of(ask.history, ask.repeats);
        let (round, index) = match self.round {
            Some(length) => (ask.history.len() / length, ask.history.len() % length),
            None => (0, ask.history.len()),
        };
        let seed = ask.seed.wrapping_add((round as u64).wrapping_mul(NEXT_ROUND));
        let planned = self.design.point(ask.space, index, seed)?.filter(|c| !taken.contains(c));
        let configuration = match planned {
            Some(configuration) => configuration,
            None => taken.draw_unseen(ask.space, rng)?,
        };
        Ok(Suggestion::full(configuration, Memo::new()))
    }
}
