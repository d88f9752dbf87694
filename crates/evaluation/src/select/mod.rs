//! Which of the finished trials should be returned?
//!
//! The obvious answer, the lowest observed loss, is biased: E[min(f + ε)] < min f, and the bias
//! grows like σ√(2 ln B) with the number B of trials. Held-back rows select without this bias, but
//! they are lost for training. The posterior mean of a model smooths the noise of a trial with that
//! of its neighbours, at no cost  [Lévesque 2018, ch. 3].
mod confirm;
mod held_back;
mod posterior;

pub use confirm::{Confirmation, Paired};
pub use held_back::{HeldBack, Scored};
pub use posterior::{Posterior, PosteriorMean};

use arbora_search::History;

/// The trial with the lowest observed loss; ties go to the earliest.
pub fn argmin(history: &History) -> Option<u64> {
    history.incumbent().map(|trial| trial.number)
}
