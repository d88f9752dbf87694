//! Can a parameter ever be active?
//!
//! Conditions have no negation: a test on a decider holds only where the decider is active itself. So "can it be
//! active?" asks for a set of tests, one alternative taken of every disjunction, with a value left for each decider.
//! Exact for labels; for numbers the tests on one decider are met as an interval, which can only err towards
//! "perhaps". Retired alternatives count, as old trials have them; constraints do not, as a constraint added later
//! must not make a branch unheard of. A single test costs nothing: its decider, judged before, can be active and
//! then take any of its values.
use crate::condition::Condition;
use crate::error::SpaceError;
use crate::id::ParamId;
use crate::parameter::Role;
use crate::space::Space;
use crate::subdomain::Subdomain;
use std::collections::HashMap;

/// Combinations of alternatives looked at before a condition is given the benefit of the doubt.
const BUDGET: usize = 4096;
/// Disjunctions decided inside each other; each takes a piece of the stack.
const DEPTH: usize = 128;

/// Refuses a parameter that can never be active.
pub(super) fn check(space: &Space) -> Result<(), SpaceError> {
    let by_chain = |when: &Condition| matches!(when, Condition::Always | Condition::Is(..));
    for id in space.ids() {
        let when = space.parameter(id).when();
        let mut budget = BUDGET;
        if !by_chain(when) && !Demands::new(space).can_hold(vec![when], &mut budget) {
            return Err(never(space, id));
        }
    }
    Ok(())
}

fn never(space: &Space, id: ParamId) -> SpaceError {
    let shown = match space.parameter(id).role() {
        Role::Switch { number } => number,
        _ => id,
    };
    let name = space.parameter(shown).name().to_owned();
    let declared = space.spec().parameters.iter().find(|param| param.name == name);
    let parts = declared.map(|param| param.when.iter().map(ToString::to_string).collect::<Vec<_>>());
    SpaceError::NeverActive { name, condition: parts.unwrap_or_default().join(" and ") }
}

/// Deciders that must be active, and what their tests leave of them.
#[derive(Clone)]
struct Demands<'s> {
    space: &'s Space,
    left: HashMap<ParamId, Subdomain>,
    /// Disjunctions decided so far.
    depth: usize,
    /// Disjunctions put off until everything certain is known.
    choices: Vec<&'s [Condition]>,
}

impl<'s> Demands<'s> {
    fn new(space: &'s Space) -> Self {
        Self { space, left: HashMap::new(), depth: 0, choices: Vec::new() }
    }

    /// Can all of these hold together with what is known?
    fn can_hold(mut self, mut goals: Vec<&'s Condition>, budget: &mut usize) -> bool {
        while let Some(goal) = goals.pop() {
            match goal {
                Condition::Always => {}
                Condition::All(parts) => goals.extend(parts),
                Condition::Any(parts) => self.choices.push(parts),
                Condition::Is(decider, test) => {
                    let parameter = self.space.parameter(*decider);
                    let known = self.left.entry(*decider).or_insert_with(|| {
                        goals.push(parameter.when());
                        Subdomain::everything(parameter.domain())
                    });
                    *known = known.passing(parameter.domain(), test);
                    if known.is_empty() {
                        return false;
                    }
                }
            }
        }
        let Some(alternatives) = self.choices.pop() else { return true };
        self.depth += 1;
        alternatives.iter().any(|alternative| {
            if *budget == 0 || self.depth > DEPTH {
                return true;
            }
            *budget -= 1;
            self.clone().can_hold(vec![alternative], budget)
        })
    }
}
