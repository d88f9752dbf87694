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
