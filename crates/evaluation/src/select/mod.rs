//! Which of the finished trials is returned?
//!
//! The least loss seen is the obvious answer and a biased one: E[min(f + ε)] < min f, and the bias grows like σ√(2 ln B)
//! with the number of trials. A held-back split chooses without that bias but costs rows; the posterior mean of a model
//! averages the luck of a trial with that of its neighbours and costs nothing  [Lévesque 2018, ch. 3].
mod confirm;
mod held_back;
mod posterior;

pub use confirm::{Confirmation, Paired};
pub use held_back::{HeldBack, Scored};
pub use posterior::{Posterior, PosteriorMean};

use arbora_search::History;

/// The trial of least loss seen; the earliest where several tie.
pub fn argmin(history: &History) -> Option<u64> {
    history.incumbent().map(|trial| trial.number)
}
