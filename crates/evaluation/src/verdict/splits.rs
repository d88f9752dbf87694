//! The spread of a trial's value over its splits.
use serde::Serialize;

/// The mean over splits, and its standard error.
///
/// The training sets of K splits overlap, so s²/K is too small. The variance of the mean is
/// estimated by (1/K + ρ) s², where ρ is the ratio of validation to training rows, 1/(K − 1) for K
/// folds [Nadeau & Bengio 2003, the corrected resampled variance].
///
/// ```
/// use arbora_evaluation::SplitSpread;
///
/// let spread = SplitSpread::of(&[0.1, 0.2, 0.3], None).expect("three values");
/// assert_eq!(spread.splits, 3);
/// assert!((spread.mean - 0.2).abs() < 1e-12);
/// assert!((spread.error - 0.1 * (5.0f64 / 6.0).sqrt()).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SplitSpread {
    /// Number of splits.
    pub splits: usize,
    /// The mean of their values.
    pub mean: f64,
    /// Its standard error, as an estimate for other rows of the same kind.
    pub error: f64,
}

impl SplitSpread {
    /// The spread of one value per split; `None` if there are fewer than two or any is not finite.
    /// `ratio` is the ratio of validation to training rows; by default, the splits are taken as
    /// folds.
    pub fn of(values: &[f64], ratio: Option<f64>) -> Option<Self> {
        if values.len() < 2 || !values.iter().all(|value| value.is_finite()) {
            return None;
        }
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
        let ratio = ratio.filter(|ratio| ratio.is_finite() && *ratio > 0.0).unwrap_or(1.0 / (count - 1.0));
        Some(Self { splits: values.len(), mean, error: ((1.0 / count + ratio) * variance).sqrt() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbora_space::Rng;

    #[test]
    fn one_value_has_no_spread_and_equal_ones_none_to_speak_of() {
        assert_eq!(SplitSpread::of(&[], None), None);
        assert_eq!(SplitSpread::of(&[0.3], None), None);
        assert_eq!(SplitSpread::of(&[0.3, f64::NAN], None), None);
        assert_eq!(
            SplitSpread::of(&[0.25; 4], None),
            Some(SplitSpread { splits: 4, mean: 0.25, error: 0.0 })
        );
    }

    #[test]
    fn repeated_splits_are_surer_than_folds_only_by_their_number() {
        let values = [0.1, 0.2, 0.3, 0.4];
        let error = |ratio| SplitSpread::of(&values, ratio).unwrap().error;
        assert_eq!(error(None), error(Some(1.0 / 3.0)));
        let variance = 0.05 / 3.0;
        assert!((error(Some(0.25)) - f64::sqrt((0.25 + 0.25) * variance)).abs() < 1e-12);
        for nonsense in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(error(Some(nonsense)), error(None));
        }
    }

    #[test]
    fn the_error_moves_with_the_values_and_not_with_their_order() {
        let mut rng = Rng::new(5);
        for _ in 0..50 {
            let values: Vec<f64> = (0..7).map(|_| rng.normal()).collect();
            let spread = SplitSpread::of(&values, None).unwrap();
            let moved =
                SplitSpread::of(&values.iter().map(|v| 3.0 - 2.0 * v).collect::<Vec<_>>(), None).unwrap();
            assert!((moved.error - 2.0 * spread.error).abs() < 1e-12);
            assert!((moved.mean - (3.0 - 2.0 * spread.mean)).abs() < 1e-12);
            let turned = SplitSpread::of(&values.iter().rev().copied().collect::<Vec<_>>(), None).unwrap();
            assert!((turned.error - spread.error).abs() < 1e-12);
        }
    }
}
