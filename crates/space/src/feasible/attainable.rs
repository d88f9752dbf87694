//! Can a parameter ever be active?
//!
//! Conditions have no negation, and a test of a decider holds only if the decider is active. So a
//! parameter can be active if there is a consistent set of tests: one alternative of every
//! disjunction, with at least one value left for each decider. This is exact for labels. For
//! numbers, the tests of one decider are intersected as an interval, which can only err towards
//! "maybe". Retired alternatives count, since old trials may have them. Constraints do not, since
//! adding one later must not make a branch invalid. A single test is free: its decider was checked
//! before, so it can be active and take any of its values.
use crate::condition::Condition;
use crate::error::SpaceError;
use crate::id::ParamId;
use crate::parameter::Role;
use crate::space::Space;
use crate::subdomain::Subdomain;
use std::collections::HashMap;

/// After this many combinations of alternatives, a condition is assumed to be satisfiable.
const BUDGET: usize = 4096;
/// Maximum nesting of disjunctions; each uses stack space.
const DEPTH: usize = 128;

/// Rejects a parameter that can never be active.
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

/// Deciders that must be active, and their remaining values.
#[derive(Clone)]
struct Demands<'s> {
    space: &'s Space,
    left: HashMap<ParamId, Subdomain>,
    /// Number of disjunctions decided so far.
    depth: usize,
    /// Disjunctions postponed until all certain tests are known.
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
