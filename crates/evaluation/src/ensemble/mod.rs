//! Ensembles of trials that are already evaluated.
//!
//! Members predict rows they were not trained on. An ensemble is a list of slots with one member
//! each, which vote or are averaged. A *loss* compares the combined predictions with the truth.
//! *Greedy* selection picks members after the search; *slots* let the search itself look for the
//! member an ensemble still needs  [Lévesque 2018, ch. 4].
//!
//! **Reshuffled splits.** With one fixed partition, each trial predicts every row once, so votes
//! align row by row. With new splits for every trial, folds of different trials hold different
//! rows, but the out-of-fold predictions of a k-fold partition still cover every row once: votes
//! align as before, each by a model that has not seen the row. With a reshuffled hold-out, a member
//! predicts its own validation rows only ([`ABSENT`] elsewhere), and each row is judged by the
//! members that predict it. The fewer they are, the noisier the loss; prefer folds for ensembles.
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
