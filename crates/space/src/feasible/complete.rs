//! Finds valid configurations by search, optionally with some values given.
use super::relevant::relevant;
use super::search::{Outcome, Search};
use super::state::State;
use super::value_order::ValueOrder;
use crate::configuration::Configuration;
use crate::constraint::Clause;
use crate::error::SpaceError;
use crate::id::ParamId;
use crate::prior_sampling;
use crate::rng::Rng;
use crate::space::Space;
use crate::subdomain::Subdomain;
use crate::value::Value;

/// Steps of the first attempt. After an unlucky early value, a restart is cheaper than
/// backtracking.
const FIRST: u64 = 1 << 8;
/// Each attempt has this many times more steps than the previous one.
const GROWTH: u64 = 4;
/// Steps of the last attempt, enough to try a million combinations.
const LAST: u64 = 1 << 20;
/// The same if a continuous parameter is involved, where trying all values is impossible anyway.
const LAST_CONTINUOUS: u64 = 1 << 16;

/// Work limit for one query, over all attempts: a few tenths of a second. Unlike steps, work units
/// all cost the same.
pub(crate) const WORK: u64 = 1 << 24;

/// Attempts at rejection sampling, which keeps the prior exact, before the search.
const REJECTIONS: usize = 64;

/// Why no configuration was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// There is none.
    Impossible,
    /// None was found in this many steps.
    GaveUp(u64),
}

impl Failure {
    /// The meaning of a conflict.
    pub(super) fn of(state: &State<'_>, tried: u64) -> Failure {
        if state.is_spent() { Failure::GaveUp(tried) } else { Failure::Impossible }
    }

    /// The error about these clauses as a whole.
    pub(crate) fn about(self, clauses: &[Clause]) -> SpaceError {
        let constraints = Clause::listed(clauses);
        match self {
            Failure::Impossible => {
                SpaceError::Unsatisfiable { culprit: format!("{constraints} together do") }
            }
            Failure::GaveUp(tried) => SpaceError::NoConfigurationFound { tried, constraints },
        }
    }
}

/// A query for a configuration.
pub(crate) struct Query<'s> {
    /// The space.
    pub(crate) space: &'s Space,
    /// The configuration must not satisfy any of these.
    pub(crate) clauses: &'s [Clause],
    /// Allowed values of these parameters, if active.
    pub(crate) parts: Vec<(ParamId, Subdomain)>,
    /// These parameters must be active.
    pub(crate) active: Vec<ParamId>,
    /// Steps of the longest attempt.
    pub(crate) budget: u64,
    /// Total work limit.
    pub(crate) work: u64,
}

impl<'s> Query<'s> {
    /// Any valid configuration.
    pub(crate) fn any(space: &'s Space) -> Self {
        let clauses = space.clauses();
        Self { space, clauses, parts: Vec::new(), active: Vec::new(), budget: LAST, work: WORK }
    }

    /// Finds such a configuration: solves the relevant parameters group by group, and samples the
    /// rest from the prior.
    pub(crate) fn find(self, rng: &mut Rng) -> Result<Configuration, Failure> {
        let mut state = State::new(self.space, self.clauses, self.work);
        self.active.iter().for_each(|id| state.require_active(*id));
        let groups = relevant(self.space, self.clauses, &self.active);
        for (id, part) in self.parts {
            state.set(id, part);
        }
        state.propagate_all().map_err(|_| Failure::of(&state, 0))?;
        for group in &groups {
            let is_continuous = |id: &ParamId| state.domain(*id).levels().is_none();
            let most = if group.iter().any(is_continuous) { LAST_CONTINUOUS } else { LAST };
            attempts(&mut state, group, self.budget.min(most), rng)?;
        }
        let made = state.configuration(|id, part| {
            let parameter = self.space.parameter(id);
            prior_sampling::sample_within(parameter.domain(), parameter.prior(), part, rng)
        });
        Ok(made.expect("an active parameter without a value left is a conflict"))
    }
}

/// Searches with a growing budget, each time from the start.
fn attempts(state: &mut State<'_>, group: &[ParamId], longest: u64, rng: &mut Rng) -> Result<(), Failure> {
    let start = state.mark();
    let (mut budget, mut tried) = (FIRST.min(longest), 0);
    loop {
        let mut left = budget;
        let outcome = Search::over(group).first(state, &mut ValueOrder::Prior(rng), &mut left);
        tried += budget - left;
        match outcome {
            Outcome::Found => return Ok(()),
            Outcome::Exhausted => return Err(Failure::Impossible),
            Outcome::OutOfBudget if budget >= longest || state.is_spent() => {
                return Err(Failure::GaveUp(tried));
            }
            Outcome::OutOfBudget => state.undo(start),
        }
        budget = (budget * GROWTH).min(longest);
    }
}

/// A valid configuration, for spaces where rejection sampling fails.
pub(crate) fn sample(space: &Space, rng: &mut Rng) -> Result<Configuration, SpaceError> {
    Query::any(space).find(rng).map_err(|failure| failure.about(space.clauses()))
}

impl Space {
    /// A valid random configuration in which these parameters, if active, have these values; the
    /// others are sampled from the prior. Retired alternatives are allowed here.
    ///
    /// ```
    /// use arbora_space::{Param, Rng, Space};
    /// let space = Space::new([
    ///     Param::choice("model", ["svm", "forest"]),
    ///     Param::real("C", 1e-5, 1e5).log().when("model == 'svm'"),
    /// ])?;
    /// let model = space.id("model").expect("declared above");
    /// let made = space.complete(&[(model, "svm".into())], &mut Rng::new(1))?;
    /// assert!(made.is_active(space.id("C").expect("declared above")));
    /// # Ok::<(), arbora_space::SpaceError>(())
    /// ```
    pub fn complete(&self, partial: &[(ParamId, Value)], rng: &mut Rng) -> Result<Configuration, SpaceError> {
        let mut parts = Vec::with_capacity(partial.len());
        for (id, value) in partial {
            let domain = self.parameter(*id).domain();
            let value = domain.canonical(value).ok_or_else(|| self.outside(*id, value))?;
            parts.push((*id, Subdomain::single(domain, &value)));
        }
        self.complete_within(parts, rng).map_err(|failure| match failure {
            Failure::Impossible => SpaceError::NoCompletion { given: self.listed(partial) },
            gave_up @ Failure::GaveUp(_) => gave_up.about(self.clauses()),
        })
    }

    /// A valid random configuration in which these parameters, if active, are in these subdomains.
    pub(crate) fn complete_within(
        &self,
        parts: Vec<(ParamId, Subdomain)>,
        rng: &mut Rng,
    ) -> Result<Configuration, Failure> {
        for _ in 0..REJECTIONS {
            let drawn = self.walk(|id, _| {
                let parameter = self.parameter(id);
                let (domain, prior) = (parameter.domain(), parameter.prior());
                match parts.iter().find(|(given, _)| *given == id) {
                    Some((_, part)) => {
                        prior_sampling::sample_within(domain, prior, part, rng).ok_or(Failure::Impossible)
                    }
                    None => Ok(prior_sampling::sample(domain, prior, rng)),
                }
            })?;
            if self.violated(&drawn).is_none() {
                return Ok(drawn);
            }
        }
        Query { parts, ..Query::any(self) }.find(rng)
    }

    fn listed(&self, partial: &[(ParamId, Value)]) -> String {
        let entry = |(id, value): &(ParamId, Value)| format!("{} = {value}", self.parameter(*id).name());
        partial.iter().map(entry).collect::<Vec<_>>().join(", ")
    }
}
