//! Components: the parts that a spec names.
//!
//! A *family* is a trait whose implementations are chosen by name, such as
//! [`Kernel`](crate::kernel::Kernel). A [`Component`] is one implementation as plain data, in one
//! file: its `KIND`, its settings (through serde), and how to build the working object from them. A
//! [`Spec`] holds any component of a family and is written `{"kind": "matern52", …settings}`; the
//! kind alone means a component with default settings.
//!
//! The components of this workspace are listed in the `mod.rs` of their folder. Other crates add
//! theirs with [`register`]; specs can then name them. A component that exists only at run time,
//! such as a function written in another language, is a [`Kind::from_fn`], added with
//! [`register_kind`].
//!
//! Laws:
//! - reading what was written gives an equal component, and writing that gives the same text;
//! - an omitted setting takes its default, an unknown one is an error;
//! - `build` checks everything and depends on the component and its context alone;
//! - a kind names one component of its family: registering a taken name is an error.
mod kinds;
mod spec;
mod unregistered;

pub use kinds::{Kind, KindTaken, Kinds, register, register_kind};
pub use spec::Spec;
pub use unregistered::Unregistered;

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// A trait whose implementations are chosen by name. Implemented for `dyn Trait`.
pub trait Family: Send + Sync + 'static {
    /// What messages call a member: `kernel`.
    const NAME: &'static str;

    /// What a member is built for, such as the layout of the space.
    type Context<'a>;

    /// Why a member cannot be built.
    type Error;

    /// What a component can tell without being built; `()` if nothing.
    type Facts<'a>: Default;

    /// The members that specs can name.
    fn kinds() -> &'static Kinds<Self>;

    /// The default member, where a spec names none.
    fn standard() -> Spec<Self>;
}

/// One implementation of a family as plain data: its name, its settings, and how to build it.
///
/// Settings are read and written by serde. Derive them with `#[serde(default,
/// deny_unknown_fields)]`, so that omitted settings come from `Default` and unknown ones are
/// errors. A component without settings is a struct with empty braces.
pub trait Component<F: Family + ?Sized>:
    Clone + PartialEq + Debug + Serialize + DeserializeOwned + Send + Sync + 'static
{
    /// Its name in specs.
    const KIND: &'static str;

    /// Other names that are accepted when reading, but never written.
    const ALIASES: &'static [&'static str] = &[];

    /// The component that `name` alone abbreviates, if `name` is not a kind but a short form: for
    /// example the name of a distance, for a kernel that uses it for every parameter.
    fn short(_name: &str) -> Option<Self> {
        None
    }

    /// Checks every setting and returns the working object.
    fn build(&self, context: F::Context<'_>) -> Result<Box<F>, F::Error>;

    /// What the family can ask without building.
    fn facts(&self) -> F::Facts<'_> {
        F::Facts::default()
    }
}

/// Builds the working object from its context alone.
type Build<F> =
    dyn for<'a> Fn(<F as Family>::Context<'a>) -> Result<Box<F>, <F as Family>::Error> + Send + Sync;

#[cfg(test)]
mod tests;
