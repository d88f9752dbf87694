//! A handle to any component of a family, which can be compared, written and read like plain data.
use super::unregistered::Unregistered;
use super::{Build, Component, Family};
use arbora_space::words::question;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::{Error as _, SerializeMap};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

/// Any one component of a family.
pub struct Spec<F: Family + ?Sized>(Arc<dyn Erased<F>>);

/// A component of erased type.
trait Erased<F: Family + ?Sized>: Any + Send + Sync + fmt::Debug {
    fn kind(&self) -> &str;
    fn settings(&self) -> Result<Value, serde_json::Error>;
    fn equals(&self, other: &dyn Any) -> bool;
    fn build(&self, context: F::Context<'_>) -> Result<Box<F>, F::Error>;
    fn facts(&self) -> F::Facts<'_>;
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

/// A component whose type is its own data.
struct Typed<C>(C);

impl<C: fmt::Debug> fmt::Debug for Typed<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<F: Family + ?Sized, C: Component<F>> Erased<F> for Typed<C> {
    fn kind(&self) -> &str {
        C::KIND
    }

    fn settings(&self) -> Result<Value, serde_json::Error> {
        serde_json::to_value(&self.0)
    }

    fn equals(&self, other: &dyn Any) -> bool {
        other.downcast_ref::<C>() == Some(&self.0)
    }

    fn build(&self, context: F::Context<'_>) -> Result<Box<F>, F::Error> {
        self.0.build(context)
    }

    fn facts(&self) -> F::Facts<'_> {
        self.0.facts()
    }

    fn as_any(&self) -> &dyn Any {
        &self.0
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        &mut self.0
    }
}

/// A component that is a function in this process. Only its name is written.
struct Function<F: Family + ?Sized> {
    name: String,
    build: Arc<Build<F>>,
}

impl<F: Family + ?Sized> fmt::Debug for Function<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} `{}`", F::NAME, self.name)
    }
}

impl<F: Family + ?Sized> Erased<F> for Function<F> {
    fn kind(&self) -> &str {
        &self.name
    }

    fn settings(&self) -> Result<Value, serde_json::Error> {
        Ok(Value::Object(Map::new()))
    }

    fn equals(&self, other: &dyn Any) -> bool {
        let is_same = |other: &Self| self.name == other.name && Arc::ptr_eq(&self.build, &other.build);
        other.downcast_ref().is_some_and(is_same)
    }

    fn build(&self, context: F::Context<'_>) -> Result<Box<F>, F::Error> {
        (self.build)(context)
    }

    fn facts(&self) -> F::Facts<'_> {
        F::Facts::default()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

impl<F: Family + ?Sized> Spec<F> {
    /// A spec holding this component.
    pub fn new<C: Component<F>>(component: C) -> Self {
        Self(Arc::new(Typed(component)))
    }

    /// A spec for what a registered function builds.
    pub(super) fn from_fn(name: &str, build: Arc<Build<F>>) -> Self {
        Self(Arc::new(Function { name: name.to_owned(), build }))
    }

    /// The component's name.
    pub fn kind(&self) -> &str {
        self.0.kind()
    }

    /// The component, if it has this type.
    pub fn get<C: Component<F>>(&self) -> Option<&C> {
        self.0.as_any().downcast_ref()
    }

    /// The component for modification, if it has this type. Clones of this spec are not affected.
    pub fn get_mut<C: Component<F>>(&mut self) -> Option<&mut C> {
        if Arc::get_mut(&mut self.0).is_none() {
            *self = Self::new(self.get::<C>()?.clone());
        }
        Arc::get_mut(&mut self.0)?.as_any_mut().downcast_mut()
    }

    /// Checks every setting and returns the working object.
    pub fn build(&self, context: F::Context<'_>) -> Result<Box<F>, F::Error> {
        self.0.build(context)
    }

    /// What the family can ask without building.
    pub fn facts(&self) -> F::Facts<'_> {
        self.0.facts()
    }

    /// The component with this name and default settings.
    ///
    /// # Errors
    /// If there is no such component, or one of its settings has no default.
    pub fn named(name: &str) -> Result<Self, serde_json::Error> {
        match F::kinds().short(name) {
            Some(short) => Ok(short),
            None => Self::read(name, Map::new()),
        }
    }

    fn read(name: &str, settings: Map<String, Value>) -> Result<Self, serde_json::Error> {
        let kinds = F::kinds();
        let Some(kind) = kinds.find(name) else {
            let known = kinds.names();
            let meant = question(name, known.iter().map(String::as_str));
            let unknown = Unregistered::new(F::NAME, name);
            return Err(unreadable(format!("{unknown}; {meant}known are {}", known.join(", "))));
        };
        let read = kind.read(settings);
        read.map_err(|error| unreadable(format!("{} `{name}`: {error}", F::NAME)))
    }
}

fn unreadable(problem: String) -> serde_json::Error {
    serde::de::Error::custom(problem)
}

impl<F: Family + ?Sized> Clone for Spec<F> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<F: Family + ?Sized> PartialEq for Spec<F> {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals(other.0.as_any())
    }
}

impl<F: Family + ?Sized> Default for Spec<F> {
    fn default() -> Self {
        F::standard()
    }
}

impl<F: Family + ?Sized> fmt::Debug for Spec<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.0.as_ref(), f)
    }
}

impl<F: Family + ?Sized> Serialize for Spec<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let settings = match self.0.settings().map_err(S::Error::custom)? {
            Value::Object(settings) => settings,
            other => {
                let (family, kind) = (F::NAME, self.kind());
                return Err(S::Error::custom(format!(
                    "{family} `{kind}` is no struct with settings: {other}"
                )));
            }
        };
        let mut map = serializer.serialize_map(Some(settings.len() + 1))?;
        map.serialize_entry(KIND, self.kind())?;
        for (setting, value) in &settings {
            map.serialize_entry(setting, value)?;
        }
        map.end()
    }
}

impl<'de, F: Family + ?Sized> Deserialize<'de> for Spec<F> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NameOrTable(PhantomData))
    }
}

/// The key under which the kind is written, next to the settings.
const KIND: &str = "kind";

struct NameOrTable<F: ?Sized>(PhantomData<fn() -> Box<F>>);

impl<'de, F: Family + ?Sized> Visitor<'de> for NameOrTable<F> {
    type Value = Spec<F>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the name of a {} or a table with its `kind`", F::NAME)
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Spec<F>, E> {
        Spec::named(name).map_err(E::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Spec<F>, A::Error> {
        let (mut kind, mut settings) = (None::<String>, Map::new());
        while let Some(setting) = map.next_key::<String>()? {
            let is_repeated = if setting == KIND {
                kind.replace(map.next_value()?).is_some()
            } else {
                settings.insert(setting.clone(), map.next_value()?).is_some()
            };
            if is_repeated {
                return Err(A::Error::custom(format!("duplicate field `{setting}`")));
            }
        }
        let kind = kind.ok_or_else(|| A::Error::missing_field(KIND))?;
        Spec::read(&kind, settings).map_err(A::Error::custom)
    }
}
