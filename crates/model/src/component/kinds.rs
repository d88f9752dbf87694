//! Which components a family has: those of its folder, and those that other crates register.
use super::{Component, Family, Spec};
use serde_json::{Map, Value};
use std::any::TypeId;
use std::sync::{PoisonError, RwLock};
use thiserror::Error;

/// One component as a family knows it: its names, and how it is read.
pub struct Kind<F: Family + ?Sized> {
    name: &'static str,
    aliases: &'static [&'static str],
    component: fn() -> TypeId,
    read: fn(Map<String, Value>) -> Result<Spec<F>, serde_json::Error>,
}

impl<F: Family + ?Sized> Clone for Kind<F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F: Family + ?Sized> Copy for Kind<F> {}

impl<F: Family + ?Sized> Kind<F> {
    /// The entry of a component in the list of its family.
    pub const fn of<C: Component<F>>() -> Self {
        Self { name: C::KIND, aliases: C::ALIASES, component: TypeId::of::<C>, read: read::<F, C> }
    }

    fn is_called(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }

    /// The component with these settings.
    pub(super) fn read(&self, settings: Map<String, Value>) -> Result<Spec<F>, serde_json::Error> {
        (self.read)(settings)
    }
}

fn read<F: Family + ?Sized, C: Component<F>>(
    settings: Map<String, Value>,
) -> Result<Spec<F>, serde_json::Error> {
    serde_json::from_value::<C>(Value::Object(settings)).map(Spec::new)
}

/// The components of a family: a list that is fixed, and what was registered.
pub struct Kinds<F: Family + ?Sized> {
    built_in: &'static [Kind<F>],
    registered: RwLock<Vec<Kind<F>>>,
}

impl<F: Family + ?Sized> Kinds<F> {
    /// A family with these components.
    pub const fn new(built_in: &'static [Kind<F>]) -> Self {
        Self { built_in, registered: RwLock::new(Vec::new()) }
    }

    /// The component of this name.
    pub(super) fn find(&self, name: &str) -> Option<Kind<F>> {
        self.all().into_iter().find(|kind| kind.is_called(name))
    }

    /// What its components are called, built-in ones first.
    pub fn names(&self) -> Vec<&'static str> {
        self.all().into_iter().map(|kind| kind.name).collect()
    }

    fn all(&self) -> Vec<Kind<F>> {
        let registered = self.registered.read().unwrap_or_else(PoisonError::into_inner);
        self.built_in.iter().chain(registered.iter()).copied().collect()
    }

    fn add(&self, new: Kind<F>) -> Result<(), KindTaken> {
        let mut registered = self.registered.write().unwrap_or_else(PoisonError::into_inner);
        let names = || std::iter::once(&new.name).chain(new.aliases);
        let clashes = |known: &&Kind<F>| names().any(|name| known.is_called(name));
        match self.built_in.iter().chain(registered.iter()).find(clashes) {
            Some(known) if (known.component)() == (new.component)() => Ok(()),
            Some(known) => Err(KindTaken { family: F::NAME, kind: known.name }),
            None => {
                registered.push(new);
                Ok(())
            }
        }
    }
}

/// A name that belongs to another component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("there is a {family} called `{kind}` already: give yours another name")]
pub struct KindTaken {
    /// Which family.
    pub family: &'static str,
    /// The component that has the name.
    pub kind: &'static str,
}

/// Lets specifications name a component of another crate, from now on and in the whole process. Registering it again
/// changes nothing.
///
/// # Errors
/// If another component of the family has its name.
pub fn register<F: Family + ?Sized, C: Component<F>>() -> Result<(), KindTaken> {
    F::kinds().add(Kind::of::<C>())
}
