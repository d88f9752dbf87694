//! Converts old configurations to a new space, by parameter name.
use super::refused;
use crate::configuration::Configuration;
use crate::error::SpaceError;
use crate::id::ParamId;
use crate::parameter::Role;
use crate::space::Space;
use crate::value::Value;

impl Space {
    /// Converts a configuration of an earlier space to this one: every parameter keeps its value,
    /// and new active parameters take their defaults, the value they implicitly had until now.
    /// Convert through all versions of the space in order, since a default may change from one to
    /// the next.
    ///
    /// Ignores constraints: an old trial stays in the history even if a newer constraint forbids
    /// it. Never fails if this space is an evolution of the other.
    pub fn adopt(&self, from: &Space, configuration: &Configuration) -> Result<Configuration, SpaceError> {
        let made = self.walk(|id, _| value(from, self, id, configuration))?;
        for (name, had) in from.named(configuration) {
            if !self.value(&made, &name).is_some_and(|has| has.means(&had)) {
                return Err(refused(format!(
                    "an old trial has `{name}` at `{had}`, but there the parameter would not be active any more"
                )));
            }
        }
        Ok(made)
    }
}

/// The value of a parameter in the new space: its old value, or else its default.
pub(super) fn value(
    from: &Space,
    to: &Space,
    id: ParamId,
    configuration: &Configuration,
) -> Result<Value, SpaceError> {
    let parameter = to.parameter(id);
    let had = match parameter.role() {
        Role::Plain => from.value(configuration, parameter.name()),
        Role::Number { .. } => from.value(configuration, parameter.name()).filter(|value| !value.is_none()),
        Role::Switch { number } => {
            let value = from.value(configuration, to.parameter(number).name());
            value.map(|value| if value.is_none() { "none".into() } else { "number".into() })
        }
    };
    let Some(value) = had else { return Ok(parameter.default().clone()) };
    parameter.domain().canonical(&value).ok_or_else(|| SpaceError::ValueOutsideDomain {
        name: parameter.name().to_owned(),
        value: value.to_string(),
        domain: parameter.domain().to_string(),
    })
}
