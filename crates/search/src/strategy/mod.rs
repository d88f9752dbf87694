//! Strategies answer "what next?".
//!
//! Laws: a suggestion is a valid configuration of the space; it is not taken unless repeats are wanted; it is a
//! function of (space, history, seed) alone, so the same history gives the same suggestion after a restart and
//! with any number of threads.
mod asha;
mod blind;
mod by_width;
mod checked;
mod cma_es;
mod designed;
mod fabolas;
mod hyperband;
mod interleaved;
mod model_based;
mod racing;
mod random;
mod restless;
mod spec;
mod then;
mod tpe;

pub use asha::{Asha, AshaSpec};
pub use blind::{Blind, BlindSpec};
pub use by_width::ByWidth;
pub use cma_es::{CmaEs, generation};
pub use designed::{Designed, GridSearch, LatinHypercubes, SobolSequence};
pub use fabolas::{Fabolas, FabolasSpec};
pub use hyperband::{Hyperband, HyperbandSpec};
pub use interleaved::{Interleaved, InterleavedSpec, Turn};
pub use model_based::{CostSpec, Incumbent, ModelBased, ModelSpec, Pending};
pub use racing::{Racing, RacingSpec};
pub use random::RandomSearch;
pub use restless::RestlessSpec;
pub use spec::StrategySpec;
pub use then::{Then, ThenSpec};
pub use tpe::{Good, Tpe};

use crate::component::{Component, Family, Kind, Kinds, Spec, StrategyContext};
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

static KINDS: Kinds<dyn Strategy> = Kinds::new(BUILT_IN);
const BUILT_IN: &[Kind<dyn Strategy>] = &[
    Kind::of::<RandomSearch>(),
    Kind::of::<ModelSpec>(),
    Kind::of::<AshaSpec>(),
    Kind::of::<BlindSpec>(),
    Kind::of::<ByWidth>(),
    Kind::of::<CmaEs>(),
    Kind::of::<FabolasSpec>(),
    Kind::of::<GridSearch>(),
    Kind::of::<HyperbandSpec>(),
    Kind::of::<InterleavedSpec>(),
    Kind::of::<LatinHypercubes>(),
    Kind::of::<RacingSpec>(),
    Kind::of::<RestlessSpec>(),
    Kind::of::<SobolSequence>(),
    Kind::of::<ThenSpec>(),
    Kind::of::<Tpe>(),
];

impl Family for dyn Strategy {
    const NAME: &'static str = "strategy";
    type Context<'a> = StrategyContext<'a>;
    type Error = SearchError;
    type Facts<'a> = Proposer<'a>;

    fn kinds() -> &'static Kinds<Self> {
        &KINDS
    }

    fn standard() -> Spec<Self> {
        Spec::new(ByWidth::default())
    }
}

/// Chooses a strategy by the space and the number of trials.
pub type Choice<'a> = Box<dyn Fn(&Space, usize) -> &'a StrategySpec + 'a>;

/// Who makes the suggestions of a strategy.
#[derive(Default)]
pub enum Proposer<'a> {
    /// The strategy itself, without a model.
    #[default]
    Itself,
    /// A model.
    Model(&'a ModelSpec),
    /// Another strategy.
    Other(Choice<'a>),
}
