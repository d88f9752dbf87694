//! Is a space finite? Only if no continuous parameter is active in any valid configuration.
use crate::feasible::{Failure, Query, WORK};
use crate::id::ParamId;
use crate::rng::Rng;
use crate::space::Space;

/// Search steps for a valid configuration with one continuous parameter active.
const BUDGET: u64 = 1 << 14;
/// Number of inconclusive parameters after which the answer is unknown.
const DOUBTS: u64 = 8;

/// Is a space finite?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finiteness {
    /// No continuous parameter is active in any valid configuration.
    Finite,
    /// This parameter is.
    Continuous(ParamId),
    /// This parameter may be; the constraints are too hard to decide it.
    Unknown(ParamId),
}

/// A parameter is continuous even if constraints leave only one number.
pub(crate) fn finiteness(space: &Space) -> Finiteness {
    let continuous = space.ids().filter(|id| space.parameter(*id).domain().levels().is_none());
    let (mut doubtful, mut doubts) = (None, 0);
    for id in continuous {
        let query = Query { active: vec![id], budget: BUDGET, work: WORK / DOUBTS, ..Query::any(space) };
        // The seed only affects the order of the search.
        match query.find(&mut Rng::new(0)) {
            Ok(_) => return Finiteness::Continuous(id),
            Err(Failure::GaveUp(_)) if doubts + 1 == DOUBTS => return Finiteness::Unknown(id),
            Err(Failure::GaveUp(_)) => (doubtful, doubts) = (doubtful.or(Some(id)), doubts + 1),
            Err(Failure::Impossible) => {}
        }
    }
    doubtful.map_or(Finiteness::Finite, Finiteness::Unknown)
}
