//! Laws of every surrogate.
use super::World;
use crate::dataset::Dataset;
use crate::prediction::Prediction;
use crate::surrogate::Surrogate;
use arbora_space::{Layout, Points, Rng};

type Build<'a> = &'a dyn Fn(&Layout) -> Box<dyn Surrogate>;

/// Reproducible, in original units, finite for any losses, and equal to the prior without data.
///
/// # Panics
/// If a law is broken.
pub fn assert_surrogate_laws(build: Build<'_>) {
    for seed in 0..6 {
        let mut rng = Rng::for_trial(43, seed);
        let world = World::random(&mut rng);
        let surrogate = build(&world.layout);
        let rows = world.points(12, &mut rng);
        let at = world.points(9, &mut rng);
        let losses: Vec<f64> = (0..rows.len()).map(|i| rows.row(i).x()[1] + 0.1 * rng.normal()).collect();
        is_seeded(&*surrogate, &rows, &losses, &at);
        speaks_raw_units(&*surrogate, &rows, &losses, &at);
        survives_poor_data(&*surrogate, &rows, &at);
    }
}

/// The order of observations does not matter, up to 10⁻⁹ of the spread of the losses. For
/// surrogates whose inference does not amplify rounding.
///
/// # Panics
/// If the law is broken.
pub fn assert_order_does_not_matter(build: Build<'_>) {
    for seed in 0..10 {
        let mut rng = Rng::for_trial(47, seed);
        let world = World::random(&mut rng);
        let surrogate = build(&world.layout);
        let rows = world.points(14, &mut rng);
        let at = world.points(9, &mut rng);
        let losses: Vec<f64> = (0..rows.len()).map(|_| rng.normal()).collect();
        let mut order: Vec<usize> = (0..rows.len()).collect();
        rng.shuffle(&mut order);
        let shuffled: Vec<f64> = order.iter().map(|&i| losses[i]).collect();
        let plain = predict(&*surrogate, &rows, &losses, &at);
        assert_near(&plain, &predict(&*surrogate, &rows.select(&order), &shuffled, &at), (0.0, 1.0), 1e-9);
    }
}

fn predict(surrogate: &dyn Surrogate, rows: &Points, losses: &[f64], at: &Points) -> Prediction {
    let data = Dataset::new(rows.clone(), losses.to_vec()).expect("losses pair up");
    surrogate.fit(&data, None, &mut Rng::new(5)).expect("a model").predict(at)
}

fn is_seeded(surrogate: &dyn Surrogate, rows: &Points, losses: &[f64], at: &Points) {
    assert_eq!(predict(surrogate, rows, losses, at), predict(surrogate, rows, losses, at));
}

/// Losses 2ᵏ·y give exactly 2ᵏ times the prediction: a power of two does not change rounding.
fn speaks_raw_units(surrogate: &dyn Surrogate, rows: &Points, losses: &[f64], at: &Points) {
    let plain = predict(surrogate, rows, losses, at);
    let scaled: Vec<f64> = losses.iter().map(|loss| 1024.0 * loss).collect();
    assert_near(&plain, &predict(surrogate, rows, &scaled, at), (0.0, 1024.0), 1e-12);
}

/// `other` is `plain` shifted and scaled.
fn assert_near(plain: &Prediction, other: &Prediction, (shift, scale): (f64, f64), tolerance: f64) {
    assert_eq!((plain.draws(), plain.len()), (other.draws(), other.len()));
    for draw in 0..plain.draws() {
        for i in 0..plain.len() {
            let (expected, found) = (shift + scale * plain.mean(draw, 0)[i], other.mean(draw, 0)[i]);
            assert!((expected - found).abs() <= tolerance * scale, "mean {found} instead of {expected}");
            let (expected, found) = (scale * scale * plain.variance(draw)[i], other.variance(draw)[i]);
            assert!(
                (expected - found).abs() <= tolerance * scale * scale,
                "variance {found} instead of {expected}"
            );
        }
    }
}

/// No data, one point, equal losses, repeated points: finite means, positive variances.
fn survives_poor_data(surrogate: &dyn Surrogate, rows: &Points, at: &Points) {
    let none = rows.select(&[]);
    let one = rows.select(&[0]);
    let again = rows.select(&[0, 0, 0, 1, 1, 0]);
    for (rows, losses) in [
        (&none, vec![]),
        (&one, vec![3.0]),
        (rows, vec![-2.5; rows.len()]),
        (&again, vec![1.0, 1.0, 1.0, 2.0, 2.0, 1.0]),
        (&again, vec![1.0, 5.0, 3.0, 2.0, -4.0, 1e6]),
        (&again, vec![1.0, 5.0, 3.0, 2.0, -f64::MAX, f64::MAX]),
    ] {
        let prediction = predict(surrogate, rows, &losses, at);
        for draw in 0..prediction.draws() {
            assert!(prediction.mean(draw, 0).iter().all(|mean| mean.is_finite()), "{losses:?}");
            assert!(prediction.variance(draw).iter().all(|variance| *variance > 0.0 && variance.is_finite()));
        }
        assert_eq!(prediction.len(), at.len());
    }
}
