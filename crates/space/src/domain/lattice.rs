//! Evenly spaced numbers: integers, or exact decimals (0.1 + 0.2 gives 0.3).
//!
//! The i-th value is (origin + i·step)/scale, with integers and a power of ten: one correctly
//! rounded division, so 0.3 is the double that `0.3` parses to.
//!
//! Linear scale: u = (i + ½)/count; every value has a cell of the same width ("bin centre").
//! Logarithmic scale: ln x between the outer edges of the first and last cell.
use super::{decimal, real::check_range};
use crate::error::SpaceError;
use crate::value::Value;

/// Up to here a double represents all integers.
const EXACT: i128 = 1 << 53;

/// Evenly spaced numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Lattice {
    origin: i64,
    step: i64,
    scale: f64,
    count: u64,
    log: bool,
    is_integer: bool,
    /// Logarithms of the outer edges of the first and last cell; used if `log`.
    ends: (f64, f64),
}

impl Lattice {
    pub(super) fn integers(name: &str, range: (i64, i64), step: i64, log: bool) -> Result<Self, SpaceError> {
        let (low, high) = (range.0 as f64, range.1 as f64);
        check_range(name, low, high, log)?;
        if step <= 0 {
            return Err(SpaceError::BadStep { name: name.to_owned(), step: step as f64 });
        }
        let wide = (i128::from(range.0), i128::from(range.1), i128::from(step));
        Self::new(name, wide, 1.0, log, true)
    }

    pub(super) fn decimals(name: &str, range: (f64, f64), step: f64, log: bool) -> Result<Self, SpaceError> {
        let (low, high) = range;
        check_range(name, low, high, log)?;
        if !(step > 0.0 && step.is_finite()) {
            return Err(SpaceError::BadStep { name: name.to_owned(), step });
        }
        let places = decimal::places(low).max(decimal::places(high)).max(decimal::places(step));
        let whole = |x: f64| if places <= 18 { decimal::scaled(x, places) } else { None };
        match (whole(low), whole(high), whole(step)) {
            (Some(a), Some(b), Some(s)) => Self::new(name, (a, b, s), 10f64.powi(places), log, false),
            _ => Err(SpaceError::GridTooFine { name: name.to_owned(), low, high, step }),
        }
    }

    fn new(
        name: &str,
        (low, high, step): (i128, i128, i128),
        scale: f64,
        log: bool,
        is_integer: bool,
    ) -> Result<Self, SpaceError> {
        let number = |whole: i128| whole as f64 / scale;
        if low.abs() > EXACT || high.abs() > EXACT || step > EXACT {
            let (low, high, step) = (number(low), number(high), number(step));
            return Err(SpaceError::GridTooFine { name: name.to_owned(), low, high, step });
        }
        let steps = (high - low) / step;
        let last = low + steps * step;
        if last != high {
            return Err(SpaceError::StepMissesHigh {
                name: name.to_owned(),
                low: number(low),
                high: number(high),
                step: number(step),
                steps: steps as u64,
                last: number(last),
            });
        }
        let half = number(step) / 2.0;
        let edges = ((number(low) - half).max(number(low) / 2.0), number(high) + half);
        let ends = if log { (libm::log(edges.0), libm::log(edges.1)) } else { (0.0, 1.0) };
        Ok(Self {
            origin: low as i64,
            step: step as i64,
            scale,
            count: steps as u64 + 1,
            log,
            is_integer,
            ends,
        })
    }

    /// Number of values.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Is the scale logarithmic?
    pub fn is_log(&self) -> bool {
        self.log
    }

    /// Are these integers, displayed without a decimal point?
    pub fn is_integer(&self) -> bool {
        self.is_integer
    }

    /// Distance between consecutive values.
    pub fn step(&self) -> f64 {
        self.step as f64 / self.scale
    }

    /// The i-th number.
    pub fn number(&self, i: u64) -> f64 {
        (self.origin + i as i64 * self.step) as f64 / self.scale
    }

    /// The i-th value for users.
    pub fn value(&self, i: u64) -> Value {
        if self.is_integer {
            Value::Int(self.origin + i as i64 * self.step)
        } else {
            Value::from(self.number(i))
        }
    }

    /// The position of the value nearest to a number.
    pub fn nearest(&self, x: f64) -> u64 {
        let i = (x * self.scale - self.origin as f64) / self.step as f64;
        i.round().clamp(0.0, (self.count - 1) as f64) as u64
    }

    /// The first position with a number of at least `x`; `count` if there is none.
    pub fn first_at_least(&self, x: f64) -> u64 {
        let near = self.nearest(x);
        if self.number(near) >= x { near } else { near + 1 }
    }

    /// The position of a number on the grid, up to a billionth of a step.
    pub fn index_of(&self, x: f64) -> Option<u64> {
        let i = self.nearest(x);
        ((self.number(i) - x).abs() <= 1e-9 * self.step()).then_some(i)
    }

    /// The code of the i-th value.
    pub fn encode(&self, i: u64) -> f64 {
        if self.count == 1 {
            0.5
        } else if self.log {
            (libm::log(self.number(i)) - self.ends.0) / (self.ends.1 - self.ends.0)
        } else {
            (i as f64 + 0.5) / self.count as f64
        }
    }

    /// The position of the value whose cell contains a code.
    pub fn decode(&self, u: f64) -> u64 {
        let u = if u.is_nan() { 0.5 } else { u.clamp(0.0, 1.0) };
        if self.log {
            self.nearest(libm::exp(self.ends.0 + u * (self.ends.1 - self.ends.0)))
        } else {
            ((u * self.count as f64) as u64).min(self.count - 1)
        }
    }
}

impl std::fmt::Display for Lattice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (low, high) = (self.value(0), self.value(self.count - 1));
        match (self.is_integer, self.step) {
            (true, 1) => write!(f, "the whole numbers from {low} to {high}"),
            _ => write!(f, "{low} to {high} in steps of {:?}", self.step()),
        }
    }
}
