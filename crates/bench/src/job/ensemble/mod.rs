//! Ensembles from a search, and searches for an ensemble  [T18, ch. 4].
//!
//! Five folds; out-of-fold predictions of every trial line up row by row and vote. Members are
//! trained on all rows but those that test. The name of a method says how it goes about it:
//!
//! | part | meaning |
//! |---|---|
//! | `rs-best`, `cma-best`, `bo-best` | the best trial |
//! | `rs-post`, `bo-post` | a greedy selection afterwards |
//! | `eo-zo`, `eo-c`, `eo-sqm`, `eo-sig` | the search looks for the member that is missing, by the zero–one loss, the C-bound, the squared margin or the sigmoid |
//! | `eo-post` | a greedy selection after a search by the squared margin |
//! | `-same` | slots are filled by the loss of the search, as the thesis' program does; without, by the zero–one loss, as Algorithm 4.1 is printed |
//! | `-13` | so many members; without, the 12 of the thesis |
//! | `-raw` | the process takes a choice for a number and absent parameters for present ones, and is asked at random points; without, they are imputed and a local search follows |
//! | `-thesis` | the same with the chooser of the thesis' program |
//!
//! Votes of an even number tie, and a tie counts as an error: users get `-same-13`.
//!
//! `-thesis` is as near to that program as its text and published source tell: 10 000 points of a
//! Sobol grid and 10 around the best, 20 of them improved by L-BFGS; length-scales flat on (0, 2],
//! noise of scale 0.1; BO goes on with its chain for ever, EO burns in for 100 iterations at every
//! trial. What still differs: losses are standardised (theirs: times 50), hypers are sampled as
//! logarithms and now and then hop to a draw of the prior, and no configuration comes twice. It is
//! about T18 §4.4.1, support vector machines. In §4.4.2, all learners, absent parameters are imputed
//! and BO-best is the row GP-matern-ls of chapter 5: there, methods without the suffix are nearest.
//!
//! Beside the test error a run keeps what the ensemble looked like to the search: the error of its
//! votes on rows that validate (`voted`), the share of them where the truth is level with another
//! class (`tied`; such a row counts as an error), and the mean of its members' own errors (`alone`).
mod method;
mod search;

pub use search::ensemble;
pub(super) use search::{EnsembleSearch, SearchKey};
