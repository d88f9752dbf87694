//! Rust types as spaces: an enum is a choice with conditional parameters, a struct is a product.
//!
//! Laws: every configuration of [`TypedSpace::space`] has a value, and writing that value gives the
//! same configuration (with `f32`, the value is the same, but digits of the configuration may be
//! lost).
//!
//! A type does not know its place in a larger type. A [`Scope`] provides it: the name and the
//! condition of its parameters. `#[derive(Space)]` implements the three functions that need one.
mod reader;
mod scalar;
mod scope;

pub use reader::{Reader, Writer};
pub use scalar::{NumericType, Scalar, value, values};
pub use scope::Scope;

use crate::configuration::Configuration;
use crate::error::SpaceError;
use crate::space::Space;
use crate::spec::{DomainSpec, SpaceSpec};

/// A type whose values are the configurations of a space.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a search space",
    label = "no parameters are known for this type",
    note = "derive `Space` for it, give numbers `#[space(low = …, high = …)]` and other values `#[space(choices = […])]`"
)]
pub trait TypedSpace: Sized {
    /// The name of its choice if no field gives it one: the name of the type, in snake case.
    const NAME: &'static str;

    /// Adds the parameters of this type.
    fn declare(at: &Scope, into: &mut SpaceSpec);

    /// The value of a configuration.
    fn read(at: &Scope, from: &Reader<'_>) -> Result<Self, SpaceError>;

    /// Writes the parameters of this value.
    fn write(&self, at: &Scope, into: &mut Writer<'_>) -> Result<(), SpaceError>;

    /// The spec of this type.
    fn spec() -> SpaceSpec {
        let mut spec = SpaceSpec::default();
        Self::declare(&Scope::root(), &mut spec);
        spec
    }

    /// The space of this type.
    fn space() -> Result<Space, SpaceError> {
        Space::new(Self::spec())
    }

    /// The value of a configuration. The space may have more parameters than the type.
    fn from_configuration(space: &Space, configuration: &Configuration) -> Result<Self, SpaceError> {
        Self::read(&Scope::root(), &Reader::new(space, configuration))
    }

    /// The configuration of this value. Fails if a number is out of range or a constraint is
    /// violated.
    fn to_configuration(&self, space: &Space) -> Result<Configuration, SpaceError> {
        let mut values = Writer::new(space);
        self.write(&Scope::root(), &mut values)?;
        values.finish()
    }
}

/// None or a whole space: a choice between `none` and `some`, with the parameters of the type below
/// `some`.
impl<T: TypedSpace> TypedSpace for Option<T> {
    const NAME: &'static str = T::NAME;

    fn declare(at: &Scope, into: &mut SpaceSpec) {
        let at = at.own(Self::NAME);
        into.parameters.push(at.param(DomainSpec::Choice(vec!["none".into(), "some".into()])));
        T::declare(&at.variant("some"), into);
    }

    fn read(at: &Scope, from: &Reader<'_>) -> Result<Self, SpaceError> {
        let at = at.own(Self::NAME);
        match from.label(&at)?.as_str() {
            "none" => Ok(None),
            "some" => T::read(&at.variant("some"), from).map(Some),
            other => Err(from.unexpected(&at, other, &["none", "some"])),
        }
    }

    fn write(&self, at: &Scope, into: &mut Writer<'_>) -> Result<(), SpaceError> {
        let at = at.own(Self::NAME);
        match self {
            None => into.label(&at, "none"),
            Some(inner) => {
                into.label(&at, "some");
                inner.write(&at.variant("some"), into)?;
            }
        }
        Ok(())
    }
}
