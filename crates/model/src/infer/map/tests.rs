use super::*;
use crate::prior::HyperPrior;
use crate::testing::{Toy, assert_inference_laws, log_prior, log_scaled, natural};

fn find(map: Map, target: &mut Toy, start: Vec<f64>) -> Vec<f64> {
    let mut draws = map.draw(target, &Start::Fresh(start), &mut Rng::new(1));
    assert_eq!(draws.len(), 1);
    draws.remove(0)
}

#[track_caller]
fn assert_near(got: &[f64], want: &[f64]) {
    assert!(got.iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-4), "got {got:?}, want {want:?}");
}

fn priors() -> Vec<Hyper> {
    vec![
        log_scaled("length", (1e-2, 20.0), HyperPrior::LogNormal { mu: 0.7, sigma: 0.5 }),
        Hyper { prior: HyperPrior::Normal { mean: -1.0, sd: 2.0 }, ..natural("mean", (-9.0, 9.0)) },
    ]
}

#[test]
fn laws_hold() {
    assert_inference_laws(&Map::default());
    assert_inference_laws(&Map { estimate: Estimate::Likelihood, starts: 2 });
}

#[test]
fn with_no_data_it_sits_at_the_mode_of_the_prior() {
    // The density of ln x, including the Jacobian, is normal around μ.
    assert_near(&find(Map::default(), &mut Toy::prior(priors()), vec![2.0, 5.0]), &[0.7, -1.0]);
}

#[test]
fn a_gradient_changes_the_way_not_the_end() {
    let bend = |theta: &[f64]| -(theta[1] - theta[0].powi(2)).powi(2) - 0.1 * (theta[0] - 1.5).powi(2);
    let hypers = || vec![natural("a", (-4.0, 4.0)), natural("b", (-4.0, 4.0))];
    let mut plain = Toy::new(hypers(), bend);
    let mut steep = Toy::new(hypers(), bend).with(|theta, gradient| {
        let gap = theta[1] - theta[0].powi(2);
        gradient[0] = 4.0 * theta[0] * gap - 0.2 * (theta[0] - 1.5);
        gradient[1] = -2.0 * gap;
    });
    let precise = [1.5, 2.25];
    for target in [&mut plain, &mut steep] {
        let found = find(Map::default(), target, vec![-3.0, 3.0]);
        assert!(found.iter().zip(precise).all(|(a, b)| (a - b).abs() < 1e-3), "{found:?}");
    }
}

#[test]
fn a_mode_outside_the_bounds_is_found_on_them() {
    let mut target = Toy::new(vec![natural("a", (-1.0, 2.0)), natural("b", (-1.0, 2.0))], |theta| {
        -(theta[0] - 5.0).powi(2) - (theta[1] - 0.5).powi(2)
    });
    let found = find(Map::default(), &mut target, vec![0.0, 0.0]);
    assert_eq!(found[0], 2.0);
    assert_near(&found, &[2.0, 0.5]);
}

#[test]
fn the_likelihood_alone_ignores_the_prior_but_not_the_bounds() {
    let hypers = priors();
    let own = hypers.clone();
    let mut target = Toy::new(hypers, move |theta| {
        -(theta[0] + 1.0).powi(2) - (theta[1] - 3.0).powi(2) + log_prior(&own, theta)
    });
    let map = Map { estimate: Estimate::Likelihood, ..Map::default() };
    assert_near(&find(map, &mut target, vec![0.0, 0.0]), &[-1.0, 3.0]);
    // Posterior: the two means are weighted by the precisions 2 and 1/σ².
    let posterior = [(4.0 * 0.7 - 2.0) / 6.0, (2.0 * 3.0 - 0.25) / 2.25];
    assert_near(&find(Map::default(), &mut target, vec![0.0, 0.0]), &posterior);
}

#[test]
fn several_starts_find_the_higher_of_two_modes() {
    let mut target = Toy::new(vec![natural("x", (-10.0, 10.0))], |theta| {
        libm::log(
            libm::exp(-0.5 * (theta[0] + 6.0).powi(2))
                + 3.0 * libm::exp(-0.5 * (theta[0] - 6.0).powi(2))
                + 1e-9,
        )
    });
    let start = vec![-6.5];
    assert_near(&find(Map { starts: 1, ..Map::default() }, &mut target, start.clone()), &[-6.0]);
    assert_near(&find(Map { starts: 10, ..Map::default() }, &mut target, start), &[6.0]);
}

#[test]
fn a_start_without_density_is_left_to_the_others() {
    let mut target =
        Toy::new(
            vec![natural("x", (-4.0, 4.0))],
            |theta| {
                if theta[0] < -3.0 { f64::NAN } else { -theta[0].powi(2) }
            },
        );
    assert_near(&find(Map::default(), &mut target, vec![-3.5]), &[0.0]);
    let mut nowhere = Toy::new(vec![natural("x", (-4.0, 4.0))], |_| f64::NEG_INFINITY);
    assert!(Map::default().draw(&mut nowhere, &Start::Fresh(vec![0.0]), &mut Rng::new(0)).is_empty());
}

#[test]
fn a_seed_gives_one_answer() {
    let run = || find(Map::default(), &mut Toy::prior(priors()), vec![2.0, 5.0]);
    assert_eq!(run(), run());
}
