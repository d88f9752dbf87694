//! Maximizers look for the best wish.
//!
//! Laws: candidates are valid, snapped, each listed once, best first, and not taken; the best one is at least as
//! good as the best point looked at on the way. Scores are of the snapped configuration, so rounding cannot make
//! two candidates of one [Eggensperger et al. 2013, fig. 1].
mod anchors;
mod branch_first;
mod by_opinion;
mod cma;
mod combined;
mod descend;
mod listed;
mod local;
mod pool;
mod random;

pub use anchors::SobolAnchors;
pub use branch_first::{BranchFirst, BranchRule};
pub use by_opinion::ByOpinion;
pub use cma::Cma;
pub use combined::Combined;
pub use descend::Descend;
pub(crate) use listed::LISTED;
pub use listed::Listed;
pub use local::LocalSearch;
pub use pool::CandidatePool;
pub use random::RandomCandidates;

use crate::acquisition::Utility;
use crate::component::{Component, Family, Kind, Kinds, PartContext, Spec};
use crate::error::SearchError;
use crate::unseen::Taken;
use arbora_model::Interrupt;
use arbora_space::{Configuration, Encoding, Points, Rng, Space};

/// Where to look.
#[derive(Clone, Copy, Debug)]
pub struct Region<'a> {
    /// Everything that can be tried.
    pub space: &'a Space,
    /// How the model sees it.
    pub encoding: &'a Encoding,
    /// What must not be proposed again.
    pub taken: &'a Taken<'a>,
    /// Evaluated configurations, best first: starts for local searches.
    pub visited: &'a [&'a Configuration],
    /// Is the answer still wanted? Once it is not, any answer will do.
    pub interrupt: &'a Interrupt,
}

impl Region<'_> {
    /// Encodes and scores configurations; nothing is wished for once the answer is not.
    pub fn score(&self, wish: &dyn Utility, configurations: &[Configuration]) -> Vec<f64> {
        if self.interrupt.is_raised() {
            return vec![f64::NEG_INFINITY; configurations.len()];
        }
        wish.score(&self.encode(configurations))
    }

    /// Configurations as the model sees them.
    pub fn encode(&self, configurations: &[Configuration]) -> Points {
        self.space.encode(configurations, self.encoding)
    }
}

/// A configuration and how much it is wished for; higher is better.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Valid in the space.
    pub configuration: Configuration,
    /// On the utility's own scale.
    pub score: f64,
}

/// Searches a utility.
pub trait Maximizer: Send + Sync {
    /// Candidates, best first; empty only if everything looked at is taken.
    fn maximize(
        &self,
        wish: &dyn Utility,
        within: &Region<'_>,
        rng: &mut Rng,
    ) -> Result<Vec<Candidate>, SearchError>;

    /// Does it score one set of candidates, in one call?
    fn scores_once(&self) -> bool {
        false
    }
}

/// A maximizer as data: `{ kind = "local_search", random = 1000, starts = 10 }`. Spaces of few configurations are
/// listed whatever is chosen.
pub type MaximizerSpec = Spec<dyn Maximizer>;

static KINDS: Kinds<dyn Maximizer> = Kinds::new(BUILT_IN);
const BUILT_IN: &[Kind<dyn Maximizer>] = &[
    Kind::of::<RandomCandidates>(),
    Kind::of::<LocalSearch>(),
    Kind::of::<Descend>(),
    Kind::of::<Combined>(),
    Kind::of::<BranchFirst>(),
    Kind::of::<Cma>(),
    Kind::of::<SobolAnchors>(),
    Kind::of::<ByOpinion>(),
];

impl Family for dyn Maximizer {
    const NAME: &'static str = "maximizer";
    type Context<'a> = PartContext<'a>;
    type Error = SearchError;
    type Facts<'a> = ();

    fn kinds() -> &'static Kinds<Self> {
        &KINDS
    }

    fn standard() -> Spec<Self> {
        Spec::new(Combined::default())
    }
}

/// A maximizer that collects what it meets on its way in a [`CandidatePool`] and lets the best of it stand. Implement it rather than
/// [`Maximizer`]: the candidates then keep the laws, each once, best first and none that is taken.
pub trait Gather: Send + Sync {
    /// Everything scored goes to the pool.
    fn gather(
        &self,
        wish: &dyn Utility,
        within: &Region<'_>,
        pool: &mut CandidatePool,
        rng: &mut Rng,
    ) -> Result<(), SearchError>;

    /// Does it score one set of candidates, in one call?
    fn scores_once(&self) -> bool {
        false
    }
}

impl<G: Gather> Maximizer for G {
    fn maximize(
        &self,
        wish: &dyn Utility,
        within: &Region<'_>,
        rng: &mut Rng,
    ) -> Result<Vec<Candidate>, SearchError> {
        let mut pool = CandidatePool::default();
        self.gather(wish, within, &mut pool, rng)?;
        Ok(pool.ranked(within.taken))
    }

    fn scores_once(&self) -> bool {
        Gather::scores_once(self)
    }
}

#[cfg(test)]
mod tests;
