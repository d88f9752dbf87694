//! One parameter of a built space.
use crate::condition::Condition;
use crate::domain::Domain;
use crate::id::ParamId;
use crate::spec::Prior;
use crate::value::Value;

/// What a parameter is to the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// As declared.
    Plain,
    /// The hidden decision behind "none or a number".
    Switch {
        /// The number it activates.
        number: ParamId,
    },
    /// The number of "none or a number".
    Number {
        /// The decision it depends on.
        switch: ParamId,
    },
}

/// One parameter of a built space.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    name: String,
    domain: Domain,
    prior: Prior,
    default: Value,
    role: Role,
    pub(crate) when: Condition,
}

impl Parameter {
    pub(crate) fn new(name: &str, domain: Domain, prior: Prior, default: Value, role: Role) -> Self {
        Self { name: name.to_owned(), domain, prior, default, role, when: Condition::Always }
    }

    /// As declared; the hidden switch of an optional number `x` is called `x?`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its values.
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// Where good values are believed to be.
    pub fn prior(&self) -> &Prior {
        &self.prior
    }

    /// The value it takes when it becomes active and nobody says otherwise.
    pub fn default(&self) -> &Value {
        &self.default
    }

    /// When it is active.
    pub fn when(&self) -> &Condition {
        &self.when
    }

    /// What it is to the user.
    pub fn role(&self) -> Role {
        self.role
    }
}
