//! Ensembles from trials that were paid for.
//!
//! Members predict rows they were not trained on; an ensemble is a list of slots, each filled by a member, that votes or
//! averages. A *loss* judges what it says; *greedy* selection picks members after the search; *slots* let the search itself look for
//! the member an ensemble still needs  [Lévesque 2018, ch. 4].
//!
//! **Reshuffled splits.** Under one partition every row is predicted once by each trial, so votes line up row by row. With
//! splits drawn anew, folds of different trials hold different rows, but out-of-fold predictions of a k-fold partition
//! still cover every row once: votes line up as before, each cast by a model that had not seen the row. Under a reshuffled
//! hold-out a member speaks about its own validation rows only ([`ABSENT`] elsewhere): a row is judged by the members that
//! speak about it. The fewer those are, the weaker the judgement; prefer folds where an ensemble is wanted.
mod candidates;
mod combine;
mod greedy;
mod loss;
mod pool;
mod regression;
mod slots;
mod ties;
mod voters;
mod votes;

pub use candidates::Candidates;
pub use combine::{Combiner, average, vote};
pub use greedy::{Bagging, Greedy};
pub use loss::{VoteLoss, sigmoid_scale};
pub use pool::{Member, Pool};
pub use regression::{Mean, MeanEnsemble};
pub use slots::Slots;
pub use ties::TieScale;
pub use voters::{SlotRule, Voters};
pub use votes::{ABSENT, RowVotes, Votes};
