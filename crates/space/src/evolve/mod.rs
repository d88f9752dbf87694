//! Changes to the space of a running study: new branches, alternatives and parameters, wider
//! ranges, retired alternatives.
//!
//! Laws, for `new = old.evolve(…)`: `new` adopts every configuration that `old` ever allowed. Each
//! parameter keeps its value, and the same old parameters are active. New active parameters take
//! their default, *the value they implicitly had until now*. Changes that would break this are
//! rejected.
//!
//! Constraints only affect future proposals: a trial that violates a newer constraint stays in the
//! history, but nothing like it is proposed again.
mod activity;
mod adopt;
mod change;
mod domain;

pub use change::Change;

use crate::error::SpaceError;
use crate::space::Space;
use crate::spec::SpaceSpec;

impl Space {
    /// This space after these changes, in order.
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
    /// Parameters are matched by name. Their values must stay valid: ranges may widen and change
    /// their scale, grids may become finer, alternatives may be added, retired and reordered. The
    /// active parameters must stay the same: conditions may be rewritten as long as they agree on
    /// everything the old space allows. They may mention new parameters, which count as being at
    /// their default. Constraints, priors and defaults may change freely.
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
