//! Scores of a normal prediction against the best loss so far.
//!
//! Laws: higher is better; a lower mean never scores less; `slope` repeats `score` and gives its partial
//! derivatives; what cannot be computed scores −∞ with zero slopes, never NaN. Scores of positive quantities
//! are logarithms, so that a maximizer sees a slope, and a comparison a difference, where the quantity itself
//! has long underflowed.
use crate::error::SearchError;

/// Below this standard deviation a prediction counts as certain.
pub(super) const CERTAIN: f64 = 1e-12;

/// A margin is a gain: zero or more.
pub(super) fn check_margin(margin: f64) -> Result<(), SearchError> {
    let problem = "it must be a finite number, zero or more";
    if margin.is_finite() && margin >= 0.0 {
        return Ok(());
    }
    Err(SearchError::BadSetting { setting: "margin", value: margin.to_string(), problem })
}

/// No margin is not written down.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands in a reference")]
pub(super) fn is_zero(margin: &f64) -> bool {
    *margin == 0.0
}

/// How much a point with normal prediction is wished for. `mean` and `sd` are those of the latent function.
pub trait Improvement: Send + Sync {
    /// The score.
    fn score(&self, mean: f64, sd: f64, best: f64) -> f64;

    /// The score, its derivative in `mean`, its derivative in `sd`.
    fn slope(&self, mean: f64, sd: f64, best: f64) -> (f64, f64, f64);

    /// Is the score the logarithm of what is averaged over draws?
    fn is_logarithm(&self) -> bool {
        true
    }
}

/// The score, or −∞ if there is none.
pub(super) fn or_unwished(score: f64) -> f64 {
    if score.is_nan() { f64::NEG_INFINITY } else { score }
}

/// The score and its slopes; no slopes where any of the three is not finite, for a direction to nowhere helps
/// no one.
pub(super) fn or_level((score, in_mean, in_sd): (f64, f64, f64)) -> (f64, f64, f64) {
    if score.is_finite() && in_mean.is_finite() && in_sd.is_finite() {
        (score, in_mean, in_sd)
    } else {
        (or_unwished(score), 0.0, 0.0)
    }
}

/// The laws, for every implementation to run.
#[cfg(test)]
pub(super) mod laws {
    use super::Improvement;

    const SDS: [f64; 6] = [1e-13, 1e-6, 0.01, 0.3, 1.0, 25.0];

    fn means() -> impl Iterator<Item = f64> {
        (-40..=40).map(|i| 0.37 * f64::from(i))
    }

    pub(in super::super) fn assert_all(rule: &dyn Improvement) {
        assert_all_beside_kinks(rule, 0.0);
    }

    /// As above, with means moved by `offset`: a rule may have a kink at a round number.
    pub(in super::super) fn assert_all_beside_kinks(rule: &dyn Improvement, offset: f64) {
        a_lower_mean_never_scores_less(rule);
        slopes_are_derivatives(rule, offset);
        nothing_is_nan(rule);
    }

    fn a_lower_mean_never_scores_less(rule: &dyn Improvement) {
        for sd in SDS {
            let scores: Vec<f64> = means().map(|mean| rule.score(mean, sd, 0.5)).collect();
            assert!(scores.windows(2).all(|pair| pair[0] >= pair[1]), "sd {sd}: {scores:?}");
        }
    }

    fn slopes_are_derivatives(rule: &dyn Improvement, offset: f64) {
        for sd in [0.01, 0.3, 1.0, 25.0] {
            for mean in means().map(|mean| mean + offset) {
                let (score, in_mean, in_sd) = rule.slope(mean, sd, 0.5);
                assert!((score - rule.score(mean, sd, 0.5)).abs() <= 1e-15 * score.abs());
                let h = 1e-5 * sd;
                let by_mean = rule.score(mean + h, sd, 0.5) - rule.score(mean - h, sd, 0.5);
                let by_sd = rule.score(mean, sd + h, 0.5) - rule.score(mean, sd - h, 0.5);
                // A difference can be no better than the rounding of the scores it is made of.
                let rounding = 4.0 * f64::EPSILON * score.abs().max(1.0);
                for (slope, change) in [(in_mean, by_mean), (in_sd, by_sd)] {
                    let error = (2.0 * h * slope - change).abs();
                    assert!(error < 1e-5 * change.abs() + rounding, "mean {mean}, sd {sd}: {slope} {change}");
                }
            }
        }
    }

    fn nothing_is_nan(rule: &dyn Improvement) {
        let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, 1.0, -1e300, 1e300, 1e-300];
        for mean in odd {
            for sd in odd {
                for best in odd {
                    let (score, in_mean, in_sd) = rule.slope(mean, sd, best);
                    assert!(!score.is_nan() && in_mean.is_finite() && in_sd.is_finite());
                    let plain = rule.score(mean, sd, best);
                    assert!(plain.to_bits() == score.to_bits(), "{mean} {sd} {best}: {plain} {score}");
                    if mean.is_nan() || sd.is_nan() {
                        assert!(score.is_infinite() && score < 0.0);
                    }
                }
            }
        }
    }
}
