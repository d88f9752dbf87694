//! Finding configurations that the constraints allow, and refusing constraints that allow none.
//!
//! `state` holds what is still possible and `propagate` draws conclusions from it, with the interval arithmetic of
//! `range` and `hull`; `search` decides one parameter after another. On top of these stand random and completed
//! configurations (`complete`), the default one (`default`), and the checks of a new space (`check`, `attainable`).
mod attainable;
mod check;
mod complete;
mod default;
mod hull;
mod propagate;
mod range;
mod relevant;
mod search;
mod state;
mod value_order;

pub(crate) use check::check;
pub(crate) use complete::{Failure, WORK, Wish, sample};
pub(crate) use relevant::Groups;
pub(crate) use search::{Outcome, Search};
pub(crate) use state::State;
pub(crate) use value_order::ValueOrder;

#[cfg(test)]
mod tests;
