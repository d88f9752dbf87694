//! Depth-first search for values that the clauses allow, parents before children.
//!
//! The search decides the structure first: labels, and for numbers with dependents the side of
//! every test. Then it is known which parameters are active, and the numbers follow. A step takes
//! the next active parameter with several values left, tries one value, and propagates; if that
//! fails, it continues with the other values. Numbers come last because a dead end that does not
//! depend on their exact values would be repeated for every value, and there are few labels. The
//! search is complete for finite domains. A continuous interval is split repeatedly where values
//! fail, and parts without a solution are dropped as soon as interval arithmetic shows it. There is
//! no recursion: memory, not the stack, limits the depth. The worst case is exponential, as for all
//! constraint satisfaction; hence the budget.
use super::state::State;
use super::value_order::ValueOrder;
use crate::id::ParamId;
use crate::subdomain::{Subdomain, Truth};
use std::borrow::Cow;

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// All active parameters of the order have one value.
    Found,
    /// There are no (more) solutions.
    Exhausted,
    /// The budget is used up.
    OutOfBudget,
}

/// A decision that can be undone.
struct Frame {
    mark: usize,
    stage: Stage,
    /// Position in the order.
    at: usize,
    untried: Vec<Subdomain>,
}

/// What is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Structure,
    Values,
}

/// How far a solution may be from the defaults.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tolerance {
    /// How many parameters may differ from their default.
    pub(super) deviations: usize,
    /// May deciders differ?
    pub(super) of_deciders: bool,
}

/// A search over some parameters of a state.
pub(crate) struct Search<'o> {
    order: Cow<'o, [ParamId]>,
    first_stage: Stage,
    frames: Vec<Frame>,
    /// How far a solution may be from the defaults.
    pub(super) tolerance: Option<Tolerance>,
}

impl<'o> Search<'o> {
    /// `order` has parents before children.
    pub(crate) fn over(order: impl Into<Cow<'o, [ParamId]>>) -> Self {
        Self { order: order.into(), first_stage: Stage::Structure, frames: Vec::new(), tolerance: None }
    }

    /// Strictly in this order, so that solutions come in lexicographic order.
    pub(crate) fn in_order(order: impl Into<Cow<'o, [ParamId]>>) -> Self {
        Self { first_stage: Stage::Values, ..Self::over(order) }
    }

    /// The first solution. The state must be propagated.
    pub(crate) fn first(
        &mut self,
        state: &mut State<'_>,
        value_order: &mut ValueOrder<'_>,
        budget: &mut u64,
    ) -> Outcome {
        if self.deviates_too_much(state) {
            return Outcome::Exhausted;
        }
        self.descend(state, value_order, budget)
    }

    /// The solution after the current one.
    pub(crate) fn next(
        &mut self,
        state: &mut State<'_>,
        value_order: &mut ValueOrder<'_>,
        budget: &mut u64,
    ) -> Outcome {
        match self.advance(state, budget) {
            Outcome::Found => self.descend(state, value_order, budget),
            ended => ended,
        }
    }

    fn descend(
        &mut self,
        state: &mut State<'_>,
        value_order: &mut ValueOrder<'_>,
        budget: &mut u64,
    ) -> Outcome {
        while let Some((stage, at)) = self.next_open(state) {
            let id = self.order[at];
            let (parameter, left) = (state.space().parameter(id), state.subdomain(id));
            let untried = match sides(state, id) {
                Some(sides) if stage == Stage::Structure => value_order.sides(parameter, left, sides),
                _ => {
                    let again = self.frames.last().is_some_and(|f| (f.stage, f.at) == (stage, at));
                    value_order.ways(parameter, left, again)
                }
            };
            self.frames.push(Frame { mark: state.mark(), stage, at, untried });
            match self.advance(state, budget) {
                Outcome::Found => {}
                ended => return ended,
            }
        }
        Outcome::Found
    }

    /// The position of the next active parameter with something to decide. A decision can only
    /// affect later ones.
    fn next_open(&self, state: &State<'_>) -> Option<(Stage, usize)> {
        let (stage, from) = self.frames.last().map_or((self.first_stage, 0), |frame| (frame.stage, frame.at));
        let is_open = |id: ParamId| state.activity(id) == Truth::True && !state.subdomain(id).is_single();
        let has_structure =
            |id: ParamId| matches!(state.subdomain(id), Subdomain::Labels(_)) || sides(state, id).is_some();
        let mut from_values = from;
        if stage == Stage::Structure {
            let found = (from..self.order.len())
                .find(|at| is_open(self.order[*at]) && has_structure(self.order[*at]));
            if let Some(at) = found {
                return Some((Stage::Structure, at));
            }
            from_values = 0;
        }
        let found = (from_values..self.order.len()).find(|at| is_open(self.order[*at]));
        found.map(|at| (Stage::Values, at))
    }

    /// Takes the next way without a conflict; undoes decisions that have no ways left.
    fn advance(&mut self, state: &mut State<'_>, budget: &mut u64) -> Outcome {
        while let Some(frame) = self.frames.last_mut() {
            state.undo(frame.mark);
            let Some(part) = frame.untried.pop() else {
                self.frames.pop();
                continue;
            };
            if *budget == 0 {
                return Outcome::OutOfBudget;
            }
            *budget -= 1;
            let id = self.order[frame.at];
            // Finding the next open parameter scans the order.
            state.spend(1 + self.order.len() / 16);
            if state.assume(id, &part).is_ok() && !self.deviates_too_much(state) {
                return Outcome::Found;
            }
            if state.is_spent() {
                return Outcome::OutOfBudget;
            }
        }
        Outcome::Exhausted
    }

    fn deviates_too_much(&self, state: &State<'_>) -> bool {
        let Some(Tolerance { deviations, of_deciders }) = self.tolerance else { return false };
        let deviates = |id: ParamId| {
            let parameter = state.space().parameter(id);
            state.activity(id) == Truth::True
                && !state.subdomain(id).contains(parameter.domain(), parameter.default())
        };
        let mut found = 0;
        self.order.iter().any(|&id| {
            let here = deviates(id);
            found += usize::from(here);
            found > deviations || here && !of_deciders && state.space().is_decider(id)
        })
    }
}

/// The remaining values of a number on either side of an undecided test in a condition.
fn sides(state: &State<'_>, id: ParamId) -> Option<(Subdomain, Subdomain)> {
    let left = state.subdomain(id);
    if matches!(left, Subdomain::Labels(_)) {
        return None;
    }
    state.space().tests(id).iter().find_map(|test| left.split_by(state.domain(id), test))
}
