//! Converts between a configuration and the fields of a type.
use super::{Scalar, Scope};
use crate::configuration::Configuration;
use crate::error::SpaceError;
use crate::id::ParamId;
use crate::named::Named;
use crate::space::Space;
use crate::value::Value;

/// Reads a configuration by place.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    space: &'a Space,
    configuration: &'a Configuration,
}

impl<'a> Reader<'a> {
    /// Reads a configuration of a space.
    pub fn new(space: &'a Space, configuration: &'a Configuration) -> Self {
        Self { space, configuration }
    }

    fn value(&self, at: &Scope) -> Result<Value, SpaceError> {
        known(self.space, at.name())?;
        let found = self.space.value(self.configuration, at.name());
        found.ok_or_else(|| SpaceError::MissingValue { name: at.name().to_owned() })
    }

    /// The value at this place.
    pub fn scalar<T: Scalar>(&self, at: &Scope) -> Result<T, SpaceError> {
        let value = self.value(at)?;
        T::from_value(&value).ok_or_else(|| SpaceError::ValueOutsideDomain {
            name: at.name().to_owned(),
            value: value.to_string(),
            domain: format!("the values of `{}`", std::any::type_name::<T>()),
        })
    }

    /// The alternative chosen at this place.
    pub fn label(&self, at: &Scope) -> Result<String, SpaceError> {
        self.scalar(at)
    }

    /// The error for an alternative without a variant.
    pub fn unexpected(&self, at: &Scope, label: &str, variants: &[&str]) -> SpaceError {
        SpaceError::ValueOutsideDomain {
            name: at.name().to_owned(),
            value: label.to_owned(),
            domain: format!("one of {}", variants.join(", ")),
        }
    }
}

/// Collects values by place for a configuration.
#[derive(Debug)]
pub struct Writer<'a> {
    space: &'a Space,
    values: Named,
}

impl<'a> Writer<'a> {
    /// Writes a configuration of a space.
    pub fn new(space: &'a Space) -> Self {
        Self { space, values: Named::default() }
    }

    /// Sets the value at this place.
    pub fn scalar<T: Scalar>(&mut self, at: &Scope, value: &T) -> Result<(), SpaceError> {
        let id = known(self.space, at.name())?;
        let value = value.to_value_in(self.space.parameter(id).domain());
        self.values.extend([(at.name(), value)]);
        Ok(())
    }

    /// Chooses an alternative at this place.
    pub fn label(&mut self, at: &Scope, label: &str) {
        self.values.extend([(at.name(), label)]);
    }

    /// The configuration.
    pub fn finish(self) -> Result<Configuration, SpaceError> {
        self.space.configuration(self.values)
    }
}

fn known(space: &Space, name: &str) -> Result<ParamId, SpaceError> {
    space.id(name).ok_or_else(|| {
        let names = space.spec().parameters.iter().map(|p| p.name.as_str());
        crate::build::unknown("typed value".to_owned(), name, names)
    })
}
