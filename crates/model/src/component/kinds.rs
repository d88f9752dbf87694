//! The components of a family: those in its folder, and those that were registered.
use super::{Build, Component, Family, Spec};
use serde_json::{Map, Value};
use std::any::TypeId;
use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};
use thiserror::Error;

/// One component as listed by its family: its names, and how to read it.
pub struct Kind<F: Family + ?Sized> {
    name: Cow<'static, str>,
    aliases: &'static [&'static str],
    summary: Cow<'static, str>,
    source: Source<F>,
}

/// Where the components of a kind come from.
enum Source<F: Family + ?Sized> {
    /// A type that deserializes its own settings.
    Type { component: fn() -> TypeId, short: Short<F>, read: Read<F> },
    /// A function in this process.
    Function(Arc<Build<F>>),
}

type Short<F> = fn(&str) -> Option<Spec<F>>;
type Read<F> = fn(Map<String, Value>) -> Result<Spec<F>, serde_json::Error>;

impl<F: Family + ?Sized> Clone for Kind<F> {
    fn clone(&self) -> Self {
        let source = match &self.source {
            Source::Type { component, short, read } => {
                Source::Type { component: *component, short: *short, read: *read }
            }
            Source::Function(build) => Source::Function(Arc::clone(build)),
        };
        Self { name: self.name.clone(), aliases: self.aliases, summary: self.summary.clone(), source }
    }
}

impl<F: Family + ?Sized> fmt::Debug for Kind<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} `{}`", F::NAME, self.name)
    }
}

impl<F: Family + ?Sized> Kind<F> {
    /// The entry of a component in its family's list.
    pub const fn of<C: Component<F>>() -> Self {
        Self {
            name: Cow::Borrowed(C::KIND),
            aliases: C::ALIASES,
            summary: Cow::Borrowed(""),
            source: Source::Type { component: TypeId::of::<C>, short: short::<F, C>, read: read::<F, C> },
        }
    }

    /// A component without settings that is created at run time, such as a function written in
    /// another language. Clones of this kind are equal to it; another call creates a different
    /// kind.
    pub fn from_fn(
        name: impl Into<String>,
        build: impl for<'a> Fn(F::Context<'a>) -> Result<Box<F>, F::Error> + Send + Sync + 'static,
    ) -> Self {
        let source = Source::Function(Arc::new(build));
        Self { name: Cow::Owned(name.into()), aliases: &[], summary: Cow::Borrowed(""), source }
    }

    /// Adds a one-line summary for people: what it does, and when to use it.
    #[must_use]
    pub fn with_summary(self, summary: impl Into<String>) -> Self {
        Self { summary: Cow::Owned(summary.into()), ..self }
    }

    /// Its name in specs.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it does, in one line; empty if there is no summary.
    pub fn summary(&self) -> &str {
        &self.summary
    }

    fn is_called(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }

    fn is_same(&self, other: &Self) -> bool {
        match (&self.source, &other.source) {
            (Source::Type { component: one, .. }, Source::Type { component: other, .. }) => one() == other(),
            (Source::Function(one), Source::Function(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }

    /// The spec that `name` abbreviates, if it abbreviates this component.
    fn short(&self, name: &str) -> Option<Spec<F>> {
        match &self.source {
            Source::Type { short, .. } => short(name),
            Source::Function(_) => None,
        }
    }

    /// The component with these settings.
    pub(super) fn read(&self, settings: Map<String, Value>) -> Result<Spec<F>, serde_json::Error> {
        match &self.source {
            Source::Type { read, .. } => read(settings),
            Source::Function(build) => match settings.keys().next() {
                None => Ok(Spec::from_fn(&self.name, Arc::clone(build))),
                Some(setting) => {
                    Err(serde::de::Error::custom(format!("it has no settings, `{setting}` was given")))
                }
            },
        }
    }
}

fn short<F: Family + ?Sized, C: Component<F>>(name: &str) -> Option<Spec<F>> {
    C::short(name).map(Spec::new)
}

fn read<F: Family + ?Sized, C: Component<F>>(
    settings: Map<String, Value>,
) -> Result<Spec<F>, serde_json::Error> {
    serde_json::from_value::<C>(Value::Object(settings)).map(Spec::new)
}

/// The components of a family: a fixed list, and those that were registered.
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

    /// The spec that `name` abbreviates.
    pub(super) fn short(&self, name: &str) -> Option<Spec<F>> {
        self.all().into_iter().find_map(|kind| kind.short(name))
    }

    /// Names of all components, built-in ones first.
    pub fn names(&self) -> Vec<String> {
        self.all().into_iter().map(|kind| kind.name.into_owned()).collect()
    }

    /// The registered components, in order of registration.
    pub fn registered(&self) -> Vec<Kind<F>> {
        self.registered.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn all(&self) -> Vec<Kind<F>> {
        self.built_in.iter().cloned().chain(self.registered()).collect()
    }

    fn add(&self, new: Kind<F>) -> Result<(), KindTaken> {
        let names = || std::iter::once(&*new.name).chain(new.aliases.iter().copied());
        // Looking up a short form may take the lock on this family's kinds, so do it before
        // locking.
        let is_short = |known: &&Kind<F>| names().any(|name| known.short(name).is_some());
        let taken = |known: &Kind<F>| KindTaken { family: F::NAME, kind: known.name.clone().into_owned() };
        if let Some(known) = self.all().iter().find(is_short).filter(|known| !known.is_same(&new)) {
            return Err(taken(known));
        }
        let mut registered = self.registered.write().unwrap_or_else(PoisonError::into_inner);
        let clashes = |known: &&Kind<F>| names().any(|name| known.is_called(name));
        match self.built_in.iter().chain(registered.iter()).find(clashes) {
            Some(known) if known.is_same(&new) => Ok(()),
            Some(known) => Err(taken(known)),
            None => {
                registered.push(new);
                Ok(())
            }
        }
    }
}

/// The name already belongs to another component.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("a {family} named `{kind}` already exists: choose another name")]
pub struct KindTaken {
    /// The family.
    pub family: &'static str,
    /// The name that is taken.
    pub kind: String,
}

/// Registers a component of another crate, so that specs in this process can name it. Registering
/// it again has no effect.
///
/// # Errors
/// If another component of the family has the same name.
pub fn register<F: Family + ?Sized, C: Component<F>>() -> Result<(), KindTaken> {
    register_kind(Kind::<F>::of::<C>())
}

/// Registers a kind that was created at run time, see [`Kind::from_fn`].
///
/// # Errors
/// If another component of the family has the same name.
pub fn register_kind<F: Family + ?Sized>(kind: Kind<F>) -> Result<(), KindTaken> {
    F::kinds().add(kind)
}
