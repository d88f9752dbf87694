//! Finds configurations that satisfy the constraints, and rejects constraints that nothing
//! satisfies.
//!
//! `state` holds what is still possible, and `propagate` draws conclusions from it, with the
//! interval arithmetic of `range` and `hull`; `search` decides one parameter after another. They
//! are used for random and completed configurations (`complete`), the default configuration
//! (`default`), and the checks of a new space (`check`, `attainable`).
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
pub(crate) use complete::{Failure, Query, WORK, sample};
pub(crate) use relevant::Groups;
pub(crate) use search::{Outcome, Search};
pub(crate) use state::State;
pub(crate) use value_order::ValueOrder;

#[cfg(test)]
mod tests;
