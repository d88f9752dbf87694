use super::*;
use crate::hyper::Hyper;
use crate::prior::HyperPrior;
use crate::testing::{Toy, assert_inference_laws, joint, log_prior, log_scaled, natural};

const WIDE: (f64, f64) = (-1e6, 1e6);

/// The mean of a chain's statistic is within four standard errors of the expected value. The error
/// comes from the means of 40 batches, long compared to the autocorrelation.
#[track_caller]
fn assert_mean(chain: &[Vec<f64>], statistic: impl Fn(&[f64]) -> f64, expected: f64) {
    let values: Vec<f64> = chain.iter().map(|theta| statistic(theta)).collect();
    let batches: Vec<f64> = values
        .chunks(values.len() / 40)
        .map(|batch| batch.iter().sum::<f64>() / batch.len() as f64)
        .collect();
    let count = batches.len() as f64;
    let mean = batches.iter().sum::<f64>() / count;
    let variance = batches.iter().map(|batch| (batch - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let error = (variance / count).sqrt();
    assert!(
        (mean - expected).abs() < 4.0 * error,
        "mean {mean}, expected {expected}, standard error {error}"
    );
    assert!(error < 0.1, "too little was drawn to say anything: standard error {error}");
}

fn long_chain(target: &mut Toy, start: Vec<f64>, seed: u64) -> Vec<Vec<f64>> {
    Slice { draws: 10_000, ..Slice::default() }.draw(target, &Start::Fresh(start), &mut Rng::new(seed))
}

#[test]
fn laws_hold() {
    assert_inference_laws(&Slice::default());
    assert_inference_laws(&Slice { draws: 3, burn_in: 0, width: 0.1, settled: 200 });
}

#[test]
fn one_dimensional_moments() {
    let mut normal = Toy::new(vec![natural("x", WIDE)], |theta| -0.5 * ((theta[0] - 2.0) / 0.7).powi(2));
    let chain = long_chain(&mut normal, vec![-5.0], 1);
    assert_mean(&chain, |theta| theta[0], 2.0);
    assert_mean(&chain, |theta| (theta[0] - 2.0).powi(2), 0.49);

    // Gamma(3, 1), whose support has an edge: mean 3, second moment 12.
    let mut gamma = Toy::new(vec![natural("x", WIDE)], |theta| {
        if theta[0] > 0.0 { 2.0 * libm::log(theta[0]) - theta[0] } else { f64::NEG_INFINITY }
    });
    let chain = long_chain(&mut gamma, vec![1.0], 2);
    assert_mean(&chain, |theta| theta[0], 3.0);
    assert_mean(&chain, |theta| theta[0] * theta[0] / 12.0, 1.0);
}

#[test]
fn slices_much_narrower_than_the_first_interval() {
    let mut needle = Toy::new(vec![natural("x", WIDE)], |theta| -0.5 * ((theta[0] - 1.0) / 0.02).powi(2));
    let chain = long_chain(&mut needle, vec![1.01], 7);
    assert_mean(&chain, |theta| (theta[0] - 1.0) / 0.02, 0.0);
    assert_mean(&chain, |theta| ((theta[0] - 1.0) / 0.02).powi(2), 1.0);
}

/// Slices with two pieces: reversibility depends on the random placement of the first interval.
#[test]
fn two_modes_get_their_shares() {
    let bump = |x: f64, at: f64| libm::exp(-0.5 * ((x - at) / 0.1).powi(2));
    let mut camel = Toy::new(vec![natural("x", WIDE)], move |theta| {
        libm::log(0.2 * bump(theta[0], -0.35) + 0.8 * bump(theta[0], 0.35))
    });
    let slice = Slice { draws: 100_000, ..Slice::default() };
    let chain = slice.draw(&mut camel, &Start::Fresh(vec![0.3]), &mut Rng::new(8));
    assert_mean(&chain, |theta| f64::from(u8::from(theta[0] > 0.0)), 0.8);
}

#[test]
fn two_dimensional_moments_jointly_and_singly() {
    // Unit variances, correlation 0.8.
    let bell =
        |theta: &[f64]| -0.5 * (theta[0] * theta[0] - 1.6 * theta[0] * theta[1] + theta[1] * theta[1]) / 0.36;
    for together in [false, true] {
        let place = |name| if together { joint(natural(name, WIDE)) } else { natural(name, WIDE) };
        let mut target = Toy::new(vec![place("x"), place("y")], bell);
        let chain = long_chain(&mut target, vec![3.0, -3.0], 3);
        for i in 0..2 {
            assert_mean(&chain, |theta| theta[i], 0.0);
            assert_mean(&chain, |theta| theta[i] * theta[i], 1.0);
        }
        assert_mean(&chain, |theta| theta[0] * theta[1], 0.8);
    }
}

#[test]
fn with_no_data_the_prior_comes_back() {
    let hypers = vec![
        joint(natural("mean", (-1.0, 3.0))),
        joint(log_scaled("amplitude", (1e-5, 1e5), HyperPrior::LogNormal { mu: 0.4, sigma: 0.9 })),
        joint(log_scaled("noise", (1e-10, 1e10), HyperPrior::Horseshoe { scale: 1.0 })),
        log_scaled("length", (0.5, 2.0), HyperPrior::LogNormal { mu: 0.0, sigma: 1.0 }),
    ];
    let chain = Slice { draws: 40_000, ..Slice::default() }.draw(
        &mut Toy::prior(hypers.clone()),
        &Start::Fresh(vec![0.0; 4]),
        &mut Rng::new(4),
    );
    assert_mean(&chain, |theta| theta[0], 1.0);
    assert_mean(&chain, |theta| (theta[0] - 1.0).powi(2), 16.0 / 12.0);
    assert_mean(&chain, |theta| theta[1], 0.4);
    assert_mean(&chain, |theta| (theta[1] - 0.4).powi(2), 0.81);
    assert_mean(&chain, |theta| f64::from(u8::from(theta[2] < hypers[2].median())), 0.5);
    // ln x is a standard normal truncated at ±ln 2: variance 1 − 2aφ(a)/(2Φ(a) − 1).
    let a = std::f64::consts::LN_2;
    let kept = 2.0 * arbora_space::normal::cdf(a) - 1.0;
    assert_mean(&chain, |theta| theta[3], 0.0);
    assert_mean(&chain, |theta| theta[3].powi(2), 1.0 - 2.0 * a * arbora_space::normal::density(a) / kept);
}

/// Alternating y ~ p(y | θ) and one update of θ given y leaves the joint distribution invariant,
/// hence also the prior of θ  [Geweke 2004].
#[test]
fn one_update_leaves_the_posterior_invariant() {
    let hypers = vec![
        joint(Hyper { prior: HyperPrior::Normal { mean: 0.5, sd: 1.0 }, ..natural("mean", WIDE) }),
        joint(log_scaled("scale", (1e-6, 1e6), HyperPrior::LogNormal { mu: -0.2, sigma: 0.5 })),
        log_scaled("rate", (0.2, 5.0), HyperPrior::LogNormal { mu: 0.0, sigma: 0.8 }),
    ];
    let mut rng = Rng::new(6);
    let slice = Slice { draws: 1, ..Slice::default() };
    let mut theta: Vec<f64> = hypers.iter().map(|hyper| hyper.sample(&mut rng)).collect();
    let mut chain = Vec::new();
    for _ in 0..20_000 {
        let (mean, scale, rate) = (theta[0], libm::exp(theta[1]), libm::exp(theta[2]));
        let normals: Vec<f64> = (0..2).map(|_| mean + scale * rng.normal()).collect();
        let waiting = -libm::log(rng.open_unit()) / rate;
        let own = hypers.clone();
        let mut target = Toy::new(hypers.clone(), move |theta| {
            let (scale, rate) = (libm::exp(theta[1]), libm::exp(theta[2]));
            let fit: f64 = normals.iter().map(|y| -0.5 * ((y - theta[0]) / scale).powi(2) - theta[1]).sum();
            fit + theta[2] - rate * waiting + log_prior(&own, theta)
        });
        theta = slice.draw(&mut target, &Start::Continue(vec![theta]), &mut rng).remove(0);
        chain.push(theta.clone());
    }
    assert_mean(&chain, |theta| theta[0], 0.5);
    assert_mean(&chain, |theta| (theta[0] - 0.5).powi(2), 1.0);
    assert_mean(&chain, |theta| theta[1], -0.2);
    assert_mean(&chain, |theta| (theta[1] + 0.2).powi(2), 0.25);
    assert_mean(&chain, |theta| theta[2], 0.0);
    let a = libm::log(5.0) / 0.8;
    let kept = 2.0 * arbora_space::normal::cdf(a) - 1.0;
    let cut = 1.0 - 2.0 * a * arbora_space::normal::density(a) / kept;
    assert_mean(&chain, |theta| (theta[2] / 0.8).powi(2), cut);
}

fn bowl() -> Toy {
    let hypers = vec![joint(natural("a", (-2.0, 9.0))), natural("b", (-1.0, 1.0)), natural("c", WIDE)];
    Toy::new(hypers, |theta| -theta.iter().map(|x| x * x).sum::<f64>())
}

#[test]
fn a_seed_gives_one_chain_and_a_fresh_start_forgets_its_first_part() {
    let draw = |draws, burn_in, start: Start| {
        Slice { draws, burn_in, width: 1.0, settled: 200 }.draw(&mut bowl(), &start, &mut Rng::new(9))
    };
    let start = vec![0.5, 0.5, 30.0];
    let whole = draw(25, 0, Start::Continue(vec![start.clone()]));
    assert_eq!(whole.len(), 25);
    assert_eq!(whole, draw(25, 7, Start::Continue(vec![start.clone()])));
    assert_eq!(whole[20..], draw(5, 20, Start::Fresh(start))[..]);
}

#[test]
fn draws_stay_inside_the_bounds() {
    let chain = Slice { draws: 2000, ..Slice::default() }.draw(
        &mut bowl(),
        &Start::Fresh(vec![-2.0, 1.0, 0.0]),
        &mut Rng::new(10),
    );
    assert!(chain.iter().all(|theta| (-2.0..=9.0).contains(&theta[0]) && (-1.0..=1.0).contains(&theta[1])));
}

#[test]
fn a_start_without_density_gives_nothing() {
    let start = |theta: Vec<f64>| Slice::default().draw(&mut bowl(), &Start::Fresh(theta), &mut Rng::new(0));
    assert!(start(vec![0.0, 1.5, 0.0]).is_empty());
    assert!(start(vec![0.0]).is_empty());
    let mut nowhere = Toy::new(vec![natural("x", WIDE)], |_| f64::NAN);
    assert!(Slice::default().draw(&mut nowhere, &Start::Fresh(vec![0.0]), &mut Rng::new(0)).is_empty());
}

#[test]
fn places_that_cannot_be_computed_are_never_visited() {
    for failure in [f64::NAN, f64::NEG_INFINITY] {
        let place = |update: fn(Hyper) -> Hyper| update(natural("x", WIDE));
        let hypers = vec![place(joint), place(|hyper| hyper)];
        let mut target = Toy::new(hypers, move |theta| {
            if theta.iter().any(|x| *x < 0.0) { failure } else { -theta.iter().sum::<f64>() }
        });
        let chain = long_chain(&mut target, vec![1.0, 1.0], 11);
        assert!(chain.iter().flatten().all(|x| *x >= 0.0));
        assert_mean(&chain, |theta| theta[1], 1.0);
    }
}

#[test]
fn hypers_without_room_stay_and_single_ones_use_the_cheap_line() {
    let hypers = vec![joint(natural("a", (2.0, 2.0))), natural("b", (-1.0, 1.0)), natural("c", (3.0, 3.0))];
    let mut target = Toy::new(hypers, |theta| -theta[1] * theta[1]);
    let chain = Slice::default().draw(&mut target, &Start::Fresh(vec![2.0, 0.0, 3.0]), &mut Rng::new(12));
    assert!(chain.iter().all(|theta| theta[0] == 2.0 && theta[2] == 3.0));
    assert_eq!(target.whole_evaluations, 1 + 110, "the start and one hop per iteration");
}

#[test]
fn modes_that_no_interval_connects_are_visited_by_weight() {
    // Two boxes of height 1 and width 0.5 on [0, 10], one twice as dense: no step of width 0.1
    // crosses the gap.
    let mut islands = Toy::new(vec![natural("x", (0.0, 10.0))], |theta| match theta[0] {
        x if (1.0..1.5).contains(&x) => libm::log(2.0),
        x if (8.0..8.5).contains(&x) => 0.0,
        _ => f64::NEG_INFINITY,
    });
    let start = Start::Continue(vec![vec![8.2]]);
    let slice = Slice { draws: 20_000, width: 0.1, ..Slice::default() };
    let chain = slice.draw(&mut islands, &start, &mut Rng::new(14));
    let share = chain.iter().filter(|theta| theta[0] < 5.0).count() as f64 / chain.len() as f64;
    assert!((share - 2.0 / 3.0).abs() < 0.03, "{share}");
}

#[test]
fn an_endless_plain_ends_at_the_cap() {
    let mut plain = Toy::new(vec![natural("x", (f64::NEG_INFINITY, f64::INFINITY))], |_| 0.0);
    let chain = Slice { draws: 50, ..Slice::default() }.draw(
        &mut plain,
        &Start::Continue(vec![vec![0.0]]),
        &mut Rng::new(13),
    );
    let farthest = chain.windows(2).map(|pair| (pair[1][0] - pair[0][0]).abs()).fold(0.0, f64::max);
    assert!(farthest > 100.0 && farthest <= 1001.0, "{farthest}");
}

/// A target that reports many observations.
struct Crowd<T>(T, usize);

impl<T: LogDensity> LogDensity for Crowd<T> {
    fn hypers(&self) -> &[Hyper] {
        self.0.hypers()
    }
    fn at(&mut self, theta: &[f64]) -> f64 {
        self.0.at(theta)
    }
    fn observations(&self) -> usize {
        self.1
    }
    fn along<'a>(&'a mut self, theta: &[f64], coordinate: usize) -> Box<dyn FnMut(f64) -> f64 + 'a> {
        self.0.along(theta, coordinate)
    }
    fn with_gradient(&mut self, theta: &[f64], gradient: &mut [f64]) -> Option<f64> {
        self.0.with_gradient(theta, gradient)
    }
}

