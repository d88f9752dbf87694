//! Converts configurations to and from values by name, as users see them.
use crate::build::Target;
use crate::configuration::Configuration;
use crate::error::SpaceError;
use crate::id::ParamId;
use crate::parameter::Role;
use crate::space::Space;
use crate::value::Value;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use std::collections::HashMap;
use std::fmt;

/// Values by name, in order; serialised as a map. Not checked against any space.
///
/// ```
/// use arbora_space::{Named, Param, Rng, Space};
/// let space = Space::new([Param::integer("n", 3, 3)])?;
/// let named: Named = space.named(&space.sample(&mut Rng::new(1))?);
/// assert_eq!(named, Named::from_iter([("n", 3)]));
/// assert_eq!(serde_json::to_string(&named).unwrap(), r#"{"n":3}"#);
/// # Ok::<(), arbora_space::SpaceError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Named(pub Vec<(String, Value)>);

impl Named {
    /// The value with this name, if present.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// Names and values, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Is it empty?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<N: Into<String>, V: Into<Value>> FromIterator<(N, V)> for Named {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(entries: I) -> Self {
        Self(entries.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}

impl<N: Into<String>, V: Into<Value>> Extend<(N, V)> for Named {
    fn extend<I: IntoIterator<Item = (N, V)>>(&mut self, entries: I) {
        self.0.extend(entries.into_iter().map(|(name, value)| (name.into(), value.into())));
    }
}

impl IntoIterator for Named {
    type Item = (String, Value);
    type IntoIter = std::vec::IntoIter<(String, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl Serialize for Named {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for Named {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = Named;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("values by name")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Named, A::Error> {
                let mut entries = Vec::with_capacity(map.size_hint().unwrap_or(0).min(1024));
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Named(entries))
            }
        }
        deserializer.deserialize_map(Entries)
    }
}

impl Space {
    /// The active parameters by name, in order; an optional number is a number or none.
    pub fn named(&self, configuration: &Configuration) -> Named {
        let mut shown = Vec::with_capacity(configuration.len());
        for (id, value) in configuration.iter() {
            let parameter = self.parameter(id);
            match parameter.role() {
                Role::Plain | Role::Number { .. } => shown.push((parameter.name().to_owned(), value.clone())),
                Role::Switch { number } if self.label(id, value) == Some(0) => {
                    shown.push((self.parameter(number).name().to_owned(), Value::None));
                }
                Role::Switch { .. } => {}
            }
        }
        Named(shown)
    }

    /// The value of one parameter by name; `None` if it is inactive.
    pub fn value(&self, configuration: &Configuration, name: &str) -> Option<Value> {
        match self.target(name)? {
            Target::Plain(id) => configuration.get(id).cloned(),
            Target::Optional { switch, number } => match configuration.get(number) {
                Some(value) => Some(value.clone()),
                None => configuration.is_active(switch).then_some(Value::None),
            },
        }
    }

    /// The configuration with these values. Every active parameter must have a value, no other may
    /// have one, and no constraint may be violated.
    pub fn configuration<N: AsRef<str>>(
        &self,
        values: impl IntoIterator<Item = (N, Value)>,
    ) -> Result<Configuration, SpaceError> {
        let mut given = self.given(values)?;
        let made = self.walk(|id, _| self.take(&mut given, id))?;
        if let Some((&id, value)) = given.iter().min_by_key(|(id, _)| **id) {
            return Err(self.inactive(id, value));
        }
        self.allowed(&made)?;
        Ok(made)
    }

    /// Like [`configuration`](Self::configuration), but drops values of inactive parameters and
    /// uses defaults for missing ones: the canonical form of a dense assignment.
    pub fn canonical<N: AsRef<str>>(
        &self,
        values: impl IntoIterator<Item = (N, Value)>,
    ) -> Result<Configuration, SpaceError> {
        let mut given = self.given(values)?;
        let made = self.walk(|id, _| match given.remove(&id) {
            Some(value) => self.checked(id, &value),
            None => Ok(self.parameter(id).default().clone()),
        })?;
        self.allowed(&made)?;
        Ok(made)
    }

    /// Is this a valid configuration: values for exactly the active parameters, all in their
    /// domains, and no constraint violated?
    pub fn check(&self, configuration: &Configuration) -> Result<(), SpaceError> {
        let made = self.walk(|id, _| {
            let value = configuration.get(id).ok_or_else(|| self.missing(id))?;
            match self.parameter(id).domain().canonical(value) {
                Some(canonical) if canonical == *value => Ok(canonical),
                _ => Err(self.outside(id, value)),
            }
        })?;
        match configuration.iter().find(|(id, _)| !made.is_active(*id)) {
            Some((id, value)) if id.index() < self.parameters().len() => Err(self.inactive(id, value)),
            Some((id, _)) => Err(self.unknown(&format!("number {}", id.index()))),
            None => self.allowed(&made),
        }
    }

    fn allowed(&self, configuration: &Configuration) -> Result<(), SpaceError> {
        match self.violated(configuration) {
            None => Ok(()),
            Some(clause) => Err(SpaceError::ForbiddenConfiguration { constraint: clause.source.to_string() }),
        }
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
            None => Err(self.missing(id)),
        }
    }

    fn missing(&self, id: ParamId) -> SpaceError {
        let shown = match self.parameter(id).role() {
            Role::Switch { number } => number,
            Role::Plain | Role::Number { .. } => id,
        };
        SpaceError::MissingValue { name: self.parameter(shown).name().to_owned() }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Param;

    #[test]
    fn configurations_of_other_spaces_are_refused_and_not_misread() {
        let space = |parameters: Vec<Param>| Space::new(parameters).unwrap();
        let choice = || Param::choice("m", ["a", "b"]);
        let ours = space(vec![choice(), Param::real("x", 0.0, 1.0).when("m == 'a'")]);
        let check = |other: &Space, values: Named| {
            let made = other.configuration(values).unwrap();
            ours.check(&made).map_err(|refusal| refusal.to_string())
        };
        let wide = space(vec![choice(), Param::real("x", 0.0, 9.0), Param::real("y", 0.0, 1.0)]);
        let full = |m: &str, x: f64| -> Named {
            [("m", Value::from(m)), ("x", x.into()), ("y", 0.5.into())].into_iter().collect()
        };
        assert_eq!(check(&ours, [("m", "b")].into_iter().collect()), Ok(()));
        let refused = |values: Named| check(&wide, values).unwrap_err();
        assert!(refused(full("a", 5.0)).contains("value `5.0` is not in its domain"));
        assert!(refused(full("b", 0.5)).contains("`x` is inactive here"));
        assert!(refused(full("a", 0.5)).contains("no parameter is called `number 2`"));
        let narrow = space(vec![choice()]);
        let missing = check(&narrow, [("m", "a")].into_iter().collect()).unwrap_err();
        assert!(missing.contains("`x` is active but has no value"), "{missing}");
        let whole = space(vec![choice(), Param::integer("x", 0, 1)]);
        let typed = check(&whole, [("m", Value::from("a")), ("x", 1.into())].into_iter().collect());
        assert!(typed.unwrap_err().contains("value `1` is not in its domain"));
    }
}
