//! What one more trial is expected to bring, kept to what the latest trials bear out.
//!
//! The model's word is its largest expected improvement among random configurations. It rests on the model's tails, and
//! the largest of many guesses is too large. The record speaks of the same thing: of the latest T trials, a quarter of
//! all and ten at least, k have improved on the best, by g in all. By the rule of succession the next one does so with
//! probability (k + 1)/(T + 2), by g/k as far as is known, or by no more than the model says where k = 0. The promise
//! is the less of the two, and never more than the range of values leaves. docs/TRUST.md has how often such promises
//! came true.
use super::Record;

/// Trials whose gain is put on record, at least.
const LATEST: usize = 10;

/// The gain of the latest quarter, ten trials at least, if as many came before them; and how many of them improved.
pub(super) fn record(losses: &[f64]) -> Option<(Record, usize)> {
    let trials = (losses.len() / 4).max(LATEST);
    let (before, latest) = losses.split_at_checked(losses.len().checked_sub(trials)?)?;
    if before.len() < LATEST {
        return None;
    }
    let start = before.iter().copied().fold(f64::INFINITY, f64::min);
    let (mut best, mut improved) = (start, 0);
    for &loss in latest.iter().filter(|loss| **loss < start) {
        if loss < best {
            (best, improved) = (loss, improved + 1);
        }
    }
    Some((Record { trials, gain: (start - best).max(0.0) }, improved))
}

/// The model's word, kept to the record.
pub(super) fn borne_out(by_model: f64, record: Option<&(Record, usize)>) -> f64 {
    let Some((Record { trials, gain }, improved)) = record else { return by_model };
    let chance = (improved + 1) as f64 / (trials + 2) as f64;
    let size = if *improved > 0 { gain / *improved as f64 } else { by_model };
    by_model.min(chance * size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_record_is_the_gain_of_the_latest_quarter() {
        assert_eq!(record(&[1.0; 19]), None);
        let falling: Vec<f64> = (0..20).map(|i| 20.0 - f64::from(i)).collect();
        assert_eq!(record(&falling), Some((Record { trials: 10, gain: 10.0 }, 10)));
        let stalled: Vec<f64> = (0..80).map(|i| if i == 50 { 0.5 } else { 1.0 }).collect();
        assert_eq!(record(&stalled), Some((Record { trials: 20, gain: 0.0 }, 0)));
    }

    #[test]
    fn a_promise_is_no_more_than_the_record_bears_out() {
        assert_eq!(borne_out(0.4, None), 0.4);
        let stalled = (Record { trials: 20, gain: 0.0 }, 0);
        assert_eq!(borne_out(0.44, Some(&stalled)), 0.02);
        let steady = (Record { trials: 10, gain: 3.0 }, 5);
        assert_eq!(borne_out(10.0, Some(&steady)), 0.5 * 0.6);
        assert_eq!(borne_out(0.1, Some(&steady)), 0.1, "nor more than the model says");
    }
}
