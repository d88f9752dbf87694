//! A continuous interval, linear or logarithmic.
//!
//! u = (x − low)/(high − low), or the same for logarithms; a single value has code ½.
use crate::error::SpaceError;

/// Numbers from low to high.
#[derive(Clone, Debug, PartialEq)]
pub struct Real {
    low: f64,
    high: f64,
    log: bool,
    /// Ends on the search scale: the values, or their logarithms.
    ends: (f64, f64),
}

impl Real {
    pub(super) fn new(name: &str, low: f64, high: f64, log: bool) -> Result<Self, SpaceError> {
        check_range(name, low, high, log)?;
        let ends = if log { (libm::log(low), libm::log(high)) } else { (low, high) };
        if !(ends.1 - ends.0).is_finite() {
            return Err(SpaceError::RangeTooWide { name: name.to_owned(), low, high });
        }
        Ok(Self { low: low + 0.0, high: high + 0.0, log, ends })
    }

    /// Lowest value.
    pub fn low(&self) -> f64 {
        self.low
    }

    /// Highest value.
    pub fn high(&self) -> f64 {
        self.high
    }

    /// Is the scale logarithmic?
    pub fn is_log(&self) -> bool {
        self.log
    }

    /// Is there only one value?
    pub fn is_single(&self) -> bool {
        self.low == self.high
    }

    /// The code of a number.
    pub fn encode(&self, x: f64) -> f64 {
        if self.is_single() {
            return 0.5;
        }
        let x = x.clamp(self.low, self.high);
        let t = if self.log { libm::log(x) } else { x };
        ((t - self.ends.0) / (self.ends.1 - self.ends.0)).clamp(0.0, 1.0)
    }

    /// The number of a code; exact at both ends.
    pub fn decode(&self, u: f64) -> f64 {
        if u.is_nan() || self.is_single() {
            return self.low;
        }
        if u <= 0.0 {
            return self.low;
        }
        if u >= 1.0 {
            return self.high;
        }
        let t = self.ends.0 + u * (self.ends.1 - self.ends.0);
        let x = if self.log { libm::exp(t) } else { t };
        x.clamp(self.low, self.high) + 0.0
    }

    /// The number itself if it is in the interval. Rounding errors of a few ulps beyond an end are
    /// corrected: values that passed through text or another library often have them.
    pub(super) fn canonical(&self, x: f64) -> Option<f64> {
        let slack = 4.0 * f64::EPSILON;
        let inside = x >= self.low - slack * self.low.abs() && x <= self.high + slack * self.high.abs();
        inside.then(|| x.clamp(self.low, self.high) + 0.0)
    }
}

/// Checks that apply to all numeric ranges.
pub(super) fn check_range(name: &str, low: f64, high: f64, log: bool) -> Result<(), SpaceError> {
    let name = || name.to_owned();
    for value in [low, high] {
        if !value.is_finite() {
            return Err(SpaceError::BoundNotFinite { name: name(), value });
        }
    }
    if low > high {
        return Err(SpaceError::EmptyRange { name: name(), low, high });
    }
    if log && low <= 0.0 {
        return Err(SpaceError::LogNeedsPositive { name: name(), low });
    }
    Ok(())
}
