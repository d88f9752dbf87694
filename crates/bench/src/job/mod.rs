//! What one run does: search, fit, compare covariances, judge protocols, build ensembles.
//!
//! Laws: a run is a pure function of its key and the settings, apart from the seconds it took.
mod covariance;
mod ensemble;
mod fit;
mod picture;
mod search;
mod trust;

pub use covariance::{MATRICES, covariance, matrix};
pub use ensemble::ensemble;
pub use fit::fit;
pub use picture::{Picture, picture};
pub use search::{search, search_from_branches, search_from_draws};
pub use trust::trust;

use crate::context::Context;

/// A worker makes one run after the other.
pub struct Worker<'a> {
    /// What its runs may use.
    pub context: Context<'a>,
    // Methods that only differ in what they make of a search share it, so the last one is kept with all that it
    // depends on. A run is the same with it and without.
    trust: Option<(trust::SearchKey, trust::TrustSearch)>,
    ensemble: Option<(ensemble::SearchKey, ensemble::EnsembleSearch)>,
}

impl<'a> Worker<'a> {
    /// One that has made no run.
    pub fn new(context: Context<'a>) -> Self {
        Self { context, trust: None, ensemble: None }
    }
}
