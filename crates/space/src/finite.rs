//! Is a space finite? Only if no continuous parameter is active in any valid configuration.
use crate::feasible::{Failure, WORK, Wish};
use crate::id::ParamId;
use crate::rng::Rng;
use crate::space::Space;

/// Steps to look for a valid configuration in which one continuous parameter is active.
const BUDGET: u64 = 1 << 14;
/// Parameters about which nothing was found out before the question is left open.
const DOUBTS: u64 = 8;

/// Whether a space is finite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finiteness {
    /// No continuous parameter takes part in a valid configuration.
    Finite,
    /// This one does.
    Continuous(ParamId),
    /// This one might; the constraints are too hard to tell.
    Unknown(ParamId),
}

/// A parameter is continuous even where constraints leave a single number of it.
pub(crate) fn finiteness(space: &Space) -> Finiteness {
    let continuous = space.ids().filter(|id| space.parameter(*id).domain().levels().is_none());
    let (mut doubtful, mut doubts) = (None, 0);
    for id in continuous {
        let wish = Wish { active: vec![id], budget: BUDGET, work: WORK / DOUBTS, ..Wish::any(space) };
        // The seed only decides in which order ways are tried.
        match wish.find(&mut Rng::new(0)) {
            Ok(_) => return Finiteness::Continuous(id),
            Err(Failure::GaveUp(_)) if doubts + 1 == DOUBTS => return Finiteness::Unknown(id),
            Err(Failure::GaveUp(_)) => (doubtful, doubts) = (doubtful.or(Some(id)), doubts + 1),
            Err(Failure::Impossible) => {}
        }
    }
    doubtful.map_or(Finiteness::Finite, Finiteness::Unknown)
}
