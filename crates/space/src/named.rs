//! Configurations by name: the border where users' values come in and go out.
use crate::build::Target;
use crate::configuration::Configuration;
use crate::error::SpaceError;
use crate::id::ParamId;
use crate::parameter::Role;
use crate::space::Space;
use crate::value::Value;
use std::collections::HashMap;

impl Space {
    /// Active parameters by name, in order; an optional number shows as its number or as none.
    pub fn named<'a>(&'a self, configuration: &'a Configuration) -> Vec<(&'a str, Value)> {
        let mut shown = Vec::with_capacity(configuration.len());
        for (id, value) in configuration.iter() {
            let parameter = self.parameter(id);
            match parameter.role() {
                Role::Plain | Role::Number { .. } => shown.push((parameter.name(), value.clone())),
                Role::Switch { number } if self.label(id, value) == Some(0) => {
                    shown.push((self.parameter(number).name(), Value::None));
                }
                Role::Switch { .. } => {}
            }
        }
        shown
    }

    /// The value of one parameter by name; `None` where it is inactive.
    pub fn value(&self, configuration: &Configuration, name: &str) -> Option<Value> {
        match self.target(name)? {
            Target::Plain(id) => configuration.get(id).cloned(),
            Target::Optional { switch, number } => match configuration.get(number) {
                Some(value) => Some(value.clone()),
                None => configuration.is_active(switch).then_some(Value::None),
            },
        }
    }

    /// The configuration that sets these parameters: every active one must be given, no other may be, and the
    /// whole must be allowed.
    pub fn configuration<N: AsRef<str>>(
        &self,
        values: impl IntoIterator<Item = (N, Value)>,
    ) -> Result<Configuration, SpaceError> {
        let mut given = self.given(values)?;
        let made = self.walk(|id, _| self.take(&mut given, id))?;
        if let Some((&id, value)) = given.iter().min_by_key(|(id, _)| **id) {
            return Err(self.inactive(id, value));
        }
        match self.violated(&made) {
            None => Ok(made),
            Some(clause) => Err(SpaceError::ForbiddenConfiguration { constraint: clause.source.to_string() }),
        }
    }

    /// As [`configuration`](Self::configuration), but values of inactive parameters are dropped and missing ones
    /// take their default: the canonical form of a dense assignment.
    pub fn canonical<N: AsRef<str>>(
        &self,
        values: impl IntoIterator<Item = (N, Value)>,
    ) -> Result<Configuration, SpaceError> {
        let mut given = self.given(values)?;
        let made = self.walk(|id, _| match given.remove(&id) {
            Some(value) => self.checked(id, &value),
            None => Ok(self.parameter(id).default().clone()),
        })?;
        match self.violated(&made) {
            None => Ok(made),
            Some(clause) => Err(SpaceError::ForbiddenConfiguration { constraint: clause.source.to_string() }),
        }
    }

    /// Is this a configuration of this space: the active parameters, legal values, nothing forbidden?
    pub fn check(&self, configuration: &Configuration) -> Result<(), SpaceError> {
        let values: Vec<(&str, Value)> = self.named(configuration);
        self.configuration(values).and_then(|made| {
            if made == *configuration {
                return Ok(());
            }
            let odd = made.iter().zip(configuration.iter()).find(|(a, b)| a != b).map(|(_, b)| b);
            let (id, value) = odd.unwrap_or_else(|| {
                configuration.iter().last().expect("two configurations that differ are not both empty")
            });
            Err(self.outside(id, value))
        })
    }

    fn given<N: AsRef<str>>(
        &self,
        values: impl IntoIterator<Item = (N, Value)>,
    ) -> Result<HashMap<ParamId, Value>, SpaceError> {
        let mut given = HashMap::new();
        for (name, value) in values {
            let name = name.as_ref();
            let target = self.target(name).ok_or_else(|| self.unknown(name))?;
            let twice = match target {
                Target::Plain(id) => given.insert(id, value).is_some(),
                Target::Optional { switch, .. } if value.is_none() => {
                    given.insert(switch, "none".into()).is_some()
                }
                Target::Optional { switch, number } => {
                    given.insert(number, value);
                    given.insert(switch, "number".into()).is_some()
                }
            };
            if twice {
                return Err(SpaceError::DuplicateName { name: name.to_owned() });
            }
        }
        Ok(given)
    }

    fn take(&self, given: &mut HashMap<ParamId, Value>, id: ParamId) -> Result<Value, SpaceError> {
        match given.remove(&id) {
            Some(value) => self.checked(id, &value),
            None => {
                let shown = match self.parameter(id).role() {
                    Role::Switch { number } => number,
                    _ => id,
                };
                Err(SpaceError::MissingValue { name: self.parameter(shown).name().to_owned() })
            }
        }
    }

    fn checked(&self, id: ParamId, value: &Value) -> Result<Value, SpaceError> {
        self.parameter(id).domain().canonical(value).ok_or_else(|| self.outside(id, value))
    }

    pub(crate) fn outside(&self, id: ParamId, value: &Value) -> SpaceError {
        let parameter = self.parameter(id);
        SpaceError::ValueOutsideDomain {
            name: parameter.name().to_owned(),
            value: value.to_string(),
            domain: parameter.domain().to_string(),
        }
    }

    fn inactive(&self, id: ParamId, value: &Value) -> SpaceError {
        let name = self.parameter(id).name().trim_end_matches('?').to_owned();
        let declared = self.spec().parameters.iter().find(|p| p.name == name);
        let conditions = declared.map(|p| p.when.iter().map(ToString::to_string).collect::<Vec<_>>());
        let condition = conditions.unwrap_or_default().join(" and ");
        SpaceError::InactiveValue { name, value: value.to_string(), condition }
    }

    fn unknown(&self, name: &str) -> SpaceError {
        let known = self.spec().parameters.iter().map(|p| p.name.as_str());
        crate::build::unknown("configuration".to_owned(), name, known)
    }
}
