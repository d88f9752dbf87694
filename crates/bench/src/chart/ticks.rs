//! Round numbers along an axis.

/// About as many round numbers inside a range as wanted, and how many digits they need.
pub(super) fn ticks(low: f64, high: f64, about: usize) -> (Vec<f64>, usize) {
    let rough = (high - low).max(f64::MIN_POSITIVE) / about.max(1) as f64;
    let power = 10.0_f64.powi(libm::floor(libm::log10(rough)) as i32);
    let step =
        [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|s| *s >= rough).unwrap_or(10.0 * power);
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    let digits = (-libm::floor(libm::log10(step) + 1e-9)).max(0.0) as usize;
    ((first..=last).map(|i| i as f64 * step).collect(), digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_round_and_inside() {
        assert_eq!(ticks(0.0, 100.0, 5), (vec![0.0, 20.0, 40.0, 60.0, 80.0, 100.0], 0));
        let (found, digits) = ticks(-0.31, 0.29, 6);
        assert_eq!((found.len(), digits), (6, 1));
        assert!(found.iter().all(|t| (-0.31..=0.29).contains(t)));
    }
}
