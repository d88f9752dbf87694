//! Strategies answer "what next?".
//!
//! Laws: a suggestion is a valid configuration of the space; it is not taken unless repeats are wanted; it is a
//! function of (space, history, seed) alone, so the same history gives the same suggestion after a restart and
//! with any number of threads.
mod asha;
mod blind;
mod cma_es;
mod designed;
mod fabolas;
mod hyperband;
mod interleaved;
mod model_based;
mod racing;
mod random;
mod then;
mod tpe;

pub use asha::Asha;
pub use blind::Blind;
pub(crate) use blind::Twin;
pub use cma_es::{CmaEs, generation};
pub use designed::Designed;
pub use fabolas::Fabolas;
pub(crate) use fabolas::Widened;
pub use hyperband::Hyperband;
pub use interleaved::{Interleaved, Turn};
pub use model_based::{Incumbent, ModelBased, Pending};
pub use racing::Racing;
pub use random::RandomSearch;
pub use then::Then;
pub use tpe::{Good, Tpe};

use crate::error::SearchError;
use crate::history::History;
use crate::memo::Memo;
use crate::trial::Effort;
use arbora_model::Interrupt;
use arbora_space::{Configuration, Rng, Space};

/// What a strategy may know.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// Everything that can be tried.
    pub space: &'a Space,
    /// Everything that was tried or is being tried.
    pub history: &'a History,
    /// The study's seed, for designs that span several trials.
    pub seed: u64,
    /// May a configuration be proposed again?
    pub repeats: bool,
    /// Is the answer still wanted? Once it is not, any answer will do.
    pub interrupt: &'a Interrupt,
}

/// What to try next, and what to remember about how it was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// Valid in the space asked about.
    pub configuration: Configuration,
    /// How much of an evaluation is wanted.
    pub effort: Effort,
    /// Comes back in the history.
    pub memo: Memo,
}

impl Suggestion {
    /// A full evaluation of a configuration.
    pub fn full(configuration: Configuration, memo: Memo) -> Self {
        Self { configuration, effort: Effort::Full, memo }
    }
}

/// A function of (space, history, seed); no hidden state.
pub trait Strategy: Send + Sync {
    /// What next? `rng` belongs to this trial alone.
    fn suggest(&self, ask: &Ask<'_>, rng: &mut Rng) -> Result<Suggestion, SearchError>;
}
