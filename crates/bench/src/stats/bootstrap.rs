//! Bootstrap intervals of a mean: resample the runs, take quantiles of their means (percentile method).
use crate::error::BenchError;
use arbora_space::Rng;

/// A mean and where it lies with 95 % confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BootstrapInterval {
    /// The mean.
    pub mean: f64,
    /// 2.5 % quantile.
    pub low: f64,
    /// 97.5 % quantile.
    pub high: f64,
}

/// The interval of a mean from so many resamples.
pub fn bootstrap_mean(
    values: &[f64],
    resamples: usize,
    rng: &mut Rng,
) -> Result<BootstrapInterval, BenchError> {
    if values.is_empty() || resamples == 0 {
        let what = if resamples == 0 { "resamples of a bootstrap" } else { "values to bootstrap" };
        return Err(BenchError::TooFew { what, least: 1, given: 0 });
    }
    if let Some(index) = values.iter().position(|v| !v.is_finite()) {
        return Err(BenchError::BadEntry { sample: "only", index, value: values[index] });
    }
    let n = values.len();
    let mean = |sum: f64| sum / n as f64;
    let mut means: Vec<f64> =
        (0..resamples).map(|_| mean((0..n).map(|_| values[rng.below(n)]).sum())).collect();
    means.sort_by(f64::total_cmp);
    let quantile = |share: f64| means[((resamples - 1) as f64 * share).round() as usize];
    Ok(BootstrapInterval { mean: mean(values.iter().sum()), low: quantile(0.025), high: quantile(0.975) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covers_the_truth_about_as_often_as_it_says() {
        let mut rng = Rng::new(5);
        let covered = (0..400).filter(|_| {
            let sample: Vec<f64> = (0..30).map(|_| rng.normal()).collect();
            let interval = bootstrap_mean(&sample, 400, &mut rng).unwrap();
            interval.low <= 0.0 && 0.0 <= interval.high
        });
        let share = covered.count() as f64 / 400.0;
        assert!((0.89..0.98).contains(&share), "{share}");
    }

    #[test]
    fn what_has_no_mean_is_refused() {
        let refused =
            |values: &[f64], resamples| bootstrap_mean(values, resamples, &mut Rng::new(1)).unwrap_err();
        assert!(refused(&[], 10).to_string().contains("values to bootstrap"));
        assert!(refused(&[1.0], 0).to_string().contains("resamples"));
        let infinite = BenchError::BadEntry { sample: "only", index: 1, value: f64::INFINITY };
        assert_eq!(refused(&[1.0, f64::INFINITY], 10), infinite);
    }
}
