//! Which values an objective can have.
use crate::error::SearchError;
use serde::{Deserialize, Serialize};

/// The least and the greatest value an objective can have, in its own direction; an end that is not known is open.
///
/// ```
/// use arbora_search::ValueRange;
/// let accuracy = ValueRange { low: Some(0.0), high: Some(1.0) };
/// assert_eq!(accuracy.clamp(1.01), 1.0);
/// assert_eq!(ValueRange::default().clamp(1.01), 1.01);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ValueRange {
    /// The least.
    pub low: Option<f64>,
    /// The greatest.
    pub high: Option<f64>,
}

impl ValueRange {
    /// Is nothing known?
    pub fn is_open(&self) -> bool {
        self.low.is_none() && self.high.is_none()
    }

    /// The possible value next to this one.
    pub fn clamp(&self, value: f64) -> f64 {
        let value = self.low.map_or(value, |low| value.max(low));
        self.high.map_or(value, |high| value.min(high))
    }

    /// Refuses ends that are no numbers, or that leave nothing between them.
    pub(crate) fn check(&self) -> Result<(), SearchError> {
        let (low, high) = (self.low.unwrap_or(f64::NEG_INFINITY), self.high.unwrap_or(f64::INFINITY));
        if low < high {
            return Ok(());
        }
        let problem = "the least value must be below the greatest";
        Err(SearchError::BadSetting { setting: "range", value: format!("({low}, {high})"), problem })
    }
}
