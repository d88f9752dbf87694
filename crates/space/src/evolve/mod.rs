//! A running study's space may grow: new branches, alternatives and parameters, wider ranges, alternatives retired.
//!
//! Laws, for `new = old.evolve(…)`: every configuration that `old` ever allowed is adopted by `new`, keeps the value
//! of every parameter it had, and the same of its parameters are active; parameters that are new and active take
//! their default, *the value they had until now*. What would break this is refused.
//!
//! Constraints are about what is proposed from now on: a trial that breaks a newer one stays in the history, and
//! nothing like it is proposed again.
mod activity;
mod adopt;
mod change;
mod domain;

pub use change::Change;

use crate::error::SpaceError;
use crate::space::Space;
use crate::spec::SpaceSpec;

impl Space {
    /// This space after some changes, in their order.
    ///
    /// ```
    /// use arbora_space::{Change, Param, Space};
    /// let old = Space::new([Param::choice("model", ["svm", "forest"]), Param::real("C", 0.1, 10.0).log()])?;
    /// let new = old.evolve(&[
    ///     Change::AddChoice { parameter: "model".into(), value: "mlp".into(), weight: None },
    ///     Change::AddParameter(Param::integer("layers", 1, 8).when("model == 'mlp'")),
    ///     Change::Widen { parameter: "C".into(), low: None, high: Some(1000.0) },
    /// ])?;
    /// let trial = old.configuration([("model", "svm".into()), ("C", 1.0.into())])?;
    /// assert_eq!(new.named(&new.adopt(&old, &trial)?), old.named(&trial));
    /// # Ok::<(), arbora_space::SpaceError>(())
    /// ```
    pub fn evolve(&self, changes: &[Change]) -> Result<Space, SpaceError> {
        let mut spec = self.spec().clone();
        for change in changes {
            change.apply(&mut spec)?;
        }
        self.evolve_to(spec)
    }

    /// The space of another spec, if every trial of this space stays valid in it.
    ///
    /// Parameters are matched by name. Their values must stay legal (ranges may widen and change their scale, grids
    /// may get finer, alternatives may be added, retired, reordered) and so must the set of active ones: conditions
    /// may be rewritten as long as they agree on everything the old space allows. They may mention new parameters,
    /// which count as being at their default. Constraints, priors and defaults may change freely.
    pub fn evolve_to(&self, spec: impl Into<SpaceSpec>) -> Result<Space, SpaceError> {
        let spec = spec.into();
        domain::check(self, &spec)?;
        let new = Space::new(spec)?;
        activity::check(self, &new)?;
        Ok(new)
    }
}

fn refused(problem: String) -> SpaceError {
    SpaceError::IncompatibleChange { problem }
}
