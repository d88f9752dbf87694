//! Depth-first search for values that the clauses allow, parents before children.
//!
//! A step takes the next active parameter with several values left, tries one, and draws the conclusions; should
//! that fail, it goes on with the values on either side. Over finite domains nothing is overlooked. A continuous
//! interval is cut again and again where values fail, and parts without a solution drop out as soon as interval
//! arithmetic shows it. No recursion: the depth is bounded by memory, not by the stack. Exponential at worst, as
//! constraint satisfaction is; hence the budget.
use super::state::State;
use super::taste::Taste;
use crate::part::{Part, Truth};
use crate::space::ParamId;
use std::borrow::Cow;

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Every parameter of the order that is active has one value.
    Found,
    /// There is nothing (more) to find.
    Exhausted,
    /// The budget is used up.
    OutOfBudget,
}

/// A decision that can be taken back.
struct Frame {
    mark: usize,
    /// Position in the order.
    at: usize,
    untried: Vec<Part>,
}

/// A search over some parameters of a state.
pub(crate) struct Search<'o> {
    order: Cow<'o, [ParamId]>,
    frames: Vec<Frame>,
    /// How many parameters may differ from their default.
    pub(super) deviations: Option<usize>,
}

impl<'o> Search<'o> {
    /// `order` has parents before children.
    pub(crate) fn over(order: impl Into<Cow<'o, [ParamId]>>) -> Self {
        Self { order: order.into(), frames: Vec::new(), deviations: None }
    }

    /// The first solution. The state must have drawn its conclusions.
    pub(crate) fn first(
        &mut self,
        state: &mut State<'_>,
        taste: &mut Taste<'_>,
        budget: &mut u64,
    ) -> Outcome {
        if self.deviates_too_much(state) {
            return Outcome::Exhausted;
        }
        self.descend(state, taste, budget)
    }

    /// The solution after the present one.
    pub(crate) fn next(&mut self, state: &mut State<'_>, taste: &mut Taste<'_>, budget: &mut u64) -> Outcome {
        match self.advance(state, budget) {
            Outcome::Found => self.descend(state, taste, budget),
            ended => ended,
        }
    }

    fn descend(&mut self, state: &mut State<'_>, taste: &mut Taste<'_>, budget: &mut u64) -> Outcome {
        while let Some(at) = self.next_open(state) {
            let id = self.order[at];
            let again = self.frames.last().is_some_and(|frame| frame.at == at);
            let untried = taste.ways(state.space().parameter(id), state.part(id), again);
            self.frames.push(Frame { mark: state.mark(), at, untried });
            match self.advance(state, budget) {
                Outcome::Found => {}
                ended => return ended,
            }
        }
        Outcome::Found
    }

    /// Position of the next active parameter with several values left.
    fn next_open(&self, state: &State<'_>) -> Option<usize> {
        let from = self.frames.last().map_or(0, |frame| frame.at);
        let is_open = |id: &ParamId| state.activity(*id) == Truth::True && !state.part(*id).is_single();
        self.order[from..].iter().position(is_open).map(|found| from + found)
    }

    /// Takes the next way that is not a conflict, giving up decisions whose ways are all tried.
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
            if state.assume(id, &part).is_ok() && !self.deviates_too_much(state) {
                return Outcome::Found;
            }
        }
        Outcome::Exhausted
    }

    fn deviates_too_much(&self, state: &State<'_>) -> bool {
        self.deviations.is_some_and(|most| {
            let deviates = |id: &&ParamId| {
                let parameter = state.space().parameter(**id);
                state.activity(**id) == Truth::True
                    && !state.part(**id).contains(parameter.domain(), parameter.default())
            };
            self.order.iter().filter(deviates).count() > most
        })
    }
}
