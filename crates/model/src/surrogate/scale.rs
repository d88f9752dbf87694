//! Standardises losses to mean zero and standard deviation one, and converts back.

/// Losses beyond this are clipped: sums of their squares would overflow, and a penalty such as the
/// largest float says no more than "very bad".
const LARGEST_LOSS: f64 = 1e100;

/// Clips a loss to a size that is safe to compute with.
pub fn saturate(loss: f64) -> f64 {
    loss.clamp(-LARGEST_LOSS, LARGEST_LOSS)
}

/// standardised = (raw − shift)/spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// The mean of the losses.
    pub shift: f64,
    /// Their standard deviation.
    pub spread: f64,
}

impl Scale {
    /// Mean and standard deviation of these losses; the spread is one if all losses are equal.
    ///
    /// Losses are divided by the largest before summing, so that no square underflows.
    pub fn of(losses: &[f64]) -> Self {
        let largest = losses.iter().fold(0.0_f64, |largest, loss| largest.max(loss.abs()));
        if largest == 0.0 {
            return Self { shift: 0.0, spread: 1.0 };
        }
        let count = losses.len() as f64;
        let mean = losses.iter().map(|loss| loss / largest).sum::<f64>() / count;
        let square = losses.iter().map(|loss| (loss / largest - mean).powi(2)).sum::<f64>() / count;
        let (shift, spread) = (mean * largest, square.sqrt() * largest);
        Self { shift, spread: if spread > 0.0 { spread } else { 1.0 } }
    }

    /// The standardised loss.
    pub fn standardise(self, raw: f64) -> f64 {
        (raw - self.shift) / self.spread
    }

    /// The loss in original units.
    pub fn raw(self, standardised: f64) -> f64 {
        self.shift + self.spread * standardised
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standardised_losses_have_mean_zero_and_spread_one() {
        for losses in [vec![1.0, 4.0, -2.0], vec![1e150, -1e150, 3e149], vec![1e-300, 2e-300]] {
            let scale = Scale::of(&losses);
            let standardised: Vec<f64> = losses.iter().map(|&loss| scale.standardise(loss)).collect();
            let count = losses.len() as f64;
            assert!(standardised.iter().sum::<f64>().abs() < 1e-12);
            assert!((standardised.iter().map(|z| z * z).sum::<f64>() / count - 1.0).abs() < 1e-12);
            for (z, loss) in standardised.iter().zip(&losses) {
                assert!((scale.raw(*z) / loss - 1.0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn penalties_saturate() {
        assert_eq!([f64::MAX, -f64::MAX, 7.0].map(saturate), [1e100, -1e100, 7.0]);
    }

    #[test]
    fn losses_that_do_not_spread_are_left_as_they_are() {
        assert_eq!(Scale::of(&[]), Scale { shift: 0.0, spread: 1.0 });
        assert_eq!(Scale::of(&[0.0, 0.0]), Scale { shift: 0.0, spread: 1.0 });
        assert_eq!(Scale::of(&[7.0]), Scale { shift: 7.0, spread: 1.0 });
    }
}
