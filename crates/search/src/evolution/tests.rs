use super::*;

fn minimize(
    state: State,
    generations: usize,
    seed: u64,
    selection: Selection,
    f: impl Fn(&[f64]) -> f64,
) -> State {
    let mut rng = Rng::new(seed);
    let mut state = state;
    for _ in 0..generations {
        let lambda = state.rates().lambda;
        let sampler = state.sampler();
        let offspring: Vec<Offspring> = (0..lambda)
            .map(|_| {
                let place = sampler.draw(&mut rng);
                Offspring { loss: f(&place), place }
            })
            .collect();
        state = state.next(&offspring, selection);
    }
    state
}

fn sphere(x: &[f64]) -> f64 {
    x.iter().enumerate().map(|(i, x)| (x - 0.3 - 0.05 * i as f64).powi(2)).sum()
}

/// Condition 10⁴, turned so that no axis of the cube is one of its own.
fn ellipsoid(x: &[f64]) -> f64 {
    let n = x.len();
    let turned: Vec<f64> = (0..n).map(|i| (x[i] - 0.4) + 0.7 * (x[(i + 1) % n] - 0.4)).collect();
    turned.iter().enumerate().map(|(i, t)| 10f64.powf(4.0 * i as f64 / (n - 1) as f64) * t * t).sum()
}

#[test]
fn sphere_and_ellipsoid_are_solved() {
    for selection in [Selection::Comma, Selection::Plus] {
        let round = minimize(State::start(vec![0.5; 5], 0.3), 150, 1, selection, sphere);
        assert!(sphere(&round.mean) < 1e-12, "{selection:?}: {}", sphere(&round.mean));
        let long = minimize(State::start(vec![0.5; 5], 0.3), 400, 2, selection, ellipsoid);
        assert!(ellipsoid(&long.mean) < 1e-8, "{selection:?}: {}", ellipsoid(&long.mean));
    }
}

#[test]
fn the_diagonal_form_solves_a_wide_sphere() {
    let n = WIDEST + 6;
    let centred = |x: &[f64]| x.iter().map(|x| (x - 0.4).powi(2)).sum::<f64>();
    let state = minimize(State::start(vec![0.5; n], 0.3), 400, 3, Selection::Comma, centred);
    assert!(!state.covariance.is_full());
    assert!(centred(&state.mean) < 1e-3, "{}", centred(&state.mean));
}

#[test]
fn only_the_order_of_losses_matters() {
    let start = || State::start(vec![0.5; 4], 0.3);
    let plain = minimize(start(), 40, 4, Selection::Comma, ellipsoid);
    let bent = minimize(start(), 40, 4, Selection::Comma, |x| libm::exp(3.0 * ellipsoid(x).sqrt()) - 7.0);
    assert_eq!(plain, bent);
}

#[test]
fn the_covariance_stays_positive_definite() {
    let mut rng = Rng::new(5);
    let mut state = State::start(vec![0.5; 6], 0.3);
    for _ in 0..200 {
        let sampler = state.sampler();
        // Noise: nothing is learnt, and nothing may break.
        let offspring: Vec<Offspring> = (0..state.rates().lambda)
            .map(|_| Offspring { place: sampler.draw(&mut rng), loss: rng.normal() })
            .collect();
        state = state.next(&offspring, Selection::Comma);
        let Covariance::Full(c) = &state.covariance else { panic!("six dimensions are few") };
        for i in 0..6 {
            assert!(c[i * 6 + i] > 0.0);
            assert!(
                (0..6).all(|j| (c[i * 6 + j] - c[j * 6 + i]).abs() <= 1e-15 * c[i * 6 + i].abs().max(1.0))
            );
        }
        let bordered = decompose_least(c);
        assert!(bordered > 0.0, "{bordered}");
        assert!(state.mean.iter().all(|m| m.is_finite()) && state.sigma > 0.0);
    }
}

/// The least pivot of a Cholesky factorisation: positive if and only if the matrix is positive definite.
fn decompose_least(c: &[f64]) -> f64 {
    let n = c.len().isqrt();
    let mut l = vec![0.0; n * n];
    let mut least = f64::INFINITY;
    for j in 0..n {
        let pivot = c[j * n + j] - (0..j).map(|k| l[j * n + k] * l[j * n + k]).sum::<f64>();
        least = least.min(pivot);
        for i in j..n {
            let dot: f64 = (0..j).map(|k| l[i * n + k] * l[j * n + k]).sum();
            l[i * n + j] = (c[i * n + j] - dot) / pivot.max(0.0).sqrt();
        }
    }
    least
}

#[test]
fn a_state_survives_text() {
    let state = minimize(State::start(vec![0.5; 3], 0.3), 7, 6, Selection::Plus, sphere);
    let text = serde_json::to_string(&state).unwrap();
    assert_eq!(serde_json::from_str::<State>(&text).unwrap(), state);
}
