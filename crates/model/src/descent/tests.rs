use super::*;
use arbora_space::Rng;
use proptest::prelude::*;

/// Σ 100(xᵢ₊₁ − xᵢ²)² + (1 − xᵢ)².
fn rosenbrock(x: &[f64], gradient: &mut [f64]) -> f64 {
    gradient.fill(0.0);
    let mut sum = 0.0;
    for i in 0..x.len() - 1 {
        let (bend, rest) = (x[i + 1] - x[i] * x[i], 1.0 - x[i]);
        sum += 100.0 * bend * bend + rest * rest;
        gradient[i] -= 400.0 * x[i] * bend + 2.0 * rest;
        gradient[i + 1] += 200.0 * bend;
    }
    sum
}

#[test]
fn agrees_with_scipy_on_fifteen_dimensional_rosenbrock() {
    // SciPy 1.17.1, minimize(rosen, method="L-BFGS-B"), default tolerances:
    // start, box, evaluations, value.
    for (start, low, high, evaluations, value) in [
        (1.3, -2.0, 2.0, 37, 2.119_834_165_580_191_8e-10),
        (0.0, -5.0, 0.8, 39, 10.950_500_763_547_765),
        (0.0, -2.0, 0.5, 17, 12.544_297_319_422_11),
        (-1.2, -2.0, 0.5, 28, 12.544_297_319_423_272),
        (0.0, 1.1, 5.0, 19, 13.196_996_279_432_454),
    ] {
        let found = Descent::default().minimize(&[(low, high); 15], &[start; 15], rosenbrock);
        assert_eq!(found.evaluations, evaluations, "from {start} in [{low}, {high}]");
        assert!((found.value - value).abs() < 1e-9 * value.max(1.0), "{} for {value}", found.value);
    }
}

#[test]
fn points_where_the_function_fails_are_stepped_away_from() {
    // Minimum at (0.9, …), close to a region that cannot be computed; the first full step lands in
    // it.
    for failure in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let cliff = |x: &[f64], gradient: &mut [f64]| {
            let outside = x.iter().any(|&x| x > 1.0);
            let mut sum = 0.0;
            for (slope, &x) in gradient.iter_mut().zip(x) {
                *slope = 20.0 * (x - 0.9) + libm::exp(x);
                sum += 10.0 * (x - 0.9).powi(2) + libm::exp(x);
            }
            if outside { failure } else { sum }
        };
        let found = Descent::default().minimize(&[(-50.0, 50.0); 3], &[-40.0, -1.0, 0.0], cliff);
        // 20(x − 0.9) + eˣ = 0.
        for &x in &found.point {
            assert!((20.0 * (x - 0.9) + libm::exp(x)).abs() < 1e-4, "{failure}: {found:?}");
        }
    }
}

#[test]
fn a_gradient_that_fails_rejects_its_point_too() {
    let found = Descent::default().minimize(&[(-5.0, 5.0)], &[-4.0], |x, gradient| {
        gradient[0] = if x[0] > 0.5 { f64::NAN } else { 2.0 * x[0] };
        x[0] * x[0]
    });
    assert!(found.point[0].abs() < 1e-4, "{found:?}");
}

#[test]
fn a_start_that_fails_comes_back_as_it_was() {
    let found = Descent::default().minimize(&[(0.0, 1.0)], &[0.3], |_, _| f64::NAN);
    assert_eq!(found, Minimum { point: vec![0.3], value: f64::INFINITY, evaluations: 1 });
}

#[test]
fn the_budget_is_exact() {
    for evaluations in [1, 2, 7] {
        let mut calls = 0;
        let descent = Descent { evaluations, ..Descent::default() };
        let found = descent.minimize(&[(-5.0, 5.0); 6], &[-3.0; 6], |x, gradient| {
            calls += 1;
            rosenbrock(x, gradient)
        });
        assert_eq!((calls, found.evaluations), (evaluations, evaluations));
    }
}

#[test]
fn open_and_shut_boxes_are_boxes_too() {
    let parabola = |x: &[f64], gradient: &mut [f64]| {
        gradient.iter_mut().zip(x).for_each(|(slope, x)| *slope = 2.0 * (x - 3.0));
        x.iter().map(|x| (x - 3.0).powi(2)).sum()
    };
    let open = (f64::NEG_INFINITY, f64::INFINITY);
    let found =
        Descent::default().minimize(&[open, (1.0, 1.0), (f64::NEG_INFINITY, 2.0)], &[0.0; 3], parabola);
    assert!((found.point[0] - 3.0).abs() < 1e-6);
    assert_eq!(found.point[1..], [1.0, 2.0]);
    let nothing = Descent::default().minimize(&[], &[], |_, _| 4.0);
    assert_eq!((nothing.value, nothing.evaluations), (4.0, 1));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Random convex quadratics in random boxes: the projected gradient vanishes at the result.
    #[test]
    fn quadratics_end_at_a_stationary_point_of_the_box(seed in any::<u64>(), d in 1_usize..10) {
        let mut rng = Rng::new(seed);
        let root: Vec<f64> = (0..d * d).map(|_| rng.normal()).collect();
        let centre: Vec<f64> = (0..d).map(|_| 2.0 * rng.normal()).collect();
        let bounds: Vec<(f64, f64)> = (0..d).map(|_| (-2.0 * rng.unit(), 2.0 * rng.unit())).collect();
        let start: Vec<f64> = (0..d).map(|_| 4.0 * rng.normal()).collect();
        // f = ½|R(x − c)|² + ½|x − c|²
        let function = |x: &[f64], gradient: &mut [f64]| {
            let off: Vec<f64> = x.iter().zip(&centre).map(|(x, c)| x - c).collect();
            gradient.copy_from_slice(&off);
            let mut sum: f64 = off.iter().map(|v| 0.5 * v * v).sum();
            for row in root.chunks(d) {
                let dot: f64 = row.iter().zip(&off).map(|(r, v)| r * v).sum();
                sum += 0.5 * dot * dot;
                gradient.iter_mut().zip(row).for_each(|(slope, r)| *slope += dot * r);
            }
            sum
        };
        let descent = Descent { gradient_tolerance: 1e-7, gain_tolerance: 0.0, ..Descent::default() };
        let found = descent.minimize(&bounds, &start, function);
        let mut gradient = vec![0.0; d];
        prop_assert_eq!(function(&found.point, &mut gradient), found.value);
        let inside: Vec<f64> = start.iter().zip(&bounds).map(|(x, b)| x.clamp(b.0, b.1)).collect();
        prop_assert!(found.value <= function(&inside, &mut vec![0.0; d]));
        for ((&x, &(low, high)), slope) in found.point.iter().zip(&bounds).zip(gradient) {
            prop_assert!((low..=high).contains(&x));
            let step = (x - slope).clamp(low, high) - x;
            prop_assert!(step.abs() < 1e-5, "slope {} at {} in [{}, {}]", slope, x, low, high);
        }
    }
}
