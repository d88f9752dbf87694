//! Configurations that were not proposed yet, and the end of a finite space.
use crate::error::SearchError;
use crate::history::History;
use crate::trial::{Outcome, Trial};
use arbora_space::{Cardinality, Configuration, Reach, Rng, Space};
use std::collections::HashSet;

/// Draws before a finite space is listed instead.
const DRAWS: usize = 200;

/// Listing a space of at most this many configurations is quicker than any cleverness.
const LISTABLE: u128 = 1_000_000;

/// Draws with their neighbourhoods before a space too large to list counts as used up.
const ROUNDS: usize = 2000;

/// Evaluated and pending configurations, in canonical form.
#[derive(Clone, Debug)]
pub struct Taken<'h> {
    configurations: HashSet<&'h Configuration>,
    repeats: bool,
}

/// Everything that was proposed and not given up.
fn proposed(history: &History) -> impl Iterator<Item = &Configuration> {
    let is_kept = |trial: &&Trial| !trial.outcome.as_ref().is_some_and(Outcome::is_abandoned);
    history.trials().iter().filter(is_kept).map(|trial| &trial.configuration)
}

impl<'h> Taken<'h> {
    /// Everything a history has proposed and not given up. With `repeats` nothing counts as taken.
    pub fn of(history: &'h History, repeats: bool) -> Self {
        Self { configurations: proposed(history).collect(), repeats }
    }

    /// As [`draw_unseen`](Self::draw_unseen) for a single draw. It is nearly always new, and to compare it with every
    /// trial costs much less than to hash them all.
    pub fn draw_one(
        history: &'h History,
        repeats: bool,
        space: &Space,
        rng: &mut Rng,
    ) -> Result<Configuration, SearchError> {
        let drawn = space.sample(rng)?;
        if repeats || !proposed(history).any(|taken| *taken == drawn) {
            return Ok(drawn);
        }
        Self::of(history, repeats).draw_again(DRAWS - 1, space, rng)
    }

    /// These configurations.
    pub fn these(configurations: &'h [Configuration]) -> Self {
        Self { configurations: configurations.iter().collect(), repeats: false }
    }

    /// Must this configuration not be proposed again?
    pub fn contains(&self, configuration: &Configuration) -> bool {
        !self.repeats && self.configurations.contains(configuration)
    }

    /// A random configuration that is not taken.
    pub fn draw_unseen(&self, space: &Space, rng: &mut Rng) -> Result<Configuration, SearchError> {
        self.draw_again(DRAWS, space, rng)
    }

    fn draw_again(&self, draws: usize, space: &Space, rng: &mut Rng) -> Result<Configuration, SearchError> {
        for _ in 0..draws {
            let drawn = space.sample(rng)?;
            if !self.contains(&drawn) {
                return Ok(drawn);
            }
        }
        self.list_unseen(space, rng)
    }

    /// Uniform among what is left of a space small enough to list; rejection to the end in a larger one.
    fn list_unseen(&self, space: &Space, rng: &mut Rng) -> Result<Configuration, SearchError> {
        match space.cardinality() {
            Cardinality::Finite(count) if count <= LISTABLE => {
                let mut left: Vec<Configuration> = space
                    .enumerate()?
                    .filter(|found| !found.as_ref().is_ok_and(|c| self.contains(c)))
                    .collect::<Result<_, _>>()?;
                if left.is_empty() {
                    return Err(SearchError::Exhausted { count });
                }
                let chosen = rng.below(left.len());
                Ok(left.swap_remove(chosen))
            }
            _ => self.look_around(space, rng),
        }
    }

    /// Draws and their neighbours. In a space too large to list this fails only if constraints pin nearly everything
    /// or the priors leave nearly nothing.
    fn look_around(&self, space: &Space, rng: &mut Rng) -> Result<Configuration, SearchError> {
        for _ in 0..ROUNDS {
            let drawn = space.sample(rng)?;
            let moved = space.neighbours(&drawn, Reach::default(), rng);
            if let Some(found) = std::iter::once(drawn).chain(moved).find(|c| !self.contains(c)) {
                return Ok(found);
            }
        }
        Err(SearchError::NothingNew { draws: DRAWS + ROUNDS })
    }
}
