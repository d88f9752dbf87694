//! The expected gain of one more trial (`promise`), limited by the gains of the latest trials.
//!
//! The model's estimate is its largest expected improvement among random configurations. It depends
//! on the tails of the model, and the maximum of many estimates is too large. The record is a
//! second estimate: of the latest T trials (a quarter of all, at least ten), k improved the best
//! loss, by g in total. By the rule of succession, the next trial improves with probability
//! (k + 1)/(T + 2). The size of the improvement is estimated by g/k, or by the model if k = 0. The
//! promise is the smaller of the two estimates, and at most what the range of values allows. With
//! fewer than twenty trials, the later half of them replaces the record. docs/TRUST.md shows how
//! much of such promises came true.
use super::Record;

/// Minimum number of trials in the record.
const LATEST: usize = 10;

/// The gain of the latest quarter of the trials, at least ten; `None` unless at least ten came
/// before.
pub(super) fn record(losses: &[f64]) -> Option<Record> {
    let trials = (losses.len() / 4).max(LATEST);
    (losses.len() >= trials + LATEST).then(|| gain_of(losses, trials).0)
}

/// The gain of the latest trials over the best loss before them, and how many of them improved it.
fn gain_of(losses: &[f64], trials: usize) -> (Record, usize) {
    let (before, latest) = losses.split_at(losses.len() - trials);
    let start = before.iter().copied().fold(f64::INFINITY, f64::min);
    let (mut best, mut improved) = (start, 0);
    for &loss in latest.iter().filter(|loss| **loss < start) {
        if loss < best {
            (best, improved) = (loss, improved + 1);
        }
    }
    (Record { trials, gain: (start - best).max(0.0) }, improved)
}

/// The model's estimate, limited by the record of these losses.
pub(super) fn limited_by_record(by_model: f64, losses: &[f64]) -> f64 {
    let trials = record(losses).map_or(losses.len() / 2, |record| record.trials);
    if trials == 0 {
        return by_model;
    }
    let (Record { gain, .. }, improved) = gain_of(losses, trials);
    let chance = (improved + 1) as f64 / (trials + 2) as f64;
    let size = if improved > 0 { gain / improved as f64 } else { by_model };
    by_model.min(chance * size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_record_is_the_gain_of_the_latest_quarter() {
        assert_eq!(record(&[1.0; 19]), None);
        let falling: Vec<f64> = (0..20).map(|i| 20.0 - f64::from(i)).collect();
        assert_eq!(record(&falling), Some(Record { trials: 10, gain: 10.0 }));
        let stalled: Vec<f64> = (0..80).map(|i| if i == 50 { 0.5 } else { 1.0 }).collect();
        assert_eq!(record(&stalled), Some(Record { trials: 20, gain: 0.0 }));
    }

    #[test]
    fn a_promise_is_no_more_than_the_record_bears_out() {
        assert_eq!(limited_by_record(0.4, &[1.0]), 0.4, "one trial says nothing of the next");
        assert_eq!(limited_by_record(0.44, &[1.0; 80]), 0.02, "nothing in twenty");
        // Five of the latest ten improve, by 0.1 each.
        let steady: Vec<f64> =
            (0..20).map(|i| if i < 10 { 1.0 } else { 1.0 - 0.1 * f64::from((i - 8) / 2) }).collect();
        let promise = limited_by_record(10.0, &steady);
        assert!((promise - 0.5 * 0.1).abs() < 1e-12, "{promise}");
        assert_eq!(limited_by_record(0.01, &steady), 0.01, "nor more than the model says");
        let short = limited_by_record(0.4, &[1.0, 0.9, 0.8, 0.8]);
        assert!((short - 0.5 * 0.1).abs() < 1e-12, "the later half of four: {short}");
    }
}
