//! Random search: ancestral draws from the priors, never the same twice.
use super::{Ask, Strategy, Suggestion};
use crate::error::SearchError;
use crate::memo::Memo;
use crate::unseen::Taken;
use arbora_space::Rng;

/// Draws from the priors of the space.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomSearch;

impl Strategy for RandomSearch {
    fn suggest(&self, ask: &Ask<'_>, rng: &mut Rng) -> Result<Suggestion, SearchError> {
        let configuration = Taken::of(ask.history, ask.repeats).draw_unseen(ask.space, rng)?;
        Ok(Suggestion::full(configuration, Memo::new()))
    }
}
