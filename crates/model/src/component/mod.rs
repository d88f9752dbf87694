//! Components: the parts that a specification names.
//!
//! A *family* is a trait whose implementations are chosen by name, such as [`Kernel`](crate::kernel::Kernel). A
//! [`Component`] is one of them as plain data, in one file: its `KIND`, its settings as serde reads them, and how the
//! working thing is built from them. A [`Spec`] is a handle on any component of a family, written
//! `{"kind": "matern52", …settings}`; the kind alone stands for a component with all its defaults.
//!
//! Components of this workspace are listed where their folder lists its files. Other crates add theirs with
//! [`register`], and can name them in specifications from then on. What is only known while the program runs, such as
//! a function of another language, is a [`Kind::from_fn`], added by [`register_kind`].
//!
//! Laws:
//! - what was written is read to an equal component, and written again to the same text;
//! - a setting left out takes its default, an unknown one is refused;
//! - `build` checks everything, and depends on the component and its context alone;
//! - a kind names one component of its family: a name that is taken is refused.
mod kinds;
mod spec;
mod unregistered;

pub use kinds::{Kind, KindTaken, Kinds, register, register_kind};
pub use spec::Spec;
pub use unregistered::Unregistered;

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// A trait whose implementations are chosen by name: implemented for `dyn Trait`.
pub trait Family: Send + Sync + 'static {
    /// What one of them is called in messages: `kernel`.
    const NAME: &'static str;

    /// What one is built for, such as the layout of the space.
    type Context<'a>;

    /// Why one cannot be built.
    type Error;

    /// What can be asked of a component without building it; `()` if nothing.
    type Facts<'a>: Default;

    /// Those that can be named.
    fn kinds() -> &'static Kinds<Self>;

    /// The one that is used where a specification names none.
    fn standard() -> Spec<Self>;
}

/// One implementation of a family as plain data: what it is called, its settings, how it is built.
///
/// Settings are those of serde. Derive them with `#[serde(default, deny_unknown_fields)]`, so that what is left out
/// comes from `Default` and what is unknown is refused. A component without settings is a struct with empty braces.
pub trait Component<F: Family + ?Sized>:
    Clone + PartialEq + Debug + Serialize + DeserializeOwned + Send + Sync + 'static
{
    /// What it is called in specifications.
    const KIND: &'static str;

    /// Other names under which it is read, never written.
    const ALIASES: &'static [&'static str] = &[];

    /// What a name alone stands for that is no kind, if it is a short form of this component: the name of a rule, for a
    /// kernel that uses it everywhere.
    fn short(_name: &str) -> Option<Self> {
        None
    }

    /// Checks every setting and returns the working thing.
    fn build(&self, context: F::Context<'_>) -> Result<Box<F>, F::Error>;

    /// What the family asks of its components.
    fn facts(&self) -> F::Facts<'_> {
        F::Facts::default()
    }
}

/// Builds the working thing from its context alone.
type Build<F> =
    dyn for<'a> Fn(<F as Family>::Context<'a>) -> Result<Box<F>, <F as Family>::Error> + Send + Sync;

#[cfg(test)]
mod tests;
