//! When a pruner that looks now and then looks.
use crate::curve::Curve;
use crate::error::{SearchError, at_least_one};

/// Steps that are never judged, and how far apart the others are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    warmup: u64,
    interval: u64,
}

impl Interval {
    pub(super) fn new(warmup: u64, interval: u64) -> Result<Self, SearchError> {
        at_least_one("interval_steps", usize::try_from(interval).unwrap_or(usize::MAX))?;
        Ok(Self { warmup, interval })
    }

    /// The last step of a curve and its loss, if it is to be judged: the first report at or after one of the steps
    /// warmup, warmup + interval, warmup + 2·interval, …  [Optuna's `_is_first_in_interval_step`].
    pub(super) fn due(&self, curve: &Curve) -> Option<(u64, f64)> {
        let (step, loss) = curve.last()?;
        let since = step.checked_sub(self.warmup)?;
        let begin = since / self.interval * self.interval + self.warmup;
        let before = curve.points().iter().rev().nth(1).map(|point| point.0);
        before.is_none_or(|before| before < begin).then_some((step, loss))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_due(warmup: u64, interval: u64, steps: &[u64]) -> bool {
        let curve: Curve = steps.iter().map(|&step| (step, 0.0)).collect();
        Interval::new(warmup, interval).unwrap().due(&curve).is_some()
    }

    /// As in Optuna's tests of `_is_first_in_interval_step`.
    #[test]
    fn the_first_report_of_an_interval_is_judged() {
        assert!(is_due(0, 1, &[1]) && is_due(0, 1, &[1, 2]));
        assert!(!is_due(2, 1, &[1]) && is_due(2, 1, &[1, 2]));
        assert!(is_due(0, 2, &[2]) && !is_due(0, 2, &[2, 3]) && is_due(0, 2, &[2, 3, 4]));
        // A step of the interval that was skipped is judged at the next report.
        assert!(is_due(0, 5, &[4, 7]) && !is_due(0, 5, &[4, 5, 7]));
        assert!(!is_due(0, 1, &[]));
        assert!(Interval::new(0, 0).is_err());
    }
}
