//! Domains: the values of one parameter, and their codes in [0, 1].
//!
//! Laws: `encode` of a value of the domain is in [0, 1]; `decode` always gives a value of the
//! domain; `decode(encode(v)) = v` for grids and labels, and up to rounding for reals;
//! `snap = encode ∘ decode`.
mod decimal;
mod labels;
mod lattice;
mod real;

pub use labels::Labels;
pub use lattice::Lattice;
pub use real::Real;

use crate::error::SpaceError;
use crate::spec::{DomainSpec, Param};
use crate::value::Value;

/// The values of one parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// A continuous interval.
    Real(Real),
    /// Evenly spaced numbers: integers, or exact decimals.
    Lattice(Lattice),
    /// Alternatives, ordered or not.
    Labels(Labels),
}

impl Domain {
    pub(crate) fn build(param: &Param) -> Result<Self, SpaceError> {
        let name = &param.name;
        let domain = match &param.domain {
            DomainSpec::Real { low, high, log, step: None } => {
                Domain::Real(Real::new(name, *low, *high, *log)?)
            }
            DomainSpec::Real { low, high, log, step: Some(step) } => {
                Domain::Lattice(Lattice::decimals(name, (*low, *high), *step, *log)?)
            }
            DomainSpec::Integer { low, high, log, step } => {
                Domain::Lattice(Lattice::integers(name, (*low, *high), step.unwrap_or(1), *log)?)
            }
            DomainSpec::Choice(values) => {
                Domain::Labels(Labels::new(name, values.clone(), false, &param.retired)?)
            }
            DomainSpec::Ordinal(values) => {
                Domain::Labels(Labels::new(name, values.clone(), true, &param.retired)?)
            }
            DomainSpec::Boolean => {
                Domain::Labels(Labels::new(name, vec![false.into(), true.into()], false, &param.retired)?)
            }
            DomainSpec::Constant(value) => {
                Domain::Labels(Labels::new(name, vec![value.clone()], false, &param.retired)?)
            }
        };
        if !param.retired.is_empty() && !matches!(domain, Domain::Labels(_)) {
            return Err(SpaceError::BadExpression {
                place: format!("parameter `{name}`"),
                problem: "only alternatives can be retired, not numbers".into(),
            });
        }
        Ok(domain)
    }

    /// The code of a value in [0, 1]. A value outside the domain has the code of the nearest end or
    /// alternative.
    pub fn encode(&self, value: &Value) -> f64 {
        match self {
            Domain::Real(d) => value.as_f64().map_or(0.5, |x| d.encode(x)),
            Domain::Lattice(d) => value.as_f64().map_or(0.5, |x| d.encode(d.nearest(x))),
            Domain::Labels(d) => d.index_of(value).map_or(0.5, |i| d.encode(i)),
        }
    }

    /// The value of a code in [0, 1]; codes outside count as the nearest end.
    pub fn decode(&self, u: f64) -> Value {
        match self {
            Domain::Real(d) => Value::from(d.decode(u)),
            Domain::Lattice(d) => d.value(d.decode(u)),
            Domain::Labels(d) => d.value(d.decode(u)).clone(),
        }
    }

    /// The code of the value that a code decodes to.
    pub fn snap(&self, u: f64) -> f64 {
        match self {
            Domain::Real(_) => u.clamp(0.0, 1.0),
            Domain::Lattice(d) => d.encode(d.decode(u)),
            Domain::Labels(d) => d.encode(d.decode(u)),
        }
    }

    /// The canonical form of a value, if it is in the domain: 3.0 is 3 for an integer, 3 is 3.0 for
    /// a real.
    pub fn canonical(&self, value: &Value) -> Option<Value> {
        match self {
            Domain::Real(d) => value.as_f64().and_then(|x| d.canonical(x)).map(Value::from),
            // An integer that is not a double is not on any grid, though its nearest double may be.
            Domain::Lattice(_) if matches!(value, Value::Int(i) if !Value::Real(*i as f64).means(value)) => {
                None
            }
            Domain::Lattice(d) => value.as_f64().and_then(|x| d.index_of(x)).map(|i| d.value(i)),
            Domain::Labels(d) => d.find(value).map(|i| d.value(i).clone()),
        }
    }

    /// The middle of the scale, or the first alternative that is not retired.
    pub fn middle(&self) -> Value {
        match self {
            Domain::Labels(d) => d.value(d.offered().next().unwrap_or(0)).clone(),
            _ => self.decode(0.5),
        }
    }

    /// Number of values (including retired ones), if finite.
    pub fn levels(&self) -> Option<u64> {
        match self {
            Domain::Real(d) => d.is_single().then_some(1),
            Domain::Lattice(d) => Some(d.count()),
            Domain::Labels(d) => Some(d.len() as u64),
        }
    }

    /// The value at a position, counted from the lowest or first; only for finite domains.
    pub fn level(&self, i: u64) -> Value {
        match self {
            Domain::Real(d) => Value::from(d.low()),
            Domain::Lattice(d) => d.value(i),
            Domain::Labels(d) => d.value(i as usize).clone(),
        }
    }

    /// Lowest and highest number, for numeric domains.
    pub fn range(&self) -> Option<(f64, f64)> {
        match self {
            Domain::Real(d) => Some((d.low(), d.high())),
            Domain::Lattice(d) => Some((d.number(0), d.number(d.count() - 1))),
            Domain::Labels(_) => None,
        }
    }

    /// The alternatives, for categorical and ordinal domains.
    pub fn labels(&self) -> Option<&Labels> {
        match self {
            Domain::Labels(d) => Some(d),
            _ => None,
        }
    }
}

impl std::fmt::Display for Domain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Domain::Real(d) => write!(f, "the numbers from {:?} to {:?}", d.low(), d.high()),
            Domain::Lattice(d) => d.fmt(f),
            Domain::Labels(d) => d.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests;
