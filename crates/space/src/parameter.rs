//! One parameter of a built space.
use crate::condition::Condition;
use crate::domain::Domain;
use crate::id::ParamId;
use crate::spec::Prior;
use crate::value::Value;

/// How a parameter relates to the user's declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// As declared.
    Plain,
    /// The hidden choice behind an optional number.
    Switch {
        /// The number it activates.
        number: ParamId,
    },
    /// The number of an optional number.
    Number {
        /// The hidden choice it depends on.
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

    /// The declared name; the hidden switch of an optional number `x` is called `x?`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its values.
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// The prior belief about good values.
    pub fn prior(&self) -> &Prior {
        &self.prior
    }

    /// The value it takes when it becomes active, unless one is given.
    pub fn default(&self) -> &Value {
        &self.default
    }

    /// The condition under which it is active.
    pub fn when(&self) -> &Condition {
        &self.when
    }

    /// How it relates to the user's declaration.
    pub fn role(&self) -> Role {
        self.role
    }
}