#[test]
fn a_settled_chain_moves_less_and_keeps_its_latest_states() {
    let slice = Slice { settled: 100, ..Slice::default() };
    let start = |n: usize| {
        slice.draw(&mut Crowd(bowl(), n), &Start::Fresh(vec![0.0; bowl().hypers().len()]), &mut Rng::new(1))
    };
    let states = start(100);
    assert_eq!(states.len(), 10);
    for (n, moves) in [(100, 10), (101, 10), (200, 5), (400, 3), (100_000, 1)] {
        let next = slice.draw(&mut Crowd(bowl(), n), &Start::Continue(states.clone()), &mut Rng::new(2));
        assert_eq!(next.len(), 10);
        assert_eq!(next[..10 - moves], states[moves..], "n = {n}");
        assert!(next[10 - moves..].iter().all(|state| !states.contains(state)), "n = {n}");
    }
    // Missing states are made up for by iterations.
    let next = slice.draw(&mut Crowd(bowl(), 1000), &Start::Continue(states[8..].to_vec()), &mut Rng::new(2));
    assert_eq!((next.len(), &next[..2]), (10, &states[8..]));
}

#[test]
fn a_settled_chain_that_leaves_out_growing_keeps_the_density() {
    // One standard normal updated alone and one updated jointly, by a continued chain with many
    // observations.
    let hypers = vec![joint(natural("a", WIDE)), natural("b", WIDE)];
    let mut target =
        Crowd(Toy::new(hypers, |theta| -0.5 * theta.iter().map(|x| x * x).sum::<f64>()), 100_000);
    let slice = Slice { draws: 10, width: 2.0, ..Slice::default() };
    let (mut states, mut rng, mut chain) = (vec![vec![0.0, 0.0]], Rng::new(3), Vec::new());
    for _ in 0..40_000 {
        states = slice.draw(&mut target, &Start::Continue(states), &mut rng);
        chain.push(states[states.len() - 1].clone());
    }
    for coordinate in 0..2 {
        assert_mean(&chain, |theta| theta[coordinate], 0.0);
        assert_mean(&chain, |theta| theta[coordinate].powi(2), 1.0);
    }
}
